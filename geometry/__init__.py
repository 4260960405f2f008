"""The shapes, named boundary parts and samplers."""

if __name__ != "sciml.geometry":
    raise ImportError(
        f"imported as {__name__!r}; import it as 'sciml.geometry', "
        "since a second copy would carry a second set of shape classes"
    )

from .annulus import Annulus
from .ball import Ball
from .boundary import BoundaryPoints
from .box import Box
from .combinations import Difference, Intersection, Union
from .cone import Cone
from .curve import Curve, EllipticArc
from .curved_shape import CurvedShape
from .disk import Disk
from .divided import Divided
from .ellipse import Ellipse
from .extrusion import Cylinder, Extrusion
from .geometry import Geometry
from .hyperball import Hyperball
from .hyperrectangle import Hyperrectangle
from .interval import Interval
from .mesh import Mesh
from .motion import Motion
from .moved import Moved, MovedPiece
from .naca4 import NACA4
from .parametric_shape import ParametricShape
from .parametrised import Parametrised
from .path_piece import PathPiece
from .pieces import Arc, Piece, PlanePiece, Segment, Vertex
from .plane_mesh import PlaneMesh
from .plane_shape import PlaneShape
from .point_cloud import PointCloud
from .polygon import Polygon
from .product import Product
from .quadrature import Quadrature
from .rectangle import Rectangle
from .renamed import Renamed
from .revolution import Revolution
from .rounded_rectangle import RoundedRectangle
from .samplers import SAMPLERS
from .sector import Sector
from .shapes import SHAPES
from .space_time import SpaceTime
from .star_shaped import StarShaped
from .torus import Torus
from .triangle import Triangle

__all__ = [
    "NACA4", "SAMPLERS", "SHAPES", "Annulus", "Arc", "Ball", "BoundaryPoints", "Box", "Cone",
    "Curve", "CurvedShape", "Cylinder", "Difference", "Disk", "Divided", "Ellipse", "EllipticArc",
    "Extrusion", "Geometry", "Hyperball", "Hyperrectangle", "Intersection", "Interval", "Mesh",
    "Motion", "Moved", "MovedPiece", "ParametricShape", "Parametrised", "PathPiece", "Piece",
    "PlaneMesh", "PlanePiece", "PlaneShape", "PointCloud", "Polygon", "Product", "Quadrature",
    "Rectangle", "Renamed", "Revolution", "RoundedRectangle", "Sector", "Segment", "SpaceTime",
    "StarShaped", "Torus", "Triangle", "Union", "Vertex",
]  # fmt: skip

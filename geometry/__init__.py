"""The shapes, named boundary parts and samplers."""

if __name__ != "sciml.geometry":
    raise ImportError(
        f"imported as {__name__!r}; import it as 'sciml.geometry', "
        "since a second copy would carry a second set of shape classes"
    )

from .annulus import Annulus
from .boundary import BoundaryPoints
from .combinations import Difference, Intersection, Union
from .curve import Curve, EllipticArc
from .curved_shape import CurvedShape
from .disk import Disk
from .divided import Divided
from .ellipse import Ellipse
from .geometry import Geometry
from .interval import Interval
from .motion import Motion
from .moved import Moved, MovedPiece
from .naca4 import NACA4
from .parametric_shape import ParametricShape
from .path_piece import PathPiece
from .pieces import Arc, Piece, PlanePiece, Segment, Vertex
from .plane_shape import PlaneShape
from .polygon import Polygon
from .product import Product
from .quadrature import Quadrature
from .rectangle import Rectangle
from .renamed import Renamed
from .rounded_rectangle import RoundedRectangle
from .samplers import SAMPLERS
from .sector import Sector
from .shapes import SHAPES
from .space_time import SpaceTime
from .star_shaped import StarShaped
from .triangle import Triangle

__all__ = [
    "NACA4", "SAMPLERS", "SHAPES", "Annulus", "Arc", "BoundaryPoints", "Curve", "CurvedShape",
    "Difference", "Disk", "Divided", "Ellipse", "EllipticArc", "Geometry", "Intersection",
    "Interval", "Motion", "Moved", "MovedPiece", "ParametricShape", "PathPiece", "Piece",
    "PlanePiece", "PlaneShape", "Polygon", "Product", "Quadrature", "Rectangle", "Renamed",
    "RoundedRectangle", "Sector", "Segment", "SpaceTime", "StarShaped", "Triangle", "Union",
    "Vertex",
]  # fmt: skip

"""The table of shapes by name, read by run files; a new shape is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .annulus import Annulus
from .ball import Ball
from .box import Box
from .combinations import Difference, Intersection, Union
from .cone import Cone
from .disk import Disk
from .divided import Divided
from .ellipse import Ellipse
from .extrusion import Cylinder, Extrusion
from .geometry import Geometry
from .hyperball import Hyperball
from .hyperrectangle import Hyperrectangle
from .interval import Interval
from .mesh import Mesh
from .moved import Moved
from .naca4 import NACA4
from .plane_mesh import PlaneMesh
from .polygon import Polygon
from .product import Product
from .rectangle import Rectangle
from .renamed import Renamed
from .revolution import Revolution
from .rounded_rectangle import RoundedRectangle
from .sector import Sector
from .space_time import SpaceTime
from .star_shaped import StarShaped
from .torus import Torus
from .triangle import Triangle

SHAPES: Mapping[str, type[Geometry]] = MappingProxyType(
    {
        "Annulus": Annulus,
        "Ball": Ball,
        "Box": Box,
        "Cone": Cone,
        "Cylinder": Cylinder,
        "Difference": Difference,
        "Disk": Disk,
        "Divided": Divided,
        "Ellipse": Ellipse,
        "Extrusion": Extrusion,
        "Hyperball": Hyperball,
        "Hyperrectangle": Hyperrectangle,
        "Intersection": Intersection,
        "Interval": Interval,
        "Mesh": Mesh,
        "Moved": Moved,
        "NACA4": NACA4,
        "PlaneMesh": PlaneMesh,
        "Polygon": Polygon,
        "Product": Product,
        "Rectangle": Rectangle,
        "Renamed": Renamed,
        "Revolution": Revolution,
        "RoundedRectangle": RoundedRectangle,
        "Sector": Sector,
        "SpaceTime": SpaceTime,
        "StarShaped": StarShaped,
        "Torus": Torus,
        "Triangle": Triangle,
        "Union": Union,
    }
)

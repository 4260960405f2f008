"""The table of shapes by name, read by run files; a new shape is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .annulus import Annulus
from .ball import Ball
from .box import Box
from .cone import Cone
from .disk import Disk
from .ellipse import Ellipse
from .extrusion import Cylinder, Extrusion
from .geometry import Geometry
from .hyperball import Hyperball
from .hyperrectangle import Hyperrectangle
from .interval import Interval
from .mesh import Mesh
from .plane_mesh import PlaneMesh
from .polygon import Polygon
from .product import Product
from .rectangle import Rectangle
from .revolution import Revolution
from .rounded_rectangle import RoundedRectangle
from .sector import Sector
from .space_time import SpaceTime
from .torus import Torus
from .triangle import Triangle

SHAPES: Mapping[str, type[Geometry]] = MappingProxyType(
    {
        "Annulus": Annulus,
        "Ball": Ball,
        "Box": Box,
        "Cone": Cone,
        "Cylinder": Cylinder,
        "Disk": Disk,
        "Ellipse": Ellipse,
        "Extrusion": Extrusion,
        "Hyperball": Hyperball,
        "Hyperrectangle": Hyperrectangle,
        "Interval": Interval,
        "Mesh": Mesh,
        "PlaneMesh": PlaneMesh,
        "Polygon": Polygon,
        "Product": Product,
        "Rectangle": Rectangle,
        "Revolution": Revolution,
        "RoundedRectangle": RoundedRectangle,
        "Sector": Sector,
        "SpaceTime": SpaceTime,
        "Torus": Torus,
        "Triangle": Triangle,
    }
)

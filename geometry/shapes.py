"""The table of shapes by name, read by run files; a new shape is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .annulus import Annulus
from .combinations import Difference, Intersection, Union
from .disk import Disk
from .divided import Divided
from .ellipse import Ellipse
from .geometry import Geometry
from .interval import Interval
from .moved import Moved
from .naca4 import NACA4
from .polygon import Polygon
from .product import Product
from .rectangle import Rectangle
from .renamed import Renamed
from .rounded_rectangle import RoundedRectangle
from .sector import Sector
from .space_time import SpaceTime
from .star_shaped import StarShaped
from .triangle import Triangle

SHAPES: Mapping[str, type[Geometry]] = MappingProxyType(
    {
        "Annulus": Annulus,
        "Difference": Difference,
        "Disk": Disk,
        "Divided": Divided,
        "Ellipse": Ellipse,
        "Intersection": Intersection,
        "Interval": Interval,
        "Moved": Moved,
        "NACA4": NACA4,
        "Polygon": Polygon,
        "Product": Product,
        "Rectangle": Rectangle,
        "Renamed": Renamed,
        "RoundedRectangle": RoundedRectangle,
        "Sector": Sector,
        "SpaceTime": SpaceTime,
        "StarShaped": StarShaped,
        "Triangle": Triangle,
        "Union": Union,
    }
)

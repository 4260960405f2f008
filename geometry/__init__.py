"""The shapes, named boundary parts and samplers."""

if __name__ != "sciml.geometry":
    raise ImportError(
        f"imported as {__name__!r}; import it as 'sciml.geometry', "
        "since a second copy would carry a second set of shape classes"
    )

from .boundary import BoundaryPoints
from .disk import Disk
from .geometry import Geometry
from .interval import Interval
from .pieces import Arc, Piece, Segment, Vertex
from .quadrature import Quadrature
from .rectangle import Rectangle
from .samplers import SAMPLERS
from .shapes import SHAPES

__all__ = [
    "SAMPLERS", "SHAPES", "Arc", "BoundaryPoints", "Disk", "Geometry", "Interval", "Piece",
    "Quadrature", "Rectangle", "Segment", "Vertex",
]  # fmt: skip

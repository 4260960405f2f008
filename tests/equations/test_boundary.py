import pytest

from sciml.equations.boundary import Boundary
from sciml.geometry import SHAPES, Interval, Rectangle


@pytest.mark.parametrize("shape", [Interval(0, 1), Rectangle()])
def test_every_shape_offers_what_conditions_need(shape):
    needed = [name for name in vars(Boundary) if not name.startswith("_")]
    assert len(needed) == 9
    assert all(hasattr(shape, name) for name in needed)
    assert all(all(hasattr(kind, name) for name in needed) for kind in SHAPES.values())

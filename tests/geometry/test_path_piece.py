import math

import numpy as np
import pytest
import sympy

import sciml.framework as framework
from sciml.framework.errors import GeometryError
from sciml.geometry import EllipticArc, Motion, PathPiece

ARC = EllipticArc((0.0, 0.0), (2.0, 1.0), 0.0, 0.25, 2.0)


def ellipse(t):
    return 2 * framework.cos(t), framework.sin(t)


PIECE = PathPiece(ellipse, 0.25, 2.0)
U = np.linspace(0.0, 1.0, 9)[:, None]


@pytest.mark.parametrize(
    ("piece", "arc"),
    [
        (PIECE, ARC),
        (PIECE.reversed(), ARC.reversed()),
        (PIECE.between(0.25, 0.5), ARC.between(0.25, 0.5)),
        *[
            (PIECE.placed(m), ARC.placed(m))
            for m in (Motion.rotation(0.7, (1.0, 2.0)), Motion.reflection((1.0, 2.0), (0.5, 0.0)))
        ],
    ],
)
def test_an_ellipse_by_its_functions_is_the_elliptic_arc(piece, arc):
    assert piece.measure == pytest.approx(arc.measure, rel=1e-14)
    for own, exact in zip(piece.frame(U), arc.frame(U), strict=True):
        np.testing.assert_allclose(own, exact, rtol=0, atol=2e-14)


def test_constant_coordinates_are_allowed_and_closed_paths_go_on():
    line = PathPiece(lambda t: (t, 1.5), 0.0, 2.0)
    assert line.measure == pytest.approx(2, rel=1e-15)
    np.testing.assert_allclose(line.frame(U)[0][:, 1], 1.5, rtol=0)
    whole = PathPiece(ellipse, 0.0, 2 * math.pi)
    exact = EllipticArc((0.0, 0.0), (2.0, 1.0))
    across = whole.between(0.9, 1.1).frame(U)[0]
    np.testing.assert_allclose(across, exact.between(0.9, 1.1).frame(U)[0], atol=1e-13)


def test_it_has_no_equation_in_x_and_y():
    with pytest.raises(GeometryError, match="impose conditions there softly"):
        PIECE.side(sympy.symbols("x y"))
    assert PIECE.trim(sympy.symbols("x y")) is None

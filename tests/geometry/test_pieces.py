import math

import numpy as np
import pytest

from sciml.geometry import Arc, EllipticArc, Segment, Vertex

U = np.linspace(0.05, 0.95, 7)[:, None]


@pytest.mark.parametrize("piece", [Segment((0, 1), (3, 5)), Arc((1, 2), 3, 0.5, 2.0)])
def test_pieces_are_walked_at_even_speed_with_the_normal_on_the_right(piece):
    step = 1e-6
    velocity = (piece.frame(U + step)[0] - piece.frame(U - step)[0]) / (2 * step)
    np.testing.assert_allclose(np.linalg.norm(velocity, axis=1), piece.measure, rtol=1e-8)
    normals = piece.frame(U)[1]
    tangents = np.stack([-normals[:, 1], normals[:, 0]], axis=1)
    np.testing.assert_allclose(velocity / piece.measure, tangents, atol=1e-8)


def test_measures():
    assert Segment((0, 1), (3, 5)).measure == 5
    assert Arc((0, 0), 2).measure == pytest.approx(4 * math.pi)
    assert Vertex((0.0,), (1.0,)).measure == 1
    assert Vertex((0.0, 0.0), (1.0, 0.0)).measure == 0


def test_shares_become_weights():
    sample = Segment((0, 0), (2, 0)).at(U, np.full(7, 1 / 7), "p")
    assert sample.weights.sum() == pytest.approx(2)


@pytest.mark.parametrize(
    "piece",
    [
        Segment((1.0, 2.0), (-0.5, 0.25)),
        Arc((0.5, -1.0), 2.0, 0.3, 4.0),
        Arc((0.5, -1.0), 2.0, 4.0, 0.3),
        EllipticArc((1.0, 0.0), (2.0, 1.5), 0.7, 5.0, 1.0),
        Vertex((1.0, 2.0), (0.6, 0.8)),
    ],
)
def test_the_area_swept_is_the_flux_of_the_position(piece):
    center = np.array([0.25, 0.125])
    rule = piece.rule(64, "part")
    flux = rule.weights @ ((rule.points - center) * rule.normals).sum(axis=1)
    assert piece.swept(center) == pytest.approx(flux, rel=1e-13, abs=1e-15)
    assert piece.reversed().swept(center) == pytest.approx(-flux, rel=1e-13, abs=1e-15)

import math

import numpy as np
import pytest

from sciml.geometry import Arc, EllipticArc, Segment
from sciml.geometry.revolved_piece import RevolvedPiece

PIECES = [
    Segment((1.0, 0.0), (0.0, 2.0)),
    Segment((0.0, 0.0), (3.0, 0.0)),
    Segment((2.0, 0.0), (2.0, 1.0)),
    Arc((0.0, 0.0), 2.0, -math.pi / 2, math.pi / 2),
    Arc((2.0, 0.0), 0.5),
    EllipticArc((2.0, 0.0), (1.0, 0.5), 0.3),
]
every_piece = pytest.mark.parametrize("piece", PIECES)


@every_piece
def test_the_map_keeps_areas_and_points_outwards(piece):
    swept = RevolvedPiece(piece, (0.5, -1.0))
    u = np.random.default_rng(0).uniform(0.02, 0.98, (60, 2))
    h = 1e-6
    a, b = ((swept.frame(u + e)[0] - swept.frame(u - e)[0]) / (2 * h) for e in h * np.eye(2))
    area = np.linalg.norm(np.cross(a, b), axis=1)
    np.testing.assert_allclose(area, swept.measure, rtol=1e-6)
    normal = np.cross(a, b) / area[:, None]
    alike = np.sum(normal * swept.frame(u)[1], axis=1)
    np.testing.assert_allclose(np.abs(alike), 1, atol=1e-9)
    assert len(set(np.sign(alike))) == 1


@every_piece
def test_the_share_of_area_is_the_first_parameter(piece):
    swept = RevolvedPiece(piece, (0.0, 0.0))
    u = np.linspace(0.0, 1.0, 9)
    covered = [swept._areas(np.zeros(1), v[None])[0] for v in swept._along(u)]
    if not isinstance(piece, EllipticArc):  # whose radius is no polynomial over the whole turn
        np.testing.assert_allclose(covered, u * swept._table[-1], atol=1e-6)
    assert swept._along(np.array([0.0, 1.0])).tolist() == pytest.approx([0, 1], abs=1e-12)


def test_curvatures_of_a_sphere_a_cone_and_a_torus():
    u = np.random.default_rng(0).uniform(0.1, 0.9, (20, 2))
    ball = RevolvedPiece(PIECES[3], (0, 0))
    np.testing.assert_allclose(ball.frame(u)[2], 2 / 2.0, rtol=1e-12)
    side = RevolvedPiece(PIECES[0], (0, 0))
    points, _, bend = side.frame(u)
    radius = np.hypot(*points[:, :2].T)
    np.testing.assert_allclose(bend, 2 / math.sqrt(5) / radius, rtol=1e-12)
    ring = RevolvedPiece(PIECES[4], (0, 0))
    points, _, bend = ring.frame(u)
    radius = np.hypot(*points[:, :2].T)
    np.testing.assert_allclose(bend, 2 + (radius - 2) / 0.5 / radius, rtol=1e-12)


def test_volumes_are_fluxes():
    assert RevolvedPiece(PIECES[3], (0, 0)).volume == pytest.approx(4 / 3 * math.pi * 8)
    assert RevolvedPiece(PIECES[1], (0, 0)).volume == 0
    assert RevolvedPiece(PIECES[0], (0, 0)).volume == pytest.approx(2 * math.pi / 3)

import numpy as np
import pytest

from sciml.framework.errors import GeometryError
from sciml.geometry.triangle_surface import TriangleSurface, squared_distances

CORNERS = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype=float)
FACES = np.array([(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])


def test_a_tetrahedron():
    surface = TriangleSurface(CORNERS, FACES)
    assert surface.volume == pytest.approx(1 / 6, rel=1e-15)
    assert surface.areas.sum() == pytest.approx(1.5 + np.sqrt(3) / 2, rel=1e-15)
    np.testing.assert_allclose(surface.normals[3], np.ones(3) / np.sqrt(3))


def test_a_surface_turned_inside_out_is_turned_back():
    surface = TriangleSurface(CORNERS, FACES[:, ::-1])
    assert surface.volume == pytest.approx(1 / 6, rel=1e-15)
    np.testing.assert_allclose(surface.normals[3], np.ones(3) / np.sqrt(3))


def test_vertices_that_are_repeated_are_one():
    surface = TriangleSurface(CORNERS[FACES].reshape(-1, 3), np.arange(12).reshape(4, 3))
    assert len(surface.vertices) == 4


@pytest.mark.parametrize(("vertices", "faces", "message"), [
    (CORNERS, FACES[:3], r"3 edges belong to one triangle alone.*not closed"),
    (CORNERS, np.concatenate([FACES[:3], [[1, 3, 2]]]), "same sense by both triangles"),
    (CORNERS, np.concatenate([FACES, [[1, 2, 3]]]), "more than two triangles"),
    (CORNERS, np.concatenate([FACES, [[0, 1, 1]]]), r"1 triangles have no area: 4; .* corners"),
    (np.where(CORNERS == 1, np.nan, CORNERS), FACES, "3 vertices are not finite: 1, 2, 3"),
    (CORNERS[:, :2], FACES, r"shape \(n, 3\)"),
    (CORNERS, FACES[:, :2], r"shape \(m, 3\)"),
])  # fmt: skip
def test_faults_are_told_with_their_place(vertices, faces, message):
    with pytest.raises(GeometryError, match=message):
        TriangleSurface(vertices, faces)


def test_distances_to_a_triangle_over_its_inside_edges_and_corners():
    triangle = np.tile(np.array([(0, 0, 0), (2, 0, 0), (0, 2, 0)], dtype=float), (5, 1, 1))
    X = np.array([(0.5, 0.5, 3), (1, -2, 0), (-3, -4, 0), (2, 2, 1), (0.5, 0.5, 0)], dtype=float)
    np.testing.assert_allclose(squared_distances(X, triangle), [9, 4, 25, 3, 0], atol=1e-15)

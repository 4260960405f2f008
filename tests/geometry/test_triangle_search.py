import numpy as np
import trimesh

from sciml.geometry.triangle_search import TriangleSearch, filled
from sciml.geometry.triangle_surface import TriangleSurface, squared_distances


def search(mesh):
    return TriangleSearch(TriangleSurface(mesh.vertices, mesh.faces))


def test_triangles_of_very_different_size_are_all_found():
    """A needle on a large box: classes of triangles are searched one after another."""
    needle = trimesh.creation.icosphere(subdivisions=3, radius=0.01)
    needle.apply_translation([0.3, 0.2, 1.1])
    both = trimesh.util.concatenate([trimesh.creation.box(), needle])
    tables = search(both)
    X = np.random.default_rng(0).uniform(-0.7, 1.3, (300, 3))
    corners = tables.surface.corners
    every = [np.sqrt(squared_distances(np.tile(p, (len(corners), 1)), corners).min()) for p in X]
    np.testing.assert_allclose(tables.distances(X), every, rtol=1e-13)


def test_inside_of_a_ring_of_triangles_against_winding_angles():
    tables = search(trimesh.creation.torus(1.0, 0.4, major_sections=40, minor_sections=20))
    X = np.random.default_rng(1).uniform(-1.5, 1.5, (2000, 3)) * [1, 1, 0.4]
    a, b, c = (tables.surface.corners[None, :, i] - X[:, None] for i in range(3))
    la, lb, lc = (np.linalg.norm(v, axis=2) for v in (a, b, c))
    triple = np.einsum("ijk,ijk->ij", a, np.cross(b, c))
    dots = [np.einsum("ijk,ijk->ij", u, v) for u, v in ((a, b), (b, c), (c, a))]
    below = la * lb * lc + dots[0] * lc + dots[1] * la + dots[2] * lb
    winding = np.arctan2(triple, below).sum(axis=1) / (2 * np.pi)
    np.testing.assert_array_equal(tables.inside(X), winding > 0.5)


def test_boxes_of_cells_are_filled():
    box, cell = filled(np.array([[0, 0], [2, 1]]), np.array([[1, 0], [2, 2]]))
    assert box.tolist() == [0, 0, 1, 1]
    assert cell.tolist() == [[0, 0], [1, 0], [2, 1], [2, 2]]

import math

import meshio
import numpy as np
import pytest
import sympy
import trimesh

import sciml.framework as framework
from sciml.equations import Dirichlet, Neumann, Poisson
from sciml.framework.errors import EquationError, GeometryError
from sciml.geometry import SAMPLERS, Box, Mesh
from sciml.geometry.triangle_surface import squared_distances
from sciml.problem.problem import Problem

BOX = Box((0, 0, 0), (1, 2, 3))
# A block with a notch, along z: not convex, and with walls along the rays.
NOTCHED = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], dtype=float)


def prism(outline, height):
    n = len(outline)
    bottom = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)]  # a fan, of which 0 sees all corners
    faces = [(a, c, b) for a, b, c in bottom] + [(a + n, b + n, c + n) for a, b, c in bottom]
    for i in range(n):
        j = (i + 1) % n
        faces += [(i, j, j + n), (i, j + n, i + n)]
    low = np.column_stack([outline, np.zeros(n)])
    high = np.column_stack([outline, np.full(n, height)])
    return np.concatenate([low, high]), np.array(faces)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("meshes")
    block = trimesh.creation.box(bounds=[(0, 0, 0), (1, 2, 3)])
    for ending in ("stl", "obj", "ply"):
        block.export(folder / f"box.{ending}")
    trimesh.creation.icosphere(subdivisions=4).export(folder / "ball.ply")
    vertices, faces = prism(NOTCHED, 1.0)
    trimesh.Trimesh(vertices, faces, process=False).export(folder / "notched.ply")
    meshio.Mesh(
        vertices,
        [("triangle", faces)],
        cell_data={"gmsh:physical": [np.array([1] * 4 + [2] * 4 + [0] * 12)],
                   "gmsh:geometrical": [np.ones(20, dtype=int)]},
        field_data={"floor": np.array([1, 2]), "roof": np.array([2, 2])},
    ).write(folder / "notched.msh", file_format="gmsh22", binary=False)  # fmt: skip
    return folder


@pytest.mark.parametrize("ending", ["stl", "obj", "ply"])
def test_a_box_of_triangles_is_the_box(folder, ending):
    mesh = Mesh(str(folder / f"box.{ending}"))
    assert mesh.measure == pytest.approx(6, rel=1e-14)
    assert mesh.boundary_measure("surface") == pytest.approx(22, rel=1e-14)
    assert mesh.bounding_box == ((0, 0, 0), (1, 2, 3))
    X = np.random.default_rng(0).uniform(-1, 4, (3000, 3))
    np.testing.assert_allclose(mesh.signed_distance(X), BOX.signed_distance(X), atol=1e-14)
    np.testing.assert_array_equal(mesh.contains(X), BOX.contains(X))


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_points_of_a_notched_block_are_inside_and_even(folder, sampler):
    mesh = Mesh(folder / "notched.ply")
    assert mesh.measure == pytest.approx(3, rel=1e-14)
    n = 3000
    x, y, z = mesh.sample_interior(n, sampler, seed=1).T
    assert (((x < 1) | (y < 1)) & (x > 0) & (y > 0) & (x < 2) & (y < 2) & (z > 0) & (z < 1)).all()
    deviation = math.sqrt(2 / 9 / n)
    assert abs(np.mean(x > 1) - 1 / 3) < 4 * deviation


def test_points_on_planes_of_walls_and_projected_edges_are_told_apart(folder):
    """Rays along z through vertices, edges and walls, on a lattice that holds them all."""
    mesh = Mesh(folder / "notched.ply")
    axis = np.arange(-1, 12) / 4
    X = np.stack(np.meshgrid(axis, axis, [0.5], indexing="ij"), axis=-1).reshape(-1, 3)
    x, y, _ = X.T
    inside = (x > 0) & (y > 0) & (((x < 2) & (y < 1)) | ((x < 1) & (y < 2)))
    on = mesh._search.distances(X) == 0
    np.testing.assert_array_equal(mesh.contains(X)[~on], inside[~on])
    np.testing.assert_array_equal(mesh.signed_distance(X)[~on] < 0, inside[~on])


def test_distance_to_a_ball_of_triangles_is_that_of_the_nearest(folder):
    mesh = Mesh(folder / "ball.ply")
    X = np.random.default_rng(0).uniform(-1.2, 1.2, (200, 3))
    corners = mesh.surface.corners
    every = np.array([np.sqrt(squared_distances(np.tile(p, (len(corners), 1)), corners).min())
                      for p in X])  # fmt: skip
    np.testing.assert_allclose(np.abs(mesh.signed_distance(X)), every, rtol=1e-13)
    # The triangles lie between the sphere and one whose radius is smaller by the largest sagitta.
    sagitta = 1 - np.linalg.norm(corners.mean(axis=1), axis=1).min()
    ball = np.linalg.norm(X, axis=1) - 1
    assert (mesh.signed_distance(X) - ball >= -1e-14).all()
    assert (mesh.signed_distance(X) - ball <= sagitta).all()


def test_boundary_points_are_even_with_outward_normals(folder):
    mesh = Mesh(folder / "notched.ply")
    n = 6000
    sample = mesh.sample_boundary("surface", n, "random", seed=2)
    np.testing.assert_allclose(mesh._search.distances(sample.points), 0, atol=1e-15)
    step = 1e-6 * sample.normals
    assert (mesh.signed_distance(sample.points + step) > 0).all()
    assert (mesh.signed_distance(sample.points - step) < 0).all()
    assert sample.weights.sum() == pytest.approx(14, rel=1e-13)
    share = np.mean((sample.points[:, 2] == 1.0) & (sample.points[:, 0] < 0.5))
    assert abs(share - 1 / 14) < 4 * math.sqrt(13 / 14**2 / n)


def test_divergence_theorem_for_polynomials(folder):
    for name in ("notched.ply", "notched.msh"):
        edge = Mesh(folder / name).boundary_quadrature("boundary", 3)
        x, y, z = edge.points.T
        flux = edge.weights @ (x**3 * y * edge.normals[:, 0] + y * z**3 * edge.normals[:, 2])
        # The integral of 3 x^2 y + 3 y z^2 over [0, 2] x [0, 1] and [0, 1] x [1, 2].
        exact = 3 * (8 / 3 * 1 / 2 + 1 / 3 * 3 / 2) + (2 * 1 / 2 + 1 * 3 / 2)
        assert flux == pytest.approx(exact, rel=1e-13)


def test_physical_groups_are_parts(folder):
    mesh = Mesh(folder / "notched.msh")
    assert mesh.resolve("boundary") == ("floor", "roof", "rest")
    assert (mesh.sample_boundary("roof", 20).points[:, 2] == 1).all()
    assert (mesh.sample_boundary("floor", 20).normals == [0, 0, -1]).all()
    assert mesh.boundary_measure("rest") == pytest.approx(8, rel=1e-14)
    rim = mesh.rim("roof")
    assert {tuple(p[:2]) for p in rim} == {tuple(p) for p in NOTCHED}


def test_conditions_on_a_mesh_are_soft(folder):
    mesh = Mesh(folder / "notched.msh")
    with pytest.raises(GeometryError, match="impose the condition softly"):
        Problem(mesh, Poisson(dimension=3), [Dirichlet("u", "roof", 0.0, hard=True)])
    conditions = [Dirichlet("u", "roof", 1.0), Neumann("u", "rest")]
    problem = Problem(mesh, Poisson(dimension=3), conditions)
    assert [s.where for s in problem.forms[0].soft] == ["roof", "rest"]
    with pytest.raises(EquationError, match="hard=True, but no trial function"):
        Problem(mesh, Poisson(dimension=3), [Neumann("u", "rest", hard=True)])


def test_what_a_mesh_does_not_have_is_refused(folder):
    mesh = Mesh(folder / "box.stl")
    assert mesh == Mesh(str(folder / "box.stl"))
    with pytest.raises(GeometryError, match="cannot be traced"):
        framework.grad(lambda X: mesh.signed_distance(X).sum())(np.zeros((2, 3)))
    with pytest.raises(GeometryError, match="no Gauss rule"):
        mesh.quadrature(2)
    with pytest.raises(GeometryError, match="no extension"):
        mesh._extension({"surface": sympy.Integer(1)}, sympy.symbols("x y z"))

import math

import meshio
import numpy as np
import pytest

import sciml.framework as framework
from sciml.equations import Dirichlet, Poisson
from sciml.framework.errors import GeometryError
from sciml.geometry import SAMPLERS, PlaneMesh, Polygon
from sciml.problem.problem import Problem

# A square of side 3 without the square of side 1 in its middle, in squares cut in two.
FRAME = Polygon(((0, 0), (3, 0), (3, 3), (0, 3)), (((1, 1), (1, 2), (2, 2), (2, 1)),))
CELLS = [(i, j) for i in range(3) for j in range(3) if (i, j) != (1, 1)]


def frame():
    points = np.array([(i, j, 0.0) for i in range(4) for j in range(4)], dtype=float)
    triangles = []
    for i, j in CELLS:
        a, b, c, d = 4 * i + j, 4 * i + j + 4, 4 * i + j + 5, 4 * i + j + 1
        triangles += [(a, b, c), (a, d, c)]  # the second one clockwise
    return points, np.array(triangles)


def write(path, points, triangles, lines=(), tags=(), names=None):
    cells = [("triangle", triangles)]
    physical = [np.full(len(triangles), 9)]
    if len(lines):
        cells.append(("line", np.array(lines)))
        physical.append(np.array(tags))
    meshio.Mesh(
        points, cells, field_data=names or {},
        cell_data={"gmsh:physical": physical,
                   "gmsh:geometrical": [np.ones(len(c), dtype=int) for _, c in cells]},
    ).write(path, file_format="gmsh22", binary=False)  # fmt: skip
    return PlaneMesh(path)


@pytest.fixture(scope="module")
def mesh(tmp_path_factory):
    path = tmp_path_factory.mktemp("plane") / "frame.msh"
    left = [(0, 1), (1, 2), (2, 3)]
    hole = [(5, 6), (6, 10), (10, 9), (9, 5)]
    names = {"inlet": np.array([1, 1]), "hole": np.array([2, 1]), "domain": np.array([9, 2])}
    return write(path, *frame(), left + hole, [1] * 3 + [2] * 4, names)


def test_sizes_and_groups(mesh):
    assert mesh.measure == pytest.approx(8, rel=1e-15)
    assert mesh.resolve("boundary") == ("inlet", "hole", "rest")
    assert mesh.boundary_measure("hole") == pytest.approx(4, rel=1e-15)
    assert mesh.boundary_measure() == pytest.approx(16, rel=1e-15)
    assert mesh.bounding_box == ((0, 0), (3, 3))
    inlet = mesh.sample_boundary("inlet", 20)
    assert (inlet.points[:, 0] == 0).all()
    assert (inlet.normals == [-1, 0]).all()
    assert {tuple(p) for p in mesh.rim("inlet").tolist()} == {(0, 0), (0, 3)}


def test_distance_is_that_of_the_polygon(mesh):
    X = np.random.default_rng(0).uniform(-1, 4, (500, 2))
    np.testing.assert_allclose(mesh.signed_distance(X), FRAME.signed_distance(X), atol=1e-15)
    gradient = framework.grad(lambda Y: mesh.signed_distance(Y).sum())(X)
    np.testing.assert_allclose(np.linalg.norm(gradient, axis=1), 1, atol=1e-9)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_points_are_inside_and_even(mesh, sampler):
    n = 4000
    X = mesh.sample_interior(n, sampler, seed=1)
    assert FRAME.contains(X).all()
    share = np.mean((X[:, 0] < 1.5) & (X[:, 1] < 1))
    exact = 1.5 / 8
    assert abs(share - exact) < 4 * math.sqrt(exact * (1 - exact) / n)


def test_divergence_theorem_and_moments(mesh):
    rule, edge = mesh.quadrature(3), mesh.boundary_quadrature("boundary", 3)
    x, y = rule.points.T
    exact = 3**4 / 4 * 3**3 / 3 - (2**4 - 1) / 4 * (2**3 - 1) / 3
    assert rule.weights @ (x**3 * y**2) == pytest.approx(exact, rel=1e-13)
    px, py = edge.points.T
    flux = edge.weights @ (px**4 * py * edge.normals[:, 0] / 4 + py**3 * edge.normals[:, 1])
    assert flux == pytest.approx(rule.weights @ (x**3 * y + 3 * y**2), rel=1e-13)


def test_parts_are_edges_where_no_group_is_named(tmp_path):
    plain = write(tmp_path / "plain.msh", *frame())
    assert plain.resolve("boundary") == ("edges",)
    assert len(plain.rim("edges")) == 1


def test_conditions_are_soft(mesh):
    with pytest.raises(GeometryError, match="impose the condition softly"):
        Problem(mesh, Poisson(), [Dirichlet("u", "inlet", 0.0, hard=True)])
    problem = Problem(mesh, Poisson(), [Dirichlet("u", "inlet", 0.0)])
    assert [s.where for s in problem.forms[0].soft] == ["inlet"]
    with pytest.raises(GeometryError, match="no extension"):
        mesh._extension({}, ())


def test_faults_are_told_with_their_place(tmp_path):
    points, triangles = frame()
    with pytest.raises(GeometryError, match="lie between z = 0"):
        write(tmp_path / "a.msh", points + [[0, 0, float(i == 0)] for i in range(16)], triangles)
    with pytest.raises(GeometryError, match=r"1 triangles have no area, the first is number 16"):
        write(tmp_path / "b.msh", points, np.concatenate([triangles, [(0, 1, 2)]]))
    with pytest.raises(GeometryError, match="lie on the same side of the edge"):
        write(tmp_path / "c.msh", points, np.concatenate([triangles, [(0, 4, 2)]]))
    spare = np.concatenate([points, [(0.5, 0.2, 0), (0.5, 5, 0), (0.6, 5, 0)]])
    with pytest.raises(GeometryError, match=r"cross; the mesh overlaps itself"):
        write(tmp_path / "d.msh", spare, np.concatenate([triangles, [(16, 17, 18)]]))
    spare[16:] = [(0.5, 0.1, 0), (0.9, 0.1, 0), (0.9, 0.2, 0)]
    with pytest.raises(GeometryError, match=r"the triangle 16 at the edge .* lies upon others"):
        write(tmp_path / "e.msh", spare, np.concatenate([triangles, [(16, 17, 18)]]))


@pytest.mark.parametrize(
    ("names", "tags", "message"),
    [
        ({"a": 1, "b": 2}, [1, 2], r"1 cells of the boundary .* one of them in \['a', 'b'\]"),
        ({"rest": 1}, [1, 1], "'rest' is the name of all of the boundary, or of what is in no"),
        ({"boundary": 1}, [1, 1], "'boundary' is the name"),
    ],
)
def test_groups_that_are_no_parts_are_refused(tmp_path, names, tags, message):
    data = {name: np.array([tag, 1]) for name, tag in names.items()}
    with pytest.raises(GeometryError, match=message):
        write(tmp_path / "a.msh", *frame(), [(0, 1), (1, 0)], tags, data)


def test_a_line_given_twice_counts_once(tmp_path):
    data = {"inlet": np.array([1, 1])}
    mesh = write(tmp_path / "a.msh", *frame(), [(0, 1), (1, 0)], [1, 1], data)
    assert mesh.boundary_measure("inlet") == 1
    assert mesh.boundary_measure() == pytest.approx(16, rel=1e-15)

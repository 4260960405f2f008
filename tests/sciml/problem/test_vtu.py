"""VTK files, read back by meshio."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import meshio
import numpy as np
import pytest

from sciml import MLP, Problem
from sciml.equations import Diffusion, Initial, Poisson
from sciml.framework.errors import EquationError, OutputError
from sciml.geometry import Ball, Box, Disk, Interval, Rectangle
from sciml.problem.solution import Solution
from sciml.problem.vtu import Cells, vtu


def untrained(problem: Problem) -> Solution:
    trial = problem.trial(MLP(hidden=(4,)))
    return trial.solution(trial.initialise(0))


@pytest.mark.parametrize(
    ("box", "kind", "measure"),
    [
        (((0.0,), (3.0,)), "line", 3.0),
        (((0.0, 1.0), (2.0, 2.0)), "quad", 2.0),
        (((0.0, 0.0, 0.0), (1.0, 2.0, 3.0)), "hexahedron", 6.0),
    ],
)
def test_cells_fill_a_box_and_values_keep_their_bits(
    tmp_path: Path, box: tuple[tuple[float, ...], tuple[float, ...]], kind: str, measure: float
) -> None:
    cells = Cells.inside(box, 7, lambda X: np.ones(len(X), dtype=bool))
    values = np.sin(cells.points.sum(axis=1))
    (tmp_path / "f.vtu").write_bytes(vtu(cells, {"M_x": values}))
    mesh = meshio.read(tmp_path / "f.vtu")
    d = cells.points.shape[1]
    np.testing.assert_array_equal(mesh.points[:, :d], cells.points)
    assert not mesh.points[:, d:].any()
    assert mesh.point_data["M_x"].tobytes() == values.tobytes()
    (block,) = mesh.cells
    assert block.type == kind
    P = mesh.points[block.data]
    along = [P[:, i] - P[:, 0] for i in (1, 3, 4)[:d]]  # the edges at the first corner, in order
    volumes = np.prod([np.linalg.norm(edge, axis=1) for edge in along], axis=0)
    assert volumes.sum() == pytest.approx(measure, rel=1e-12)
    for edge, i in zip(along, range(3), strict=False):
        assert (edge[:, i] > 0.0).all()


def test_cells_outside_are_left_out() -> None:
    disk = Disk()
    cells = Cells.inside(disk.bounding_box, 201, disk.contains)
    assert (np.linalg.norm(cells.points, axis=1) <= 1.0 + 1e-12).all()
    area = len(cells.corners) * (2 / 200) ** 2
    assert np.pi - 8 * 2**0.5 * 0.01 < area < np.pi


def test_a_solution_is_written_with_all_its_quantities(tmp_path: Path) -> None:
    solution = untrained(Problem(Rectangle((0, 0), (2, 1)), Poisson(), []))
    (path,) = solution.to_vtk(tmp_path / "u.vtu", size=5)
    mesh = meshio.read(path)
    assert set(mesh.point_data) == set(solution.names)
    x, y = mesh.points[:, 0], mesh.points[:, 1]
    np.testing.assert_allclose(mesh.point_data["u"], solution["u"](x, y), rtol=0, atol=1e-15)


def test_time_is_a_film(tmp_path: Path) -> None:
    heat = Problem(Interval(0, 1).over_time(0.5), Diffusion(dimension=1), [Initial("u", "x")])
    solution = untrained(heat)
    index, *frames = solution.to_vtk(tmp_path / "u.pvd", size=11, times=3)
    sets = ElementTree.parse(index).getroot().findall("Collection/DataSet")
    assert [(s.get("file"), float(s.get("timestep", ""))) for s in sets] == [
        ("u-000.vtu", 0.0), ("u-001.vtu", 0.25), ("u-002.vtu", 0.5)
    ]  # fmt: skip
    mesh = meshio.read(frames[1])
    expected = solution["u"](mesh.points[:, 0], 0.25)
    np.testing.assert_allclose(mesh.point_data["u"], expected, rtol=0, atol=1e-15)


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    plane = untrained(Problem(Rectangle(), Poisson(), []))
    with pytest.raises(EquationError, match=r"without time is written to .* ends in \.vtu"):
        plane.to_vtk(tmp_path / "u.pvd")
    with pytest.raises(EquationError, match="size and times must be 2 or more"):
        plane.to_vtk(tmp_path / "u.vtu", size=1)
    with pytest.raises(OutputError, match="cannot be written"):
        plane.to_vtk(tmp_path / "none" / "u.vtu", size=3)
    ball = untrained(Problem(Ball(), Poisson(dimension=3), []))
    with pytest.raises(EquationError, match="no cell of a grid of size 2"):
        ball.to_vtk(tmp_path / "u.vtu", size=2)
    box = untrained(Problem(Box(), Poisson(dimension=3), []))
    assert len(meshio.read(box.to_vtk(tmp_path / "b.vtu", size=3)[0]).cells[0].data) == 8

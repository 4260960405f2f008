"""Solutions as moving pictures, as xarray and in notebooks."""

from __future__ import annotations

import base64
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from sciml import MLP, Problem
from sciml.equations import Diffusion, Initial, Poisson
from sciml.framework.errors import EquationError, MissingPackageError
from sciml.geometry import Disk, Interval, Rectangle
from sciml.problem.solution import Solution


def untrained(problem: Problem) -> Solution:
    trial = problem.trial(MLP(hidden=(4,)))
    return trial.solution(trial.initialise(0))


LINE = Problem(Interval(0, 1).over_time(0.5), Diffusion(dimension=1), [Initial("u", "x")])
PLANE = Problem(Disk().over_time(0.5), Diffusion(dimension=2), [Initial("u", "x")])


def test_a_line_moves_between_fixed_axes(tmp_path: Path) -> None:
    solution = untrained(LINE)
    film = solution.animate("u", times=3, size=11)
    film.save(tmp_path / "u.gif", writer="pillow")
    with Image.open(tmp_path / "u.gif") as picture:
        assert picture.n_frames == 3
    (axes,) = film._fig.axes  # as the last picture left it
    x, drawn = axes.lines[0].get_data()
    np.testing.assert_allclose(drawn, solution["u"](x, 0.5), rtol=0, atol=1e-15)
    low, high = axes.get_ylim()
    values = solution["u"](np.linspace(0, 1, 11)[:, None], [0.0, 0.25, 0.5])
    assert low < values.min() < values.max() < high
    assert axes.get_title() == "u at $t$ = 0.5"


def test_a_plane_keeps_its_colours(tmp_path: Path) -> None:
    solution = untrained(PLANE)
    film = solution.animate("u", times=2, size=11)
    film.save(tmp_path / "u.gif", writer="pillow")
    mesh = film._fig.axes[0].collections[0]
    drawn = mesh.get_array().compressed()
    x = np.linspace(-1, 1, 11)
    X, Y = np.meshgrid(x, x)
    inside = X**2 + Y**2 <= 1.0 + 1e-12
    first, last = (solution["u"](X[inside], Y[inside], t) for t in (0.0, 0.5))
    np.testing.assert_allclose(drawn, last, rtol=0, atol=1e-14)
    expected = min(first.min(), last.min()), max(first.max(), last.max())
    np.testing.assert_allclose(mesh.get_clim(), expected, rtol=1e-13)


def test_without_time_nothing_moves() -> None:
    with pytest.raises(EquationError, match="animate: needs a coordinate t"):
        untrained(Problem(Rectangle(), Poisson(), [])).animate("u")
    with pytest.raises(EquationError, match="animate: needs a coordinate t"):
        untrained(LINE).animate("u", at={"t": 0.1})


def test_a_dataset_has_units_and_nothing_outside() -> None:
    pytest.importorskip("xarray")
    solution = untrained(PLANE)
    found = solution.to_xarray(size=5)
    assert found["u"].dims == ("x", "y", "t")
    assert found["x"].attrs["units"] == "m"
    np.testing.assert_array_equal(found["t"], np.linspace(0.0, 0.5, 5))
    assert set(found.data_vars) == set(solution.names)
    value = float(found["u"].sel(x=0.5, y=-0.5, t=0.25))
    assert value == pytest.approx(float(solution["u"](0.5, -0.5, 0.25)), rel=1e-14)
    assert int(np.isnan(found["u"].isel(t=0)).sum()) == 25 - 13
    with pytest.raises(EquationError, match="to_xarray: 1000 points along each of x, y, t"):
        solution.to_xarray(1000)


def test_without_xarray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(MissingPackageError, match=r"sciml\[xarray\]"):
        untrained(LINE).to_xarray()


def test_a_notebook_shows_table_and_picture() -> None:
    shown = untrained(LINE)._repr_html_()
    assert shown.startswith("<table>")
    found = re.search(r'<img alt="u" src="data:image/png;base64,([^"]+)">', shown)
    assert found is not None
    assert base64.b64decode(found[1]).startswith(b"\x89PNG")

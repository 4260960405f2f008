"""Slices through domains of more coordinates than a picture has."""

from __future__ import annotations

import numpy as np
import pytest

from sciml import MLP, Problem
from sciml.equations import Diffusion, Initial
from sciml.framework.errors import EquationError
from sciml.geometry import Ball
from sciml.problem.slices import slice_of

BOX = ((0.0, -1.0, 0.0), (1.0, 1.0, 5.0))


def test_the_rest_stands_in_the_middle_and_time_at_its_end() -> None:
    found = slice_of("xyt", BOX, {})
    assert (found.drawn, found.fixed[2]) == ((0, 1), 5.0)
    np.testing.assert_array_equal(found.lift(np.array([[0.2, 0.3]])), [[0.2, 0.3, 5.0]])
    assert found.box(BOX) == ([0.0, -1.0], [1.0, 1.0])
    line = slice_of("xyt", BOX, {"x": 0.5, "t": 2.0})
    np.testing.assert_array_equal(line.lift(np.array([[0.3]])), [[0.5, 0.3, 2.0]])
    assert slice_of("xyz", BOX, {}).fixed[2] == 2.5


@pytest.mark.parametrize(
    ("at", "reason"),
    [
        ({"z": 0.0}, "no coordinate 'z'; these are x, y, t"),
        ({"t": 6.0}, "t = 6 lies outside 0 to 5"),
        ({"x": 0.5, "y": 0.0, "t": 1.0}, "every coordinate has a value"),
    ],
)
def test_slices_that_cannot_be_are_refused(at: dict[str, float], reason: str) -> None:
    with pytest.raises(EquationError, match=reason):
        slice_of("xyt", BOX, at)


def test_a_solution_is_drawn_and_compared_inside_its_domain() -> None:
    cooling = Problem(
        Ball().over_time(0.5), Diffusion(source=0.0, dimension=3), [Initial("u", "x + z")]
    )
    trial = cooling.trial(MLP(hidden=(4,)))
    solution = trial.solution(trial.initialise(0))
    (axes, _) = solution.plot("u", at={"t": 0.0}, size=31).axes
    assert axes.get_title() == "Diffusion: $u$ at $z$ = 0, $t$ = 0"
    drawn = axes.collections[0].get_array()
    x = np.linspace(-1, 1, 31)
    X, Y = np.meshgrid(x, x)
    np.testing.assert_allclose(drawn.filled(np.nan)[X**2 + Y**2 < 0.99],
                               X[X**2 + Y**2 < 0.99], atol=1e-12)  # fmt: skip
    assert np.ma.getmaskarray(drawn)[0, 0]
    line = solution.plot("u", at={"y": 0.0, "z": 0.0, "t": 0.0}).axes[0].lines[0]
    np.testing.assert_allclose(line.get_ydata(), line.get_xdata(), atol=1e-12)
    X = solution.points(20)
    assert cooling.geometry.contains(X).all()
    assert len(X) > 100

"""Windows in time: problems of parts of the time, and their trial spaces as one."""

from __future__ import annotations

import numpy as np
import pytest

from sciml import MLP, Problem
from sciml.equations import Diffusion, Dirichlet, Initial, PointValue, Wave
from sciml.framework.errors import EquationError
from sciml.geometry import Interval
from sciml.problem.windows import WindowedTrial, space_time, window

SPACE = Interval(0, 1).over_time(2.0)
SIDES = Dirichlet("u", "sides")
PROBLEM = Problem(SPACE, Wave(speed=1.0), [Initial("u", "sin(pi*x)", rate=0), SIDES])


def test_a_window_takes_over_the_field_and_its_rate() -> None:
    first = window(PROBLEM, 0.0, 0.5, None)
    trial = first.trial(MLP(hidden=(6,)))
    before = trial.solution(trial.initialise(3, np.float64))
    second = window(PROBLEM, 0.5, 2.0, before)
    assert (space_time(second).start, space_time(second).end) == (0.5, 2.0)
    start = next(c for c in second.conditions if isinstance(c, Initial))
    assert not start.hard
    x = np.linspace(0.1, 0.9, 5)[:, None]
    h = 1e-5
    at = {t: before["u"](x[:, 0], 0 * x[:, 0] + 0.5 + t) for t in (0.0, -h, -2 * h)}
    np.testing.assert_allclose(start.value({}, x), at[0.0], atol=1e-14)  # type: ignore[operator]
    slope = (3 * at[0.0] - 4 * at[-h] + at[-2 * h]) / (2 * h)
    np.testing.assert_allclose(start.rate({}, x), slope, atol=1e-8)  # type: ignore[operator]


def test_each_point_belongs_to_the_window_it_lies_in() -> None:
    parts = [window(PROBLEM, a, b, None) for a, b in ((0.0, 0.5), (0.5, 2.0))]
    trials = [p.trial(MLP(hidden=(6,))) for p in parts]
    parameters = [t.initialise(k, np.float64) for k, t in enumerate(trials)]
    both = WindowedTrial(PROBLEM, trials)
    assert both.edges.tolist() == [0.5]
    X = np.array([[0.3, 0.1], [0.3, 0.5], [0.3, 0.6], [0.7, 2.0]])
    got = both.evaluate(parameters, ["u"], X)["u"]
    expected = [t.evaluate(p, ["u"], X)["u"] for t, p in zip(trials, parameters, strict=True)]
    assert got.tolist() == [*expected[0][:2], *expected[1][2:]]
    assert both.units == trials[0].units
    assert both.solution(parameters)["u"](0.3, 0.6) == pytest.approx(expected[1][2], rel=1e-14)


@pytest.mark.parametrize(
    ("conditions", "message"),
    [
        ([SIDES], "need an Initial condition"),
        ([Initial("u", "0"), SIDES, Dirichlet("u", "final")], "Dirichlet on final is neither"),
        ([Initial("u", "0"), SIDES, PointValue("u", (0.5, 0.5), 1.0)], "PointValue on"),
    ],
)
def test_conditions_elsewhere_are_refused(conditions: list, message: str) -> None:
    with pytest.raises(EquationError, match=message):
        space_time(Problem(SPACE, Diffusion(), conditions))

"""Solutions to a tolerance against closed forms, honest failures, and how a search goes on."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from sciml import Attempt, Problem, solve
from sciml.automatic.search import _Search
from sciml.equations import (
    Burgers,
    CustomPDE,
    Data,
    Diffusion,
    Dirichlet,
    Initial,
    KirchhoffPlate,
    Poisson,
    SimplySupported,
    UnknownParameter,
)
from sciml.equations.exact.sine_plate import SinePlate
from sciml.framework.errors import ConfigError, ConvergenceWarning, ProblemWarning
from sciml.geometry import Disk, Interval, Rectangle

DISC = Problem(Disk((0, 0), 1.0), Poisson(source="exp(x)"), [Dirichlet("u", "circle", "-exp(x)")])


def test_a_disc_with_the_estimate_above_the_error() -> None:
    seen: list[Attempt] = []
    solution = solve(DISC, tolerance=1e-8, on_attempt=seen.append)
    X = DISC.geometry.sample_interior(200, "random", 5)
    exact = -np.exp(X[:, 0])
    error = np.linalg.norm(solution["u"](*X.T) - exact) / np.linalg.norm(exact)
    report = solution.report
    assert report is not None
    assert report.reached
    assert error <= report.errors["u"] <= 1e-8
    assert tuple(seen) == report.attempts
    assert report.best == len(seen) - 1
    assert math.isinf(seen[0].error)


def test_derived_quantities_of_a_plate_have_estimates() -> None:
    plate = KirchhoffPlate(rigidity=1.0, poisson_ratio=0.3, load="sin(pi*x)*sin(pi*y)")
    problem = Problem(Rectangle(), plate, [SimplySupported("edges")])
    solution = solve(problem, tolerance=1e-5)
    errors = solution.errors(SinePlate())
    assert solution.report is not None
    for name in ("w", "M_x", "Q_x"):
        assert errors[name].relative_l2 <= solution.report.errors[name]


def test_a_nonlinear_problem() -> None:
    wave = "sin(pi*x)*sin(pi*y)"
    pde = CustomPDE(
        {"balance": f"-u__x__x - u__y__y + u**3 - 2*pi**2*{wave} - ({wave})**3"},
        over="x y", unknowns="u",
    )  # fmt: skip
    problem = Problem(Rectangle(), pde, [Dirichlet("u", "edges")])
    solution = solve(problem, tolerance=1e-5)
    x, y = np.random.default_rng(0).uniform(0, 1, (2, 100))
    exact = np.sin(np.pi * x) * np.sin(np.pi * y)
    assert np.linalg.norm(solution["u"](x, y) - exact) <= 1e-5 * np.linalg.norm(exact)


def test_an_evolution() -> None:
    cooling = [Initial("u", "sin(pi*x)"), Dirichlet("u", "sides")]
    problem = Problem(Interval(0, 1).over_time(0.3), Diffusion(), cooling)
    solution = solve(problem, tolerance=1e-6)
    x, t = np.random.default_rng(0).uniform(0, 1, (2, 100)) * [[1], [0.3]]
    exact = np.exp(-(np.pi**2) * t) * np.sin(np.pi * x)
    assert np.linalg.norm(solution["u"](x, t) - exact) <= 1e-6 * np.linalg.norm(exact)


def test_not_reached_is_said_and_the_best_is_returned() -> None:
    with pytest.warns(ConvergenceWarning, match=r"tolerance 1e-15 not reached"):
        solution = solve(DISC, tolerance=1e-15, max_minutes=0.02)
    report = solution.report
    assert report is not None
    assert not report.reached
    assert report.attempts[report.best].error == min(a.error for a in report.attempts)


@pytest.mark.parametrize(
    ("history", "left"),
    [
        ([(8, 0.05), (12, 0.04)], False),  # too early to tell
        ([(8, 0.05), (12, 0.04), (17, 0.03)], True),
        ([(8, 0.05), (12, 0.04), (17, 0.05)], True),
        ([(8, 2.0), (12, 0.5), (17, 3.0)], False),  # not resolved yet
        ([(8, 1e-2), (12, 1e-4), (17, 1e-6)], False),  # 4 (50 - 17) / 5 powers of e more
    ],
)
def test_a_method_is_left_where_its_errors_would_end_above_the_tolerance(
    history: list[tuple[float, float]], left: bool
) -> None:
    found = _Search(DISC, 1e-12, math.inf, 0, None)
    assert found.hopeless(history, finest=50.0) is left


@pytest.mark.parametrize(
    "change", [{"tolerance": 0.0}, {"tolerance": 1.0}, {"max_minutes": 0.0}, {"seed": -1}]
)
def test_numbers_out_of_range(change: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="solve: expected a tolerance"):
        solve(DISC, **change)
    with pytest.raises(ConfigError, match="expected a Problem, got str"):
        solve("plate")  # type: ignore[arg-type]


def test_an_unknown_number_from_exact_data() -> None:
    """-k u'' = pi^2 sin(pi x) with values of u = sin(pi x) / 2, so k = 2."""
    x = np.linspace(0.05, 0.95, 19)
    pde = Poisson(
        source="pi^2*sin(pi*x)", coefficient=UnknownParameter(1.0, (0.1, None)), dimension=1
    )
    data = Data("u", x[:, None], np.sin(np.pi * x) / 2)
    problem = Problem(Interval(0, 1), pde, [Dirichlet("u", "boundary"), data])
    solution = solve(problem, tolerance=1e-8)
    assert solution.identified["k"] == pytest.approx(2.0, rel=1e-8)
    assert solution.report is not None
    assert solution.report.errors["k"] <= 1e-8


def test_nothing_is_claimed_where_the_residual_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shock that few polynomials cannot hold: two of them agree by chance, both far off."""
    conditions = [Initial("u", "-sin(pi*x)"), Dirichlet("u", "sides")]
    problem = Problem(Interval(-1, 1).over_time(1.0), Burgers(0.01 / math.pi), conditions)
    monkeypatch.setattr(_Search, "_time_for", lambda self, _: len(self.attempts) < 2)
    with pytest.warns(ConvergenceWarning, match="tolerance 9e-01 not reached"):
        report = solve(problem, tolerance=0.9).report
    assert report is not None
    assert all(attempt.residual > 0.1 for attempt in report.attempts)
    assert [attempt.error for attempt in report.attempts] == [math.inf] * 2
    assert not report.errors
    assert "estimated relative errors: unknown" in str(report)
    least = min(attempt.residual for attempt in report.attempts)
    assert report.attempts[report.best].residual == least


def test_missing_conditions_are_told_before_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem(Interval(0, 1), Poisson(source="1", dimension=1), [Dirichlet("u", "left")])
    monkeypatch.setattr(_Search, "_time_for", lambda self, _: False)
    with (
        pytest.warns(ConvergenceWarning),
        pytest.warns(ProblemWarning, match=r"missing are: right \(1\). The solution is not unique"),
    ):
        solve(problem)

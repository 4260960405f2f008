"""Marching in time against closed forms, and what is refused."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
import pytest

from sciml import GaussNewton, Points, Problem, Solver, SpectralFeatures, march
from sciml.equations import Diffusion, Dirichlet, Initial, Poisson, Wave
from sciml.framework.errors import ConfigError, ConvergenceWarning, EquationError
from sciml.geometry import Interval, Rectangle
from sciml.training.events import Event, Moment

WAVE = Problem(
    Interval(0, 1).over_time(2.0),
    Wave(speed=1.0),
    [Initial("u", "sin(pi*x)", rate="pi*sin(2*pi*x)"), Dirichlet("u", "sides", hard=False)],
)
NETWORK = SpectralFeatures(degrees=(16, 12))


def solver(problem: Problem = WAVE, network: SpectralFeatures = NETWORK) -> Solver:
    return Solver(problem, network, [GaussNewton()], Points(600, 60), dtype="float64")


def test_a_wave_is_handed_over_with_its_rate() -> None:
    solution = march(solver(), windows=4)
    x, t = np.random.default_rng(0).uniform(0, 1, (2, 200)) * [[1], [2]]
    exact = (
        np.sin(np.pi * x) * np.cos(np.pi * t) + np.sin(2 * np.pi * x) * np.sin(2 * np.pi * t) / 2
    )
    np.testing.assert_allclose(solution["u"](x, t), exact, atol=1e-7)
    residual = solution.residual()
    assert len(residual) >= 4
    assert all(size < 1e-5 for size in residual.values())


def test_windows_of_given_ends_and_their_events() -> None:
    seen: list[Event] = []
    solution = march(solver(), windows=(0.5, 2.0), on_step=lambda e: bool(seen.append(e)))
    assert [e.moment for e in seen].count(Moment.START) == 2
    edge = 0.5
    below, above = (solution["u"](0.3, t) for t in (edge, np.nextafter(edge, 1)))
    assert abs(below - above) < 1e-4


def test_a_start_that_is_exact_stays_in_the_first_window() -> None:
    cooling = [Initial("u", "sin(pi*x)"), Dirichlet("u", "sides")]
    problem = Problem(Interval(0, 1).over_time(0.4), Diffusion(), cooling)
    solution = march(solver(problem, SpectralFeatures(degrees=(10, 8))), windows=2)
    x = np.linspace(0, 1, 7)
    np.testing.assert_allclose(solution["u"](x, 0 * x), np.sin(np.pi * x), atol=1e-15)
    for t in (0.1, 0.2, 0.4):
        exact = np.exp(-(np.pi**2) * t) * np.sin(np.pi * x)
        np.testing.assert_allclose(solution["u"](x, 0 * x + t), exact, atol=1e-6)


def test_a_window_that_fails_is_named() -> None:
    poor = SpectralFeatures(degrees=(2, 1))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        march(solver(network=poor), windows=2)
    told = [str(w.message) for w in caught if w.category is ConvergenceWarning]
    assert any(text.startswith("window 1, 0 to 1: not converged") for text in told)


@pytest.mark.parametrize(
    ("windows", "message"),
    [
        (0, "windows must be 1 or more"),
        ((1.0, 0.5, 2.0), "rising times that end with 2"),
        ((0.5, 1.0), "rising times that end with 2"),
        ((), "rising times"),
    ],
)
def test_windows_that_mean_nothing(windows: int | Sequence[float], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        march(solver(), windows)


def test_what_does_not_evolve_is_refused() -> None:
    problem = Problem(Rectangle(), Poisson("1"), [Dirichlet("u", "edges")])
    with pytest.raises(EquationError, match="windows in time need a shape over time"):
        march(solver(problem), 2)

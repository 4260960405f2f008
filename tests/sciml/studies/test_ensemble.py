"""Spreads between trainings against statistics of the single ones, and against regression."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sciml import LBFGS, MLP, GaussNewton, Points, Problem, Solver, SpectralFeatures
from sciml.equations import CustomPDE, Data, Dirichlet, Poisson, UnknownParameter
from sciml.framework.errors import ConfigError
from sciml.geometry import Interval
from sciml.problem.solution import Solution
from sciml.studies.ensemble import Ensemble, ensemble
from sciml.studies.laplace import laplace

X = np.linspace(0.0, 1.0, 11)


def small(seed: int = 0) -> Solver[Solution]:
    problem = Problem(Interval(0, 1), Poisson(1, dimension=1), [Dirichlet("u", "boundary")])
    schedule = [LBFGS(20)]
    return Solver(problem, MLP(hidden=(3,)), schedule, Points(20, 1), seed=seed, dtype="float64")


def test_mean_and_deviation_are_those_of_the_members() -> None:
    members = ensemble(small(), (1, 5, 2))
    singles = np.stack([small(seed).solve()["u"](X) for seed in (1, 5, 2)])
    np.testing.assert_array_equal(members["u"](X), singles.mean(axis=0))
    np.testing.assert_array_equal(members["u"].standard_deviation(X), singles.std(axis=0, ddof=1))
    assert members.names == ["u", "flux_x"]
    assert members.identified == {}


def test_a_bootstrap_agrees_with_the_standard_error() -> None:
    """-u'' = f x with unknown f: 12 sets of noise against the linear theory, within chi^2."""
    x = np.linspace(0.1, 0.9, 15)
    pde = CustomPDE({"r": "u__x__x + f*x"}, "x", "u", {"f": UnknownParameter(1.0)})
    edge = [Dirichlet("u", "left"), Dirichlet("u", "right")]
    exact, sigma = 2.0 * x * (1 - x**2) / 6, 0.01

    def noisy(solver: Solver[Solution], seed: int) -> Solver[Solution]:
        values = exact + sigma * np.random.default_rng(seed).normal(size=15)
        conditions = [*edge, Data("u", x[:, None], values)]
        return replace(solver, problem=Problem(Interval(0, 1), pde, conditions))

    first = Problem(Interval(0, 1), pde, [*edge, Data("u", x[:, None], exact)])
    solver = Solver(
        first, SpectralFeatures(degrees=3), [GaussNewton()], Points(20, 1), {"r": 1e4},
        dtype="float64",
    )  # fmt: skip
    repeated = ensemble(solver, range(12), noisy).identified["f"]
    stated = laplace(solver, solver.solve(), noise=sigma).identified["f"]
    closed = sigma / np.linalg.norm(x * (1 - x**2) / 6)
    assert stated.standard_error == pytest.approx(closed, rel=1e-3)
    # 11 (s / sigma)^2 is chi^2(11): its 0.5 and 99.5 per cent points are 2.603 and 26.757.
    assert 2.603 < 11 * (repeated.standard_error / closed) ** 2 < 26.757
    assert abs(repeated.value - 2.0) < 3 * closed / np.sqrt(12)


@pytest.mark.parametrize("seeds", [(), (3,), (1, 2, 1)])
def test_seeds_must_be_several_and_differ(seeds: tuple[int, ...]) -> None:
    with pytest.raises(ConfigError, match="two seeds or more, all different"):
        ensemble(small(), seeds)


def test_members_must_have_the_same_quantities() -> None:
    one = small().solve()
    with pytest.raises(ConfigError, match="two members or more, got 1"):
        Ensemble((one,))
    pde = CustomPDE({"r": "v__x__x + 1"}, "x", "v")
    other = replace(small(), problem=Problem(Interval(0, 1), pde, [Dirichlet("v", "boundary")]))
    with pytest.raises(ConfigError, match="the same quantities, got"):
        Ensemble((one, other.solve()))

"""Which points each stage chooses, and solutions that are trained on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy

from sciml import LBFGS, MLP, R3, RAD, RARD, Adam, Fresh, Importance, Points, Problem, Solver
from sciml.equations import Data, Dirichlet, Poisson, Robin
from sciml.framework.errors import ConfigError, NonFiniteError, ParseError
from sciml.geometry import Interval, Rectangle
from sciml.training.resampling import Arrays, Cloud

RANDOM = np.random.default_rng(5)


def cloud(n: int, size: Any = lambda x: x) -> Cloud:
    """Points of (0, 1), with their squares as what belongs to them and a residual known."""

    def draw(count: int, seed: int, sampler: str) -> Arrays:
        x = np.random.default_rng(seed).random(count)
        return x[:, None], x**2

    return Cloud(draw(n, 0, "random"), draw, lambda arrays: size(arrays[0][:, 0]), ("x",))


def means(arrays: Arrays) -> float:
    """Return the mean of the points, whose further arrays must still belong to them."""
    np.testing.assert_array_equal(arrays[0][:, 0] ** 2, arrays[1])
    return float(arrays[0].mean())


def test_rad_follows_the_residual_and_keeps_the_count() -> None:
    """For |r| = x the density is x + 1/2, with the mean 7/12; of n draws, 0.28/sqrt(n)."""
    found = RAD(candidates=60).choose(cloud(2000), RANDOM)
    assert len(found[0]) == 2000
    assert means(found) == pytest.approx(7 / 12, abs=0.022)
    sharp = RAD(k=2, c=0, candidates=60).choose(cloud(2000), RANDOM)
    assert means(sharp) == pytest.approx(3 / 4, abs=0.022)


def test_rad_without_a_residual_is_even() -> None:
    assert means(RAD().choose(cloud(500, np.zeros_like), RANDOM)) == pytest.approx(0.5, abs=0.06)


def test_rard_adds_points_and_keeps_the_old_ones() -> None:
    start = cloud(1000)
    found = RARD(added=0.5, candidates=60).choose(start, RANDOM)
    assert len(found[0]) == 1500
    np.testing.assert_array_equal(found[0][:1000], start.arrays[0])
    assert means(tuple(a[1000:] for a in found)) == pytest.approx(3 / 4, abs=0.04)
    assert len(RARD(added=1e-9).choose(start, RANDOM)[0]) == 1001


def test_r3_retains_what_is_above_the_mean() -> None:
    start = cloud(1000)
    x = start.arrays[0][:, 0]
    found = R3().choose(start, RANDOM)
    kept = x[x > x.mean()]
    assert len(found[0]) == 1000
    np.testing.assert_array_equal(found[0][: len(kept), 0], kept)
    assert not np.isin(found[0][len(kept) :], start.arrays[0]).any()


def test_r3_keeps_points_with_equal_residuals() -> None:
    """The rounded mean of equal numbers may lie below each of them."""
    start = cloud(777, lambda x: np.full_like(x, 0.1))
    assert (start.size(start.arrays) > start.size(start.arrays).mean()).all()
    np.testing.assert_array_equal(R3().choose(start, RANDOM)[0], start.arrays[0])


def test_powers_of_large_residuals_do_not_overflow() -> None:
    found = RAD(k=60, candidates=60).choose(cloud(50, lambda x: 1e9 * (1 + x)), RANDOM)
    assert len(found[0]) == 50
    assert np.isfinite(found[0]).all()


def test_importance_follows_a_density_and_fresh_points_do_not() -> None:
    found = Importance("2*x", candidates=60).choose(cloud(2000), RANDOM)
    assert means(found) == pytest.approx(2 / 3, abs=0.022)
    start = cloud(400)
    fresh = Fresh().choose(start, RANDOM)
    assert len(fresh[0]) == 400
    assert not np.isin(fresh[0], start.arrays[0]).any()


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: RAD(k=-1), "k >= 0"),
        (lambda: RAD(candidates=1), "candidates >= 2"),
        (lambda: RARD(added=0), "added > 0"),
        (lambda: Importance("1", candidates=0), "candidates >= 2"),
        (lambda: Fresh("sobl"), "a sampler of .*sobol"),
        (lambda: prepared([Adam(9), RAD(constraints=("a",)), Adam(9)]), "'a' is no constraint"),
        (lambda: Importance("x - 1").choose(cloud(9), RANDOM), "at least 0 at every point"),
        (lambda: Importance("0").choose(cloud(9), RANDOM), "positive at 0 of 90 candidates"),
        (lambda: Solver(PROBLEM, schedule=[Adam(2), RAD()]), "must end with an optimiser"),
        (lambda: Solver(PROBLEM, schedule=[]), "must end with an optimiser"),
    ],
)
def test_settings_that_mean_nothing_are_refused(make: Any, reason: str) -> None:
    with pytest.raises(ConfigError, match=reason):
        make()


DATA = Data("u", [(0.5, 0.5)], [0.0])
PROBLEM = Problem(Rectangle(), Poisson(), [Dirichlet("u", "edges", hard=False), DATA])


def prepared(schedule: Any, problem: Any = PROBLEM) -> Any:
    return Solver(problem, MLP(hidden=(6,)), schedule, Points(30, 20), dtype="float64").prepare()


def test_points_of_named_constraints_move_and_given_ones_never() -> None:
    training = prepared([RAD(constraints=("poisson",)), Adam(1)])
    before = {c.name: c.arrays for c in training.session.constraints}
    training.move(training.solver.schedule[0], training.start)
    after = {c.name: c.arrays for c in training.session.constraints}
    changed = [name for name in before if not np.array_equal(before[name][0], after[name][0])]
    assert changed == ["poisson"]
    everything = prepared([Fresh(), Adam(1)])
    everything.move(Fresh(), everything.start)
    moved = {c.name: c.arrays[0] for c in everything.session.constraints}
    np.testing.assert_array_equal(moved["data: u"], before["data: u"][0])
    assert PROBLEM.geometry.contains(moved["poisson"]).all()
    assert np.abs(PROBLEM.geometry.signed_distance(moved["edges: u"])).max() < 1e-15
    with pytest.raises(ConfigError, match=r"'data: u' is no constraint whose points may move"):
        training.move(Fresh(constraints=("data: u",)), training.start)


def test_normals_move_with_their_points() -> None:
    problem = Problem(Rectangle(), Poisson(), [Robin("u", "edges", hard=False)])
    training = prepared([RAD(), Adam(1)], problem)
    training.move(RAD(), training.start)
    X, *normals = training.session.constraints[1].arrays
    out = X + 1e-3 * np.stack(normals, axis=1)
    assert (problem.geometry.signed_distance(out) > 0).all()


@pytest.mark.parametrize("stage", [RAD(), RARD(), R3(), Fresh(), Importance("1 + x")])
def test_in_single_precision_points_stay_so(stage: Any) -> None:
    solver = Solver(PROBLEM, MLP(hidden=(6,)), [stage, Adam(1)], Points(30, 20), dtype="float32")
    training = solver.prepare()
    moved = training.move(stage, training.start)
    assert {a.dtype for group in moved for a in group} == {np.dtype("float32")}


def test_a_density_of_other_names_is_refused_before_training() -> None:
    with pytest.raises(ParseError, match="unknown name 'z'"):
        prepared([Adam(1), Importance("1 + z"), Adam(1)])


def test_a_residual_that_is_no_number_is_said_with_its_place() -> None:
    problem = Problem(Interval(-1, 1), Poisson("sqrt(x)", 1, 1), [Dirichlet("u", "boundary")])
    training = prepared([RAD(), Adam(1)], problem)
    with np.errstate(invalid="ignore"), pytest.raises(NonFiniteError, match=r"no number at \(-0"):
        training.move(RAD(), training.start)


@pytest.mark.filterwarnings("ignore::sciml.framework.errors.ConvergenceWarning")
def test_a_layer_is_solved_better_where_points_go_to_it() -> None:
    """-u'' = f with u = tanh(60 x): 24 even points hardly see the layer, added ones do."""
    x = sympy.Symbol("x")
    exact = sympy.tanh(60 * x)
    ends = [Dirichlet("u", "left", -1), Dirichlet("u", "right", 1)]
    problem = Problem(Interval(-1, 1), Poisson(-exact.diff(x, 2), 1, 1), ends)
    X = np.linspace(-1, 1, 401)[:, None]

    def error(stages: Any, seed: int) -> float:
        solver = Solver(
            problem, MLP(hidden=(16,)), stages, Points(24, 1), dtype="float64", seed=seed
        )
        return float(np.abs(solver.solve().evaluate(["u"], X)["u"] - np.tanh(60 * X[:, 0])).max())

    even = [error((LBFGS(300),) * 4, seed) for seed in range(5)]
    moved = [error((LBFGS(300), RARD(0.5)) * 3 + (LBFGS(300),), seed) for seed in range(5)]
    assert np.median(moved) < np.median(even) / 10

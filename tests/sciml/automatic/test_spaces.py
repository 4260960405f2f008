"""Spectral spaces of problems: bases, growth and what is carried from one to the next."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sciml import Problem, SpectralFeatures
from sciml.automatic.spaces import FIRST, carried_over, evolves, first_space, grown, softened
from sciml.equations import (
    Burgers,
    Clamped,
    Dirichlet,
    Initial,
    KirchhoffPlate,
    Periodic,
    Poisson,
)
from sciml.geometry import Box, Interval, Rectangle
from sciml.networks import Poles


def test_the_first_space() -> None:
    problem = Problem(Rectangle(), Poisson("1"), [Dirichlet("u", "edges")])
    space = first_space(problem)
    assert space.degrees == (8, 8)
    assert space.count == 45 >= FIRST
    assert set(space.bases) == {"chebyshev"}
    cube = Problem(Box(), Poisson("1", dimension=3), [Dirichlet("u", "faces")])
    assert first_space(cube).count >= FIRST


def test_waves_where_a_problem_is_periodic() -> None:
    shape = Interval(-1, 1).over_time(1.0)
    start = Initial("u", "sin(pi*x)")
    for period, basis in ((2.0, "fourier"), (1.0, "chebyshev")):
        around = Periodic("u", "sides.left", "x", period)
        problem = Problem(shape, Burgers(viscosity=0.1), [start, around])
        assert first_space(problem).bases == (basis, "chebyshev")


def test_only_what_was_not_asked_to_be_exact_is_softened() -> None:
    conditions = [
        Clamped("edges.left"), Clamped("edges.right", hard=True), Clamped("edges.top", hard=False),
    ]  # fmt: skip
    problem = softened(Problem(Rectangle(), KirchhoffPlate(), conditions))
    assert [c.hard for c in problem.conditions] == [False, True, False]  # type: ignore[attr-defined]


def test_directions_that_are_fine_enough_do_not_grow() -> None:
    space = SpectralFeatures(2, (10, 10), ("chebyshev", "chebyshev"), total=True)
    numbers = space.products()
    C = np.where(numbers[:, 0] <= 3, 0.5 ** numbers.sum(axis=1), 0.0)[:, None]
    finer = grown(space, {"C": C})
    assert finer.degrees[0] == 10 < finer.degrees[1]  # type: ignore[index]
    even = grown(space, {"C": 0.5 ** numbers.sum(axis=1)[:, None]})
    assert even.degrees[0] == even.degrees[1] > 10  # type: ignore[index]


def test_a_finer_space_holds_the_coarse_function() -> None:
    poles = (Poles([(3.0, 0.0)], 2),)
    coarse = SpectralFeatures(2, (3, 2), ("fourier", "chebyshev"), total=True, enrichment=poles)
    fine = replace(coarse, degrees=(5, 4))
    rng = np.random.default_rng(0)
    parameters = {"C": rng.normal(size=(coarse.count, 2))}
    X = rng.uniform(-1, 1, (20, 2))
    got = fine(carried_over(parameters, coarse, fine), X)
    np.testing.assert_allclose(got, coarse(parameters, X), atol=1e-13)


@pytest.mark.parametrize("starts", [True, False])
def test_what_evolves(starts: bool) -> None:
    conditions = [Dirichlet("u", "sides"), *([Initial("u", "0")] if starts else [])]
    problem = Problem(Interval(0, 1).over_time(1.0), Burgers(viscosity=0.1), conditions)
    assert evolves(problem) is starts

"""The benchmark problem of 100,000 dimensions in 50: exact source term, estimate, training step."""

from __future__ import annotations

import functools
import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import sciml.framework as sf

D = 50
PATH = Path(__file__).resolve().parents[2] / "benchmarks" / "high_dimension.py"


@pytest.fixture(scope="module")
def problem() -> ModuleType:
    """The benchmark, which is a script and not part of a package."""
    spec = importlib.util.spec_from_file_location("high_dimension", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("equation", ["sine_gordon", "allen_cahn"])
def test_the_source_term_is_that_of_the_solution(problem: ModuleType, equation: str) -> None:
    """Exact Laplacian by Taylor mode, and an estimate from all coordinates: residual zero."""
    c, X = problem.coefficients(D, "float64"), problem.points(D, "float64", 7)
    u = functools.partial(problem.solution, sf, c)
    g = problem.source(np, equation, c, X)
    for laplacian in (
        sf.laplacian(u)(X),
        sf.estimate_laplacian(u, sf.random_key(0), D)(X).mean,
    ):
        residual = laplacian + problem.reaction(np, equation, u(X)) - g
        assert np.abs(residual).max() < 1e-12 * np.abs(g).max()


def test_known_values(problem: ModuleType) -> None:
    """At the origin a = b = 0: p = 1, p_a = p_b = 1, laplacian(s) = -(2 sin 1 + cos 1) sum c."""
    c, X = problem.coefficients(D, "float64"), np.zeros((1, D))
    u = np.sin(1) * c.sum()
    laplacian = -(2 * np.sin(1) + np.cos(1) + 2 * D * np.sin(1)) * c.sum()
    # rounding of a sum of D terms that cancel
    bound = D * np.finfo(np.float64).eps * np.abs(c).sum()
    assert abs(problem.solution(np, c, X)[0] - u) < bound
    for equation, reaction in (("sine_gordon", np.sin(u)), ("allen_cahn", u - u**3)):
        g = problem.source(np, equation, c, X)[0]
        assert abs(g - laplacian - reaction) < 2 * D * bound


def test_the_residual_of_the_network_is_estimated_without_bias(problem: ModuleType) -> None:
    X, params = problem.points(D, "float64", 9), problem.parameters(D, "float64")
    u = functools.partial(problem.network, sf, params)
    exact = sf.laplacian(u)(X)
    means = sf.jit(sf.vmap(lambda key: sf.estimate_laplacian(u, key, 16)(X).mean))(
        sf.split_key(sf.random_key(3), 1000)
    )
    error = means.std(axis=0) / np.sqrt(len(means))
    assert (np.abs(means.mean(axis=0) - exact) < 4 * error).all()


def test_the_loss_of_all_coordinates_is_the_exact_one(problem: ModuleType) -> None:
    """Value and gradient; the exact Laplacian goes through other code."""
    c, X = problem.coefficients(D, "float64"), problem.points(D, "float64", 9)
    params, key = problem.parameters(D, "float64"), sf.random_key(0)

    def exact(params: Any, X: Any) -> Any:
        u = functools.partial(problem.network, sf, params)
        g = problem.source(sf, "sine_gordon", c, X)
        return ((sf.laplacian(u)(X) + sf.sin(u(X)) - g) ** 2).mean()

    value, gradient = sf.value_and_grad(exact)(params, X)
    estimated = problem.own_loss("sine_gordon", c, D)
    got, slope = sf.jit(sf.value_and_grad(estimated))(params, X, key)
    assert abs(got / value - 1) < 1e-12
    for a, b in zip(gradient, slope, strict=True):
        for name in a:
            scale = np.abs(a[name]).max()
            np.testing.assert_allclose(b[name], a[name], rtol=0, atol=1e-11 * scale)


def test_no_direction_meets_every_point_and_coordinate(problem: ModuleType) -> None:
    """One-hot rows become rows of the weights: nothing has samples * d elements or more."""
    d, samples = 300, 16
    c, X = problem.coefficients(d, "float64"), problem.points(d, "float64")
    step = sf.jit(sf.value_and_grad(problem.own_loss("sine_gordon", c, samples)))
    stages = dict(step.lower(problem.parameters(d, "float64"), X, sf.random_key(0)))
    shapes = [r.type.shape for o in stages["simplify"].operations for r in o.results]
    assert not [s for s in shapes if samples in s and d in s]
    assert stages["simplify"].count().get("one_hot", 0) == 0
    # points against coordinates: the points, their squares, the source term; weights apart
    assert any(s == (d, problem.WIDTH) for s in shapes)


def test_steps_of_adam_lower_the_loss(problem: ModuleType) -> None:
    c, X = problem.coefficients(D, "float64"), problem.points(D, "float64")
    state, step = problem.start(D, "float64"), problem.own_step("sine_gordon", c)
    losses = []
    for key in sf.split_key(sf.random_key(1), 60):
        state, value = step(state, X, key)
        losses.append(float(value))
    assert step.compilations == 1
    assert np.mean(losses[-10:]) < 0.5 * np.mean(losses[:10])

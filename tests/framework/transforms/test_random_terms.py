"""Linear operators from random terms against the exact operators."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import DifferentiationError, ShapeError

KEY = sf.random_key(5)
D = 5
RNG = np.random.default_rng(3)
POINTS = RNG.uniform(-1, 1, size=(4, D))


def field(X: Any) -> Any:
    return sf.sin(X @ np.arange(1.0, D + 1)) + X[:, 0] ** 3 * X[:, 1] * X[:, 4]


def unit(*axes: int) -> tuple[int, ...]:
    return tuple(axes.count(k) for k in range(D))


NUMBERS = {
    **{unit(i, j): float(RNG.normal()) for i, j in combinations(range(D), 2)},
    **{unit(i, i): float(RNG.normal()) for i in range(D)},
    **{unit(i): 0.5 for i in range(D)},
    unit(): -1.5,
    unit(0, 0, 1): 2.0,
    unit(4, 4, 0): -1.0,
    unit(1, 2, 2): 0.0,
}
FUNCTIONS = {
    unit(0, 1): lambda X: X[:, 0],
    unit(2, 3): 2.0,
    unit(1, 3): np.array([1.0, 2.0, 3.0, 4.0]),
    unit(0, 4): lambda X: sf.exp(X[:, 2]),
}


@pytest.mark.parametrize("terms", [NUMBERS, FUNCTIONS], ids=["numbers", "functions"])
def test_the_mean_is_the_operator(terms: dict[tuple[int, ...], Any]) -> None:
    exact = sf.linear_operator(field, terms)(POINTS)

    def measured(key: Any, X: Any) -> Any:
        found = sf.estimate_linear_operator(field, terms, key, 3)(X)
        return found.mean, found.values

    tries = 4000
    means, values = sf.jit(sf.vmap(measured, (0, None)))(sf.split_key(KEY, tries), POINTS)
    error = means.std(axis=0) / np.sqrt(tries)
    assert (np.abs(means.mean(axis=0) - exact) < 4 * error).all()
    # each sample is unbiased by itself
    for k in range(3):
        error = values[:, k].std(axis=0) / np.sqrt(tries)
        assert (np.abs(values[:, k].mean(axis=0) - exact) < 4 * error).all()
    eager = sf.estimate_linear_operator(field, terms, KEY, 3)(POINTS)
    np.testing.assert_allclose(
        sf.jit(measured)(KEY, POINTS)[1], eager.values, rtol=1e-11, atol=1e-11
    )


@pytest.mark.parametrize("terms", [NUMBERS, FUNCTIONS], ids=["numbers", "functions"])
def test_groups_taken_whole_have_no_error(terms: dict[tuple[int, ...], Any]) -> None:
    found = sf.estimate_linear_operator(field, terms, KEY, 10)(POINTS)
    exact = sf.linear_operator(field, terms)(POINTS)
    np.testing.assert_allclose(found.mean, exact, rtol=1e-11)
    np.testing.assert_allclose(found.standard_error, 0, atol=1e-12)


def test_the_variance_is_that_of_drawing_in_proportion() -> None:
    """u_xx alone: values sign(c) C d_i with p_i = |c_i| / C, a variance C sum |c| d^2 - T^2."""
    c, second = np.array([1.0, -2.0, 3.0, 0.5, -1.5]), np.array([2.0, 1.0, -1.0, 4.0, 3.0])
    terms = {unit(i, i): float(c[i]) for i in range(D)}

    def samples(key: Any) -> Any:
        u = lambda X: (X**2) @ (second / 2)  # noqa: E731
        return sf.estimate_linear_operator(u, terms, key, 4)(POINTS[:1]).values

    values = sf.jit(sf.vmap(samples))(sf.split_key(KEY, 10_000)).reshape(-1)
    total = np.abs(c).sum()
    exact = total * (np.abs(c) * second**2).sum() - (c @ second) ** 2
    fourth = ((values - values.mean()) ** 4).mean()
    assert abs(values.var(ddof=1) - exact) < 4 * np.sqrt((fourth - exact**2) / values.size)
    assert set(np.round(np.unique(values), 9)) == set(np.round(np.sign(c) * total * second, 9))


def test_requests_without_meaning_are_refused() -> None:
    with pytest.raises(DifferentiationError, match="every term is zero"):
        sf.estimate_linear_operator(field, {unit(0): 0.0}, KEY, 2)
    with pytest.raises(ShapeError, match="5 entries"):
        sf.estimate_linear_operator(field, {(1, 0): 1.0}, KEY, 2)(POINTS)
    with pytest.raises(ShapeError, match="number of samples"):
        sf.estimate_linear_operator(field, {unit(0): 1.0}, KEY, 0)
    with pytest.raises(ShapeError, match=r"shape \(points,\)"):
        sf.estimate_linear_operator(lambda X: X * X, {unit(0): 1.0}, KEY, 2)(POINTS)

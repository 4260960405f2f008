"""Sums over a stacked axis are taken before products."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.transforms.stacked_sums import pull_sums
from sciml.framework.transforms.trace import evaluate

RNG = np.random.default_rng(0)
H = RNG.normal(size=(6, 5, 4))
W = RNG.normal(size=(4, 3))
S = RNG.normal(size=(5, 3))
G = RNG.normal(size=6)


def rows(function: Any, *arguments: Any) -> tuple[int, int]:
    """Elements that products make before and after, after checking that the values agree."""
    program = sf.make_program(function)(*arguments)
    pulled = pull_sums(program)
    inputs = [np.asarray(a) for a in arguments]
    for a, b in zip(evaluate(program, inputs), evaluate(pulled, inputs), strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-12, atol=1e-12)
    counts = [
        sum(int(np.prod(o.result.type.shape)) for o in p.operations if o.name == "dot_general")
        for p in (program, pulled)
    ]
    return counts[0], counts[1]


@pytest.mark.parametrize("function", [
    lambda h, w, s, g: (h @ w).sum(axis=0),
    lambda h, w, s, g: ((h @ w) * s).sum(axis=0),
    lambda h, w, s, g: (-(h @ w)).sum(axis=0),
    lambda h, w, s, g: ((h @ w) * g[:, None, None]).sum(axis=0),
    lambda h, w, s, g: (g.reshape(6, 1, 1) * (s * (h @ w)) * 3.0 + h[:, :, :3]).sum(axis=0),
    lambda h, w, s, g: ((h @ w) * s - sf.sin(h)[:, :, :3]).sum(axis=0),
    lambda h, w, s, g: (2.0 * (h @ w) * s * s).sum(axis=0),
    lambda h, w, s, g: (h @ w)[:, :, 0].sum(axis=0),
    lambda h, w, s, g: (h @ w).transpose(1, 0, 2).sum(axis=1),
    lambda h, w, s, g: (h @ w).reshape(6, 15).sum(axis=0),
    lambda h, w, s, g: ((h @ w) + s).sum(axis=0),
])  # fmt: skip
def test_pulled(function: Any) -> None:
    before, after = rows(function, H, W, S, G)
    assert (before, after) == (90, 15)


def test_sums_over_the_right_operand() -> None:
    """Columns of weights, and coefficients of a trunk that a branch of shape (5, 4) multiplies."""
    before, after = rows(lambda h, w: (h @ w).sum(axis=2), H, W)
    assert (before, after) == (6 * 5 * 3, 6 * 5)

    def trunk_sum(b: Any, h: Any) -> Any:
        return sf.vmap(lambda t: b @ t.T)(h).sum(axis=0)

    before, after = rows(trunk_sum, RNG.normal(size=(5, 4)), H)
    assert (before, after) == (5 * 6 * 5, 5 * 5)


def test_a_sum_over_axes_of_both_operands_is_left_alone() -> None:
    before, after = rows(lambda x, y: (x @ y).sum(), H[0], W)
    assert before == after


@pytest.mark.parametrize("function", [
    lambda h, w, s, g: sf.sin(h @ w).sum(axis=0),
    lambda h, w, s, g: [p := h @ w, p.sum(axis=0)],
    lambda h, w, s, g: ((h @ w) * (h @ w)).sum(axis=0),
])  # fmt: skip
def test_left_alone(function: Any) -> None:
    before, after = rows(function, H, W, S, G)
    assert before == after


def test_sums_over_a_symbolic_axis_are_left_alone() -> None:
    """A mean over points keeps its form: the tile loop folds it as it goes."""
    lowered = sf.jit(lambda x, w: (x @ w).mean()).lower(np.ones((40, 4)), W)
    assert lowered[0][1].count()["dot_general"] == lowered[1][1].count()["dot_general"] == 1
    (product,) = [o for o in lowered[1][1].operations if o.name == "dot_general"]
    assert product.result.type.rank == 2


def test_two_layers_of_second_order_jets() -> None:
    """The Laplacian of a two-layer network carries d rows for the slopes and one for the sum."""
    V = RNG.normal(size=(3, 3))

    def u(X: Any) -> Any:
        return (sf.tanh(sf.tanh(X @ W) @ V) @ V[:, :1])[:, 0]

    X = RNG.normal(size=(5, 4))
    before, after = rows(lambda X: sf.laplacian(u, plan="forward_laplacian")(X), X)
    hidden = 5 * 3
    # value, four slopes and four second coefficients, of which one remains
    assert before - after == 3 * hidden + 3 * 5

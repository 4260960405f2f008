"""Linear combinations are taken before shared products, only where a product is saved."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.core.tree import flatten
from sciml.framework.transforms.collapse import collapse
from sciml.framework.transforms.trace import evaluate

RNG = np.random.default_rng(0)
W = RNG.normal(size=(4, 3))
X, Y, Z = (RNG.normal(size=(5, 4)) for _ in range(3))


def counts(function: Any, *arguments: Any) -> tuple[int, int]:
    """Matrix products before and after, after checking that the values agree."""
    program = sf.make_program(function)(*arguments)
    collapsed = collapse(program)
    inputs = [np.asarray(a) for a in flatten(arguments)[0]]
    for a, b in zip(evaluate(program, inputs), evaluate(collapsed, inputs), strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-13, atol=1e-13)
    return program.count()["dot_general"], collapsed.count()["dot_general"]


@pytest.mark.parametrize(("function", "after"), [
    (lambda x, y, z, w: x @ w + 2.0 * (y @ w) - z @ w, 1),
    (lambda x, y, z, w: -(x @ w) + (y @ w), 1),
    (lambda x, y, z, w: 2.0 * (x @ w + y @ w), 1),
    (lambda x, y, z, w: sf.sin(-(x @ w - y @ w)), 1),
    (lambda x, y, z, w: (x @ w).sum(axis=1) + (y @ w).sum(axis=1) + (z @ w).sum(axis=1), 1),
    (lambda x, y, z, w: sf.sin(z @ w) * (x @ w) + sf.sin(z @ w) * (y @ w), 2),
])  # fmt: skip
def test_products_with_one_right_operand_are_joined(function: Any, after: int) -> None:
    assert counts(function, X, Y, Z, W)[1] == after


@pytest.mark.parametrize(("function", "after"), [
    (lambda x, y, z, w: w @ x.T + 2.0 * (w @ y.T) - w @ z.T, 1),
    (lambda x, y, z, w: (w @ x.T)[:2] - (w @ y.T)[:2], 1),
    (lambda x, y, z, w: w @ x.T + w @ y.T + (2.0 * w) @ z.T, 2),
    (lambda x, y, z, w: x @ w + y @ w + (x @ w[:, ::-1] + z @ w), 2),
])  # fmt: skip
def test_products_with_one_left_operand_are_joined(function: Any, after: int) -> None:
    assert counts(function, X, Y, Z, RNG.normal(size=(4, 4)))[1] == after


@pytest.mark.parametrize("function", [
    lambda x, y, z, w: x @ w + y @ (2.0 * w) + (z @ w).sum(),
    lambda x, y, z, w: [p := x @ w, q := y @ w, p + q, p * q],
    lambda x, y, z, w: sf.sin(x @ w) + sf.sin(y @ w) + z @ w,
])  # fmt: skip
def test_other_products_stay(function: Any) -> None:
    before, after = counts(function, X, Y, Z, W)
    assert before == after


def test_a_shared_factor_alone_is_not_taken_out() -> None:
    """a b + a c must not become a (b + c), which overflows where the first does not."""
    program = sf.make_program(lambda a, b, c, w: (a * b + a * c, b @ w, c @ w))(X, Y, Z, W)
    assert str(collapse(program)) == str(program)


@pytest.mark.parametrize(("indices", "weights", "rows"), [
    ([(4, 0), (2, 2), (0, 4)], (1.0, 2.0, 1.0), (13, 11)),
    ([(2, 0), (0, 2)], (1.0, 1.0), (5, 4)),
])  # fmt: skip
def test_the_top_order_of_an_operator_is_one_coefficient(
    indices: Any, weights: Any, rows: tuple[int, int]
) -> None:
    """Products per hidden layer: every coefficient before, the lower ones and one sum after."""
    layers = [RNG.normal(size=s) for s in ((2, 6), (6, 6), (6, 6), (6, 1))]

    def residual(layers: Any, points: Any) -> Any:
        def u(P: Any) -> Any:
            for w in layers[:-1]:
                P = sf.tanh(P @ w)
            return (P @ layers[-1])[:, 0]

        parts = sf.derivatives(u, indices)(points)
        return sum(c * p for c, p in zip(weights, parts, strict=True))

    points = RNG.uniform(size=(5, 2))
    before, after = counts(residual, layers, points)
    # the first layer multiplies the points and two directions, the last one the top order
    assert before == 3 + 2 * rows[0] + len(indices)
    assert after == 3 + 2 * rows[1] + 1

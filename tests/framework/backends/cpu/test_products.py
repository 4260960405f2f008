"""Products: layouts that are one library call, and plain loops for all others."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.backends.cpu.products import can_join, product_layout
from sciml.framework.ops.contraction import dot_general
from sciml.framework.ops.tensor import unwrap, wrap

PLAIN = {"contract": ((1,), (0,)), "batch": ((), ())}


def test_layouts_and_their_transposes() -> None:
    layout = product_layout((4, 3), (3, 5), PLAIN)
    assert layout is not None
    assert (layout.m, layout.n, layout.k) == ((4,), (5,), (3,))
    first = product_layout((3, 4), (3, 5), {"contract": ((0,), (0,)), "batch": ((), ())})
    assert first is not None
    assert (first.transpose_left, first.transpose_right) == (True, False)
    mixed = {"contract": ((1,), (0,)), "batch": ((), ())}
    assert product_layout((4, 3, 2), (3, 5), mixed) is None


def test_which_products_join() -> None:
    summed = {"contract": ((0,), (0,)), "batch": ((), ())}
    assert can_join((4, 3), (3, 5), PLAIN, "stacked")
    assert not can_join((4, 3), (3, 5), PLAIN, "summed")
    assert can_join((9, 3), (9, 5), summed, "summed")


CASES = [
    (left, right)
    for left in itertools.permutations("bik")
    for right in itertools.permutations("bkj")
]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_every_order_of_axes(dtype: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batch, free and contracted axes in every order, against einsum."""
    monkeypatch.setenv("SCIML_CACHE_DIR", "")
    sizes = {"b": 2, "i": 3, "k": 4, "j": 5}
    rng = np.random.default_rng(0)
    operands, expected, attributes = [], [], []
    for left, right in CASES:
        x, y = (rng.normal(size=[sizes[a] for a in axes]).astype(dtype) for axes in (left, right))
        operands += [x, y]
        expected.append(np.einsum(f"{''.join(left)},{''.join(right)}->bij", x, y))
        attributes.append({
            "contract": ((left.index("k"),), (right.index("k"),)),
            "batch": ((left.index("b"),), (right.index("b"),)),
        })  # fmt: skip

    def all_products(*arrays: Any) -> list[Any]:
        return [
            wrap(dot_general(unwrap(arrays[2 * k]), unwrap(arrays[2 * k + 1]), **a))
            for k, a in enumerate(attributes)
        ]

    tolerance = 1e-13 if dtype == np.float64 else 1e-5
    for got, exact in zip(sf.jit(all_products)(*operands), expected, strict=True):
        np.testing.assert_allclose(got, exact, rtol=tolerance, atol=tolerance)

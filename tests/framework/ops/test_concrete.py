"""Tensors that hold numbers: conversions, their text, and what a traced value refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import ShapeError, TraceError


def test_text_shows_the_numbers() -> None:
    assert repr(sf.tensor([1.0, 2.5])) == "tensor([1. , 2.5])"
    assert repr(sf.tensor(1.0, np.float32)) == "tensor(1., dtype=float32)"
    recorded = sf.tensor(3.0, requires_grad=True) * 2.0
    assert repr(recorded) == "tensor(6., requires_grad=True)"


def test_conversions_give_the_number() -> None:
    x = sf.tensor([[2.0]], requires_grad=True)
    assert (float(x), int(x), complex(x), x.item()) == (2.0, 2, 2 + 0j, 2.0)
    assert [10, 20, 30][sf.tensor(1)] == 20  # type: ignore[call-overload]
    assert bool(x[0, 0] > 1.0)
    assert not (x < 1.0)
    with pytest.raises(ShapeError, match="one element"):
        sf.tensor([1.0, 2.0]).item()


def test_arrays_are_made_only_where_no_record_is_lost() -> None:
    x = sf.tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(TraceError, match=r"\.numpy\(\) or \.detach\(\)"):
        np.asarray(x)
    np.testing.assert_array_equal(np.asarray(x.detach()), [1.0, 2.0])
    np.testing.assert_array_equal(x.numpy(), [1.0, 2.0])
    assert np.asarray(x.detach(), dtype=np.float32).dtype == np.float32
    with pytest.raises(TraceError, match=r"sciml\.framework\.sin"):
        np.sin(x)


def test_leaves_and_results() -> None:
    x = sf.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2.0
    assert (x.is_leaf, y.is_leaf, y.requires_grad) == (True, False, True)
    assert (y.detach().is_leaf, y.detach().requires_grad) == (True, False)
    assert not (x > 1.0).requires_grad
    assert not x.requires_grad_(False).requires_grad
    with pytest.raises(TraceError, match="None"):
        x.grad = y  # type: ignore[assignment]


def test_operators_with_arrays_agree_with_numpy() -> None:
    a, b = np.arange(6.0).reshape(2, 3) + 0.5, np.linspace(1.0, 2.0, 3)
    x = sf.tensor(a, requires_grad=True)
    for got, expected in (
        (b - x, b - a),
        (x / b, a / b),
        (b @ x.T, b @ a.T),
        (2.0**x, 2.0**a),
        (x[:, ::-1], a[:, ::-1]),
        (x[1, [0, 2]], a[1, [0, 2]]),
        (sf.where(x > 2.0, x, b), np.where(a > 2.0, a, b)),
    ):
        np.testing.assert_allclose(got.numpy(), expected, rtol=1e-15)


@pytest.mark.parametrize("use", [
    lambda x: x.numpy(), lambda x: x.item(), lambda x: x.detach(), lambda x: x.backward(),
    lambda x: x.grad, lambda x: x.is_leaf, lambda x: x.requires_grad_(), int, complex,
])  # fmt: skip
def test_traced_values_refuse(use: Any) -> None:
    with pytest.raises(TraceError, match="trac"):
        sf.make_program(lambda x: use(x))(np.asarray(1.0))

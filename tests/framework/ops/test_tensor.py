"""Operators, broadcasting and indexing of traced values agree with NumPy, or refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import sciml.framework as sf
from sciml.framework.errors import DtypeError, ShapeError, TraceError
from sciml.framework.transforms.trace import evaluate, trace_call

A = np.arange(24.0).reshape(2, 3, 4) - 7.5
B = np.linspace(0.5, 2.0, 12).reshape(3, 4)


def traced(function: Any, *arguments: Any) -> Any:
    """Trace, then evaluate the program."""
    result, operands = trace_call(function, arguments)
    outputs = evaluate(result.program, [np.asarray(o) for o in operands])
    return outputs[0]


@pytest.mark.parametrize("function", [
    lambda x, y: x + y, lambda x, y: x - y, lambda x, y: x * y, lambda x, y: x / y,
    lambda x, y: 2 - x, lambda x, y: 3 / y, lambda x, y: y ** 2, lambda x, y: y ** -1,
    lambda x, y: y ** 1.5, lambda x, y: 2.0 ** y, lambda x, y: -x, lambda x, y: abs(x),
    lambda x, y: x @ y.T, lambda x, y: (x > y) & ~(x == 1.5), lambda x, y: (x <= y) | (x != y),
    lambda x, y: x.sum(axis=(0, -1)), lambda x, y: x.mean(), lambda x, y: x.max(1),
    lambda x, y: x.min(axis=0, keepdims=True), lambda x, y: y.prod(axis=1),
    lambda x, y: x.reshape(4, -1), lambda x, y: x.transpose(2, 0, 1), lambda x, y: y.T,
    lambda x, y: x.astype(np.float32), lambda x, y: +x, lambda x, y: x + y[None, 0, :],
])  # fmt: skip
def test_operators_agree_with_numpy(function: Any) -> None:
    np.testing.assert_allclose(traced(function, A, B), function(A, B), rtol=1e-15)


@given(st.data())
def test_indexing_agrees_with_numpy(data: st.DataObject) -> None:
    index = data.draw(
        hnp.basic_indices(A.shape, max_dims=5, allow_newaxis=True, allow_ellipsis=True)
    )
    np.testing.assert_array_equal(traced(lambda x: x[index], A), A[index])


def test_an_integer_array_takes_rows() -> None:
    rows = np.array([[2, -1], [0, 0]])
    np.testing.assert_array_equal(traced(lambda x: x[:, rows, 1:], A), A[:, rows, 1:])
    with pytest.raises(IndexError, match="size 3"):
        traced(lambda x: x[:, [3]], A)


def test_shapes_that_would_grow_both_operands_are_refused() -> None:
    """(N,) against (N, 1) would silently make a loss over N x N pairs."""
    with pytest.raises(ShapeError, match=r"\(5,\) and \(5, 1\).*larger than both"):
        traced(lambda x, y: x - y, np.ones(5), np.ones((5, 1)))
    np.testing.assert_array_equal(
        traced(lambda x, y: x - y, np.ones((1, 5)), np.ones((5, 1))), np.zeros((5, 5))
    )


def test_precisions_do_not_mix_silently() -> None:
    with pytest.raises(TraceError, match="float32 and float64"):
        traced(lambda x, y: x + y, np.ones(2, np.float32), np.ones(2))
    assert traced(lambda x: 2.0 * x + 1, np.ones(2, np.float32)).dtype == np.float32


@pytest.mark.parametrize(("use", "word"), [
    (bool, "truth value"), (float, "no number"), (np.asarray, "NumPy"),
])  # fmt: skip
def test_a_traced_value_has_no_number(use: Any, word: str) -> None:
    with pytest.raises(TraceError, match=word):
        traced(lambda x: use(x), np.asarray(1.0))


def test_boolean_masks_are_refused_with_the_alternative() -> None:
    with pytest.raises(ShapeError, match="where"):
        traced(lambda x: x[x > 0], A)


def test_numpy_arrays_on_the_left_defer_to_the_tensor() -> None:
    np.testing.assert_allclose(traced(lambda x: B @ x.T, B), B @ B.T)
    np.testing.assert_allclose(traced(lambda x: B - x, B * 2), -B)


@pytest.mark.parametrize("name", [
    "sin", "cos", "tan", "exp", "expm1", "log", "log1p", "sqrt", "tanh", "sinh", "cosh", "sign",
    "abs", "floor", "square",
])  # fmt: skip
def test_functions_take_arrays_and_numbers(name: str) -> None:
    function, reference = getattr(sf, name), getattr(np, name)
    np.testing.assert_allclose(function(B), reference(B))
    np.testing.assert_allclose(function(0.7), reference(0.7))


def test_joining_and_choosing() -> None:
    np.testing.assert_array_equal(sf.stack([B, B], axis=-1), np.stack([B, B], axis=-1))
    np.testing.assert_array_equal(sf.concatenate([B, B[:1]]), np.concatenate([B, B[:1]]))
    np.testing.assert_array_equal(sf.where(B > 1, B, 0.0), np.where(B > 1, B, 0.0))
    np.testing.assert_array_equal(sf.maximum(B, 1.0), np.maximum(B, 1.0))


def test_stacked_arrays_have_one_shape() -> None:
    with pytest.raises(ShapeError, match=r"stack: shapes must be equal, got \(3,\)"):
        sf.stack([np.zeros(3), np.zeros((1, 3))])


def test_no_random_numbers_are_an_empty_array() -> None:
    for draw in (sf.uniform, sf.normal):
        assert draw(sf.random_key(1), (0, 3)).shape == (0, 3)


def test_random_numbers_depend_on_the_key_alone() -> None:
    key = sf.random_key(5)
    first = sf.uniform(key, (1000,))
    np.testing.assert_array_equal(first, sf.uniform(key, (1000,)))
    np.testing.assert_array_equal(first[:10], sf.uniform(key, (10,)))
    assert not np.array_equal(first, sf.uniform(sf.random_key(6), (1000,)))
    assert 0 < first.min() < first.max() < 1
    assert abs(first.mean() - 0.5) < 5 / np.sqrt(12 * 1000)
    assert abs(sf.normal(key, (4000,)).std() - 1) < 5 / np.sqrt(2 * 4000)


def test_threefry_known_answers() -> None:
    """Known-answer vectors of Random123 (Salmon et al. 2011) for Threefry-2x32 with 20 rounds."""
    zero = np.zeros(2, np.uint32)
    assert sf.random_bits(zero, (1,))[0] == 0x6B200159


def test_a_number_next_to_a_mask_is_a_number() -> None:
    """True == 2 is false; 2 must not become True first."""
    for use in (lambda m: m == 2, lambda m: m + 1, lambda m: m * 2.5, lambda m: m < 1):
        got, expected = traced(lambda x, use=use: use(x > 1), A), use(A > 1)
        np.testing.assert_array_equal(got, expected)
        assert got.dtype == expected.dtype


def test_powers_of_integers_are_integers() -> None:
    n = np.arange(-3, 4)
    np.testing.assert_array_equal(traced(lambda n: n**3, n), n**3)
    with pytest.raises(DtypeError, match="exponent -1"):
        traced(lambda n: n**-1, n)


@pytest.mark.parametrize("function", [
    lambda b, y: b + y, lambda b, y: b - y, lambda b, y: b * y, lambda b, y: b / y,
    lambda b, y: b ** y, lambda b, y: b @ y.T, lambda b, y: b < y, lambda b, y: b <= y,
    lambda b, y: b > y, lambda b, y: b >= y,
    lambda b, y: b == y, lambda b, y: b != y,
    lambda b, y: np.float64(2) * y, lambda b, y: np.float64(2) ** y,
    lambda b, y: np.float64(2) - y, lambda b, y: np.add(y, 1.0), lambda b, y: np.power(y, 2),
])  # fmt: skip
def test_operators_with_an_array_on_the_left_agree_with_numpy(function: Any) -> None:
    y = B[::-1].copy()
    np.testing.assert_allclose(traced(lambda t: function(B, t), y), function(B, y), rtol=1e-15)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (np.sin, r"numpy.sin does not .*; use sciml.framework.sin$"),
        (np.arctan, r"numpy.arctan does .*; use sciml.framework.atan$"),
        (np.abs, r"use sciml.framework.abs$"),
        (np.cbrt, r"numpy.cbrt does .*; use the functions of sciml.framework$"),
        (np.add.reduce, r"numpy.add.reduce does"),
        (lambda x: np.add(x, 1.0, out=np.zeros((3, 4))), r"numpy.add does"),
    ],
)
def test_functions_of_numpy_are_refused_with_the_alternative(function: Any, words: str) -> None:
    with pytest.raises(TraceError, match=words):
        traced(function, B)


def test_an_array_is_repeated_to_a_shape() -> None:
    x = np.arange(6.0).reshape(3, 1, 2)
    np.testing.assert_array_equal(
        sf.broadcast_to(x, (4, 3, 5, 2)), np.broadcast_to(x, (4, 3, 5, 2))
    )
    gradient = sf.grad(lambda x: (sf.broadcast_to(x, (4, 3, 5, 2)) * np.arange(2.0)).sum())(x)
    np.testing.assert_array_equal(gradient, np.broadcast_to([0.0, 20.0], x.shape))
    z = sf.broadcast_to(1j * x, (2, 3, 1, 2))
    np.testing.assert_array_equal(sf.imag(z), np.broadcast_to(x, (2, 3, 1, 2)))
    for shape in ((3, 2), (2,), (3, 4, 3)):
        with pytest.raises(ShapeError):
            sf.broadcast_to(x, shape)

"""Tracing and inlining: captured values, sizes, pruning."""

from __future__ import annotations

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.core.dims import Dim
from sciml.framework.errors import ShapeError, TraceError
from sciml.framework.ir.types import TensorType
from sciml.framework.transforms.trace import bind_sizes, evaluate, trace_call

F64 = np.dtype(np.float64)
N = Dim.named("N")


def test_large_arrays_are_captured_and_small_ones_are_literals() -> None:
    large, small = np.arange(50.0), np.arange(3.0)
    traced, operands = trace_call(lambda x: (x * large).sum() + small, (np.ones(50),))
    assert traced.captured == (large,)
    np.testing.assert_array_equal(evaluate(traced.program, operands)[0], large.sum() + small)


def test_an_array_used_twice_is_captured_once() -> None:
    large = np.arange(50.0)
    traced, _ = trace_call(lambda x: x * large + large, (np.ones(50),))
    assert len(traced.captured) == 1


def test_sizes_are_bound_by_name_and_must_agree() -> None:
    types = [TensorType((N, 2), F64), TensorType((N,), F64)]
    program = sf.make_program(lambda x, y: x[:, 0] * y)(*types)
    assert bind_sizes(program, [TensorType((5, 2), F64), TensorType((5,), F64)]) == {"N": 5}
    with pytest.raises(ShapeError, match=r"input 1 must be f64\[N\]"):
        bind_sizes(program, [TensorType((5, 2), F64), TensorType((6,), F64)])
    with pytest.raises(ShapeError, match="takes 2 arrays, got 1"):
        bind_sizes(program, types[:1])


def test_captured_values_of_two_levels_up_are_differentiated() -> None:
    big = np.ones(50)

    def outer(a: object) -> object:
        def middle(b: object) -> object:
            inner = sf.grad(lambda c: (a * b * c * c * big).sum())
            return inner(np.asarray(1.5)) * b

        return sf.grad(middle)(np.asarray(2.0))

    # d/da d/db [b * 2 * 50 a b c] at b = 2, c = 1.5
    assert float(sf.grad(outer)(np.asarray(3.0))) == pytest.approx(100 * 1.5 * 2 * 2.0)


@pytest.mark.parametrize("bad", ["a", 1j, np.array([1, None]), 2**70, [[1.0, 2.0], "b"]])
def test_what_is_no_array_of_numbers_is_named_with_its_place(bad: object) -> None:
    with pytest.raises(TraceError, match=r"argument \[0\].*array of numbers"):
        sf.jit(lambda x: x)(bad)


@pytest.mark.parametrize("bad", [None, [[1.0], [2.0, 3.0]], "a"])
def test_operands_that_are_no_numbers_are_refused(bad: object) -> None:
    with pytest.raises(TraceError, match="array of numbers"):
        sf.make_program(lambda x: x * bad)(np.ones(2))


def test_an_integer_beyond_the_range_is_refused() -> None:
    with pytest.raises(TraceError, match="too large"):
        sf.make_program(lambda n: n * 2**70)(np.arange(3))

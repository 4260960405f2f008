"""Patterns: what matches, what is bound."""

import numpy as np

from sciml.framework.core.dtypes import FLOAT64, INT64
from sciml.framework.ir.builder import Builder
from sciml.framework.ir.program import Value
from sciml.framework.ir.types import Literal, TensorType
from sciml.framework.passes.patterns import (
    Match,
    attr,
    bind_value,
    full,
    number_of,
    op,
    orders,
    var,
)

X, Y = var("x"), var("y")
TYPE = TensorType((3,), FLOAT64)


def filled(number: float, dtype: np.dtype[np.generic] = FLOAT64) -> Value:
    literal = Literal.of(np.asarray(number, dtype))
    type = TensorType((3,), dtype)
    return Builder().emit("full", [], {"value": literal, "shape": (3,)}, [type]).result


def test_the_sign_of_zero_counts_for_floats_only() -> None:
    assert bind_value(full(0.0), filled(0.0), Match(TYPE))
    assert not bind_value(full(0.0), filled(-0.0), Match(TYPE))
    assert bind_value(full(-0.0), filled(0, INT64), Match(TYPE))
    assert not bind_value(full(float("nan")), filled(float("nan")), Match(TYPE))


def test_variables_and_attributes_are_bound() -> None:
    builder = Builder([TYPE])
    x = builder.block.arguments[0]
    total = builder.emit("reduce_sum", [x], {"axes": (0,)}, [TensorType((), FLOAT64)]).result
    match = Match(total.type)
    assert bind_value(op("reduce_sum", X, axes=attr("a")), total, match)
    assert match.values == {"x": x}
    assert match.axes("a") == (0,)
    assert not bind_value(op("reduce_sum", X, axes=(1,)), total, Match(total.type))
    assert not bind_value(op("reduce_max", X), total, Match(total.type))
    assert not bind_value(op("reduce_sum", X), x, Match(total.type))


def test_an_attribute_variable_twice_wants_equal_attributes() -> None:
    builder = Builder([TYPE])
    value = builder.block.arguments[0]
    for axes in ((0,), (1,)):
        value = builder.emit("reverse", [value], {"axes": axes}, [TYPE]).result
    twice = op("reverse", op("reverse", X, axes=attr("a")), axes=attr("a"))
    assert not bind_value(twice, value, Match(TYPE))


def test_orders_of_commutative_operations() -> None:
    def count(pattern: object) -> int:
        return len(list(orders(pattern, lambda name: name in ("add", "mul"))))  # type: ignore[arg-type]

    assert count(op("mul", X, Y)) == 1
    assert count(op("mul", X, full(1.0))) == 2
    assert count(op("sub", X, full(1.0))) == 1
    assert count(op("add", op("mul", X, full(1.0)), op("mul", Y, full(2.0)))) == 8


def test_number_of() -> None:
    assert number_of(filled(2.5)) == 2.5
    assert number_of(Builder([TYPE]).block.arguments[0]) is None

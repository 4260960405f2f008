"""Rules of elementwise arithmetic; all give the same bits, for NaN, infinities and -0.0 too.

(A NaN stays a NaN; its sign and payload are not kept, as on every processor.) The rules that look
right and are not, and so are absent:

- ``x * 0 -> 0`` and ``x - x -> 0``: NaN for NaN and infinities, and -0.0;
- ``x + 0.0 -> x``: gives 0.0 for -0.0. It is applied where x is known not to be -0.0;
- ``-(x - y) -> y - x`` and ``(-x) + (-y) -> -(x + y)``: the other sign of zero where x = y;
- ``(x * a) * b -> x * (a b)`` in general: rounds once less. It is applied where a is a power of
  two not below 1 and b not below 1, so that the first product is exact or already infinite;
- ``x / c -> x * (1/c)`` in general: applied where c is a power of two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from ...core.dtypes import DType
from ...ir.program import Value
from ...ir.types import Attribute, Literal
from ..patterns import Match, Pattern, Rule, attr, full, number_of, op, var

__all__ = ["ARITHMETIC"]

X, Y = var("x"), var("y")


_MANTISSA_BITS = {4: 24, 8: 53}
_LARGEST = {4: float(np.finfo(np.float32).max), 8: float(np.finfo(np.float64).max)}
_SMALLEST_NORMAL = {4: float(np.finfo(np.float32).tiny), 8: float(np.finfo(np.float64).tiny)}


def _power_of_two(number: float) -> bool:
    return math.isfinite(number) and number != 0 and abs(math.frexp(number)[0]) == 0.5


def _is_float(match: Match) -> bool:
    return match.type.dtype.kind == "f"


# --- signed zero ----------------------------------------------------------------------------


def _never_negative_zero(value: Value) -> bool:
    """Whether no element can be -0.0, judged by the operation that makes the value."""
    number = number_of(value)
    if number is not None:
        return number != 0 or math.copysign(1.0, number) > 0
    operation = value.operation
    if operation is None:
        return False
    if operation.name in ("exp", "cosh", "logistic", "abs"):
        return True
    if operation.name == "mul":
        return operation.operands[0] is operation.operands[1]
    if operation.name == "integer_pow":
        exponent = operation.attributes["exponent"]
        return isinstance(exponent, int) and exponent % 2 == 0
    # a sum is -0.0 only where both terms are
    return operation.name == "add" and any(
        (n := number_of(v)) is not None and not (n == 0 and math.copysign(1.0, n) < 0)
        for v in operation.operands
    )


# --- scaling by constants -------------------------------------------------------------------


def _literal(number: float, dtype: DType) -> Attribute:
    return Literal.of(np.asarray(number, dtype))


def _minus(match: Match) -> Attribute:
    return _literal(-match.number("c"), match.type.dtype)


def _exact_scaling(match: Match) -> bool:
    """Whether x * a is exact or infinite, and stays so: |a| = 2^k >= 1 and |b| >= 1."""
    a, b = match.number("a"), match.number("b")
    return (
        _is_float(match)
        and _power_of_two(a)
        and abs(a) >= 1
        and math.isfinite(b)
        and abs(b) >= 1
        and abs(a * b) <= _LARGEST[match.type.dtype.itemsize]
    )


def _reciprocal_exact(match: Match) -> bool:
    c = match.number("c")
    size = match.type.dtype.itemsize
    return _power_of_two(c) and _SMALLEST_NORMAL[size] <= abs(1 / c) <= _LARGEST[size]


C = op("full", value=attr("c"), shape=attr("shape"))
MINUS_C = op("full", value=_minus, shape=attr("shape"))


def _signs() -> Iterator[Rule]:
    """Minus signs move outwards, into constants, and into the next sum."""
    yield Rule("neg of neg", op("neg", op("neg", X)), X)
    yield Rule("add of neg", op("add", X, op("neg", Y)), op("sub", X, Y))
    yield Rule("sub of neg", op("sub", X, op("neg", Y)), op("add", X, Y))
    yield Rule("times minus one", op("mul", X, full(-1.0)), op("neg", X), _is_float)
    yield Rule(
        "mul of neg and constant", op("mul", op("neg", X), C), op("mul", X, MINUS_C), _is_float
    )
    yield Rule("neg of scaled", op("neg", op("mul", X, C)), op("mul", X, MINUS_C), _is_float)
    for name in ("mul", "div"):
        yield Rule(f"{name} of negs", op(name, op("neg", X), op("neg", Y)), op(name, X, Y))
        yield Rule(f"{name} of neg left", op(name, op("neg", X), Y), op("neg", op(name, X, Y)))
    yield Rule("div of neg right", op("div", X, op("neg", Y)), op("neg", op("div", X, Y)))
    yield Rule("abs of neg", op("abs", op("neg", X)), op("abs", X), _is_float)


def _neutral() -> Iterator[Rule]:
    """Neutral elements."""
    yield Rule("plus minus zero", op("add", X, full(-0.0)), X)
    yield Rule(
        "plus zero", op("add", X, full(0.0)), X, lambda m: _never_negative_zero(m.values["x"])
    )
    yield Rule("minus zero", op("sub", X, full(0.0)), X)
    yield Rule("times one", op("mul", X, full(1.0)), X)
    yield Rule("over one", op("div", X, full(1.0)), X)
    yield Rule("power one", op("integer_pow", X, exponent=1), X)
    yield Rule("power zero", op("integer_pow", X, exponent=0), full(1.0))
    # the kernels square by one multiplication, which is within half a unit in the last place
    yield Rule("square", op("integer_pow", X, exponent=2), op("mul", X, X))


def _scales() -> Iterator[Rule]:
    """Constants that can be joined without another rounding."""

    def scaled(number: Callable[[Match], float]) -> Pattern:
        def value(match: Match) -> Attribute:
            return _literal(number(match), match.type.dtype)

        return op("mul", X, op("full", value=value, shape=attr("shape")))

    a = op("full", value=attr("a"))
    b = op("full", value=attr("b"), shape=attr("shape"))
    yield Rule(
        "scaled twice",
        op("mul", op("mul", X, a), b),
        scaled(lambda m: m.number("a") * m.number("b")),
        _exact_scaling,
    )
    yield Rule(
        "over a power of two",
        op("div", X, C),
        scaled(lambda m: 1 / m.number("c")),
        _reciprocal_exact,
    )


def _choices() -> Iterator[Rule]:
    """Operations whose operands are equal."""
    yield Rule("equal branches", op("select", var("c"), X, X), X)
    yield Rule("select true", op("select", full(True), X, Y), X)
    yield Rule("select false", op("select", full(False), X, Y), Y)
    for name in ("max", "min", "logical_and", "logical_or"):
        yield Rule(f"{name} of equals", op(name, X, X), X)
    yield Rule("not of not", op("logical_not", op("logical_not", X)), X)
    yield Rule("abs of abs", op("abs", op("abs", X)), op("abs", X))


# --- conversion -----------------------------------------------------------------------------


def _is_lossless(source: DType, target: DType) -> bool:
    """Whether every value of one element type is a value of the other."""
    if source == target or source.kind == "b":
        return True
    if source.kind == "f":
        return target.kind == "f" and target.itemsize >= source.itemsize
    bits = 8 * source.itemsize - (source.kind == "i")
    if target.kind == "f":
        return bits <= _MANTISSA_BITS[target.itemsize]
    if target.kind == "u" and source.kind == "i":
        return False
    return target.kind in "iu" and bits <= 8 * target.itemsize - (target.kind == "i")


def _joins(match: Match) -> bool:
    """Whether the first of two conversions loses nothing, so that only the second counts.

    A float that becomes an integer out of its range has no defined value, and it need not be the
    same one by another way, so those are left alone unless nothing changes at all.
    """
    source, middle = match.type_of("x").dtype, match["middle"]
    assert isinstance(middle, np.dtype)
    to_integer = source.kind == "f" and match.type.dtype.kind != "f"
    return _is_lossless(source, middle) and not to_integer


def _conversions() -> Iterator[Rule]:
    yield Rule(
        "convert to the same",
        op("convert", X, dtype=attr("dtype")),
        X,
        lambda m: m.type_of("x").dtype == m["dtype"],
    )
    yield Rule(
        "convert of convert",
        op("convert", op("convert", X, dtype=attr("middle")), dtype=attr("dtype")),
        op("convert", X, dtype=attr("dtype")),
        _joins,
    )


ARITHMETIC: tuple[Rule, ...] = (
    *_neutral(),
    *_signs(),
    *_scales(),
    *_choices(),
    *_conversions(),
)

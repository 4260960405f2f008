"""Programs evaluated on mpmath numbers of any precision, primitive by primitive.

Floating values are NumPy arrays of `mpmath.mpf` numbers, whatever their element type in the
program; integers and truth values are those of NumPy. Only what a primitive computes is used
here, not one of its derivative rules, so that differences of these values are an independent
reference for derivatives.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np

from ..core.dtypes import Array, DType, is_float
from ..errors import LoweringError, MissingPackageError
from ..ir.program import Operation, Program, Value
from ..ops.lowering import Contraction, Movement, Reduction, Scatter
from ..ops.primitive import Axes, primitives

__all__ = ["evaluate_multiprecision", "load_mpmath", "multiprecision"]


def load_mpmath() -> Any:
    """Return mpmath, which only checks need."""
    try:
        import mpmath
    except ImportError:
        raise MissingPackageError(
            "checks of derivatives need mpmath; install it with pip install mpmath"
        ) from None
    return mpmath


def multiprecision(values: object) -> Array:
    """Return floating numbers as an array of mpmath numbers with the same value."""
    return _each(load_mpmath().mpf)(np.asarray(values, dtype=object))


def _each(function: Callable[..., Any]) -> Callable[..., Array]:
    """Return a function of numbers as a function of arrays."""

    def apply(*arrays: Array) -> Array:
        shape = np.broadcast_shapes(*(np.shape(a) for a in arrays))
        columns = [np.broadcast_to(np.asarray(a, dtype=object), shape).ravel() for a in arrays]
        result = np.empty(len(columns[0]), dtype=object)
        for k, row in enumerate(zip(*columns, strict=True)):
            result[k] = function(*row)
        return result.reshape(shape)

    return apply


def _comparison(relation: Callable[[Any, Any], Any]) -> Callable[..., Array]:
    return lambda x, y: _each(relation)(x, y).astype(np.bool_)


@cache
def _functions() -> Mapping[str, Callable[..., Array]]:
    """Return what elementwise primitives of floating operands compute."""
    mp = load_mpmath()
    numbers: dict[str, Callable[..., Any]] = {
        name: getattr(mp, name)
        for name in (
            "exp", "expm1", "log", "log1p", "sqrt", "sin", "cos", "tan", "asin", "acos", "atan",
            "sinh", "cosh", "tanh", "erf", "sign", "floor", "atan2",
        )
    }  # fmt: skip
    numbers |= {
        "abs": abs,
        "add": operator.add,
        "div": operator.truediv,
        "logistic": lambda x: 1 / (1 + mp.exp(-x)),
        "max": max,
        "min": min,
        "mul": operator.mul,
        "neg": operator.neg,
        "pow": operator.pow,
        "rsqrt": lambda x: 1 / mp.sqrt(x),
        "stop_gradient": lambda x: x,
        "sub": operator.sub,
    }
    relations = {n: getattr(operator, n) for n in ("eq", "ne", "lt", "le", "gt", "ge")}
    return MappingProxyType(
        {n: _each(f) for n, f in numbers.items()}
        | {n: _comparison(f) for n, f in relations.items()}
        | {"select": np.where}
    )


def evaluate_multiprecision(
    program: Program, arrays: Sequence[Array], frozen: dict[Value, Array] | None = None
) -> list[Array]:
    """Return the outputs of a program at the working precision of mpmath.

    Parameters
    ----------
    program
        A traced program of known sizes.
    arrays
        One array per input: of mpmath numbers, or of NumPy's, which are taken as they are.
    frozen
        Results of ``stop_gradient`` by value of the program: those in it are used, others are
        added. With the same dictionary at neighbouring inputs the program is the function that
        transforms differentiate.

    Raises
    ------
    LoweringError
        For a primitive without a meaning over mpmath numbers.

    Examples
    --------
    >>> import mpmath, sciml.framework as sf
    >>> program = sf.make_program(lambda x: sf.exp(x))(np.ones(()))
    >>> with mpmath.workdps(30):
    ...     print(evaluate_multiprecision(program, [np.ones(())])[0])
    2.71828182845904523536028747135
    """
    known = {} if frozen is None else frozen
    program_inputs = zip(program.inputs, arrays, strict=True)
    values = {v: multiprecision(a) if is_float(v.type.dtype) else a for v, a in program_inputs}
    for operation in program.operations:
        value = operation.result
        if operation.name == "stop_gradient":
            values[value] = known.setdefault(value, values[operation.operands[0]])
        else:
            values[value] = _apply(operation, [values[v] for v in operation.operands])
    return [values[v] for v in program.outputs]


def _apply(operation: Operation, operands: Sequence[Array]) -> Array:
    """Return the result of one operation, floating if its element type is."""
    record, attributes = primitives[operation.name], operation.attributes
    dtype = operation.result.type.dtype
    moving = [is_float(v.type.dtype) for v in operation.operands]
    if operation.name == "convert" and (any(moving) or is_float(dtype)):
        return _converted(operands[0], dtype)
    if not any(moving):
        plain = np.asarray(record.evaluate(operands, attributes))
        return multiprecision(plain) if is_float(dtype) else plain
    if operation.name == "integer_pow":
        exponent = attributes["exponent"]
        return _each(lambda x: x**exponent)(operands[0])
    if operation.name in _functions():
        return _functions()[operation.name](*operands)
    if isinstance(record.lowering, Contraction):
        return _contracted(operands, record.axes([v.type for v in operation.operands], attributes))
    if isinstance(record.lowering, Movement | Reduction | Scatter):
        return np.asarray(record.evaluate(operands, attributes), dtype=object)
    raise LoweringError(f"{operation.name} has no meaning over numbers of any precision")


def _converted(x: Array, dtype: DType) -> Array:
    if is_float(dtype):
        return multiprecision(x)
    return _each(bool if dtype.kind == "b" else int)(x).astype(dtype)


def _contracted(operands: Sequence[Array], axes: Axes) -> Array:
    """Return the sum of products over the labels that the result lacks."""
    kept = axes.result
    order = [*kept, *{x: None for row in axes.operands for x in row if x not in kept}]
    aligned = []
    for x, row in zip(operands, axes.operands, strict=True):
        turned = x.transpose([row.index(label) for label in order if label in row])
        sizes = [x.shape[row.index(label)] if label in row else 1 for label in order]
        aligned.append(turned.reshape(sizes))
    total = np.sum(aligned[0] * aligned[1], axis=tuple(range(len(kept), len(order))))
    return np.asarray(total, dtype=object)

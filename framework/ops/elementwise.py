"""Factories of elementwise primitives: shape, batching, axes and derivative rules in one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.dtypes import BOOL, FLOAT32, Array, DType, dtype_name
from ..errors import DtypeError, ShapeError
from ..ir.program import Operation
from ..ir.types import Attributes, TensorType
from .fill import full
from .lowering import Elementwise
from .mapped import fronted
from .primitive import Axes, Operand, Primitive, Sample, Types, bind, primitives, type_of
from .samples import GRID, INTEGERS, OTHER

__all__ = [
    "FLOATS", "NUMBERS", "add", "filled", "mul", "neg", "nonlinear", "register_elementwise",
    "scaled",
]  # fmt: skip

FLOATS = "f"
NUMBERS = "fiu"
Partial = Callable[..., Operand | None]


def _infer(name: str, kinds: str, result_dtype: DType | None) -> Callable[..., TensorType]:
    def infer(types: Types, attributes: Attributes) -> TensorType:
        first = types[0]
        for other in types[1:]:
            if other.shape != first.shape:
                raise ShapeError(
                    f"{name}: operands must have equal shapes, got "
                    f"{' and '.join(str(t) for t in types)}; broadcast them first"
                )
            if other.dtype != first.dtype:
                raise DtypeError(
                    f"{name}: operands must have equal element types, got "
                    f"{' and '.join(str(t) for t in types)}; convert them first"
                )
        if first.dtype.kind not in kinds:
            raise DtypeError(f"{name}: not defined for {dtype_name(first.dtype)}")
        return TensorType(first.shape, result_dtype or first.dtype)

    return infer


def elementwise_axes(types: Types, attributes: Attributes) -> Axes:
    """Every axis walks with the same axis of the result."""
    labels = tuple(range(types[0].rank))
    return Axes(tuple(labels for _ in types), labels)


def filled(value: float, like: Operand) -> Operand:
    """Return the number broadcast to the type of an operand."""
    type = type_of(like)
    return full(type.shape, value, type.dtype)


def scaled(x: Operand, factor: float) -> Operand:
    """Return a multiple of an operand, the operand itself for the factor one."""
    return x if factor == 1.0 else mul(x, filled(factor, x))


def _sum(terms: Sequence[Operand | None]) -> Operand | None:
    total: Operand | None = None
    for term in terms:
        if term is not None:
            total = term if total is None else add(total, term)
    return total


def nonlinear(partials: Sequence[Partial]) -> Callable[..., Operand | None]:
    """JVP of a nonlinear elementwise function from its partial derivatives.

    Each partial is called as ``partial(result, *operands, **attributes)``.
    """

    def jvp(
        result: Operand,
        operands: Sequence[Operand],
        tangents: Sequence[Operand | None],
        attributes: Attributes,
    ) -> Operand | None:
        terms = []
        for partial, tangent in zip(partials, tangents, strict=True):
            if tangent is None:
                continue
            factor = partial(result, *operands, **attributes)
            terms.append(None if factor is None else mul(tangent, factor))
        return _sum(terms)

    return jvp


def register_elementwise(
    name: str,
    evaluate: Callable[..., Array],
    scalar: Callable[..., object],
    samples: Sequence[Sequence[object]],
    *,
    partials: Sequence[Partial] = (),
    jvp: Callable[..., Operand | None] | None = None,
    transpose: Callable[..., Operand] | None = None,
    linearity: str = "none",
    kinds: str = FLOATS,
    result: DType | None = None,
    infer: Callable[..., TensorType] | None = None,
    commutative: bool = False,
    source: str = "elementary calculus",
) -> Primitive:
    """Register an elementwise primitive from what is its own; the rest is common.

    `samples` holds tuples of operand arrays, the last entry a dict of attributes if any.
    """

    def apply(arrays: Sequence[Array], attributes: Attributes) -> Array:
        with np.errstate(all="ignore"):
            return np.asarray(evaluate(*arrays, **attributes))

    def zero(*_: object) -> None:
        return None

    record = Primitive(
        name=name,
        infer=infer or _infer(name, kinds, result),
        evaluate=apply,
        jvp=jvp or (zero if linearity == "constant" else nonlinear(partials)),
        linearity=linearity,
        transpose=transpose,
        batch=fronted(name),
        axes=elementwise_axes,
        lowering=Elementwise(scalar),
        samples=tuple(_sample(s) for s in samples),
        source=source,
        commutative=commutative,
    )
    return primitives.register(record)


def _sample(entry: Sequence[object]) -> Sample:
    last = entry[-1] if entry else None
    if isinstance(last, dict):
        return Sample(tuple(np.asarray(a) for a in entry[:-1]), last)
    return Sample(tuple(np.asarray(a) for a in entry), {})


def _linear_jvp(name: str) -> Callable[..., Operand | None]:
    def jvp(
        result: Operand,
        operands: Sequence[Operand],
        tangents: Sequence[Operand | None],
        attributes: Attributes,
    ) -> Operand | None:
        x, y = tangents
        if x is None:
            return y if name == "add" else (None if y is None else neg(y))
        return x if y is None else bind(primitives[name], (x, y), attributes)

    return jvp


def _bilinear_jvp(
    result: Operand,
    operands: Sequence[Operand],
    tangents: Sequence[Operand | None],
    attributes: Attributes,
) -> Operand | None:
    (x, y), (dx, dy) = operands, tangents
    return _sum([None if dx is None else mul(dx, y), None if dy is None else mul(x, dy)])


def scalar_call(name: str) -> Callable[..., object]:
    """Lower to a named function of the back end's vector mathematics."""

    def scalar(emitter: Any, operation: Operation, *operands: Any) -> Any:
        return emitter.call(name, *operands)

    return scalar


def scalar_method(name: str) -> Callable[..., object]:
    """Lower to a method of the emitter."""

    def scalar(emitter: object, operation: Operation, *operands: object) -> object:
        return getattr(emitter, name)(*operands)

    return scalar


neg: Primitive = register_elementwise(
    "neg", np.negative, scalar_method("neg"), [(GRID,), (GRID.astype(FLOAT32),)],
    jvp=lambda y, x, t, a: None if t[0] is None else neg(t[0]),
    transpose=lambda ct, i, x, a: neg(ct),
    linearity="joint", kinds=NUMBERS,
)  # fmt: skip
add: Primitive = register_elementwise(
    "add", np.add, scalar_method("add"), [(GRID, OTHER), (INTEGERS, INTEGERS + 2)],
    jvp=_linear_jvp("add"), transpose=lambda ct, i, x, a: ct,
    linearity="joint", kinds=NUMBERS, commutative=True,
)  # fmt: skip
sub: Primitive = register_elementwise(
    "sub", np.subtract, scalar_method("sub"), [(GRID, OTHER), (INTEGERS, INTEGERS * 2)],
    jvp=_linear_jvp("sub"), transpose=lambda ct, i, x, a: ct if i == 0 else neg(ct),
    linearity="joint", kinds=NUMBERS,
)  # fmt: skip
mul: Primitive = register_elementwise(
    "mul", np.multiply, scalar_method("mul"), [(GRID, OTHER), (INTEGERS, INTEGERS - 4)],
    jvp=_bilinear_jvp, transpose=lambda ct, i, x, a: mul(ct, x[1 - i]),
    linearity="multi", kinds=NUMBERS, commutative=True,
)  # fmt: skip


def _select_infer(types: Types, attributes: Attributes) -> TensorType:
    condition, x, y = types
    if condition.dtype != BOOL or x != y or condition.shape != x.shape:
        raise ShapeError(
            f"select: expected bool[s], t[s], t[s], got {', '.join(str(t) for t in types)}"
        )
    return x


def _select_jvp(
    result: Operand,
    operands: Sequence[Operand],
    tangents: Sequence[Operand | None],
    attributes: Attributes,
) -> Operand | None:
    _, x, y = tangents
    if x is None and y is None:
        return None
    zero = filled(0.0, result)
    return select(operands[0], zero if x is None else x, zero if y is None else y)


def _select_transpose(
    ct: Operand, index: int, operands: Sequence[Operand], attributes: Attributes
) -> Operand:
    zero = filled(0.0, ct)
    return select(operands[0], ct, zero) if index == 1 else select(operands[0], zero, ct)


select: Primitive = register_elementwise(
    "select", np.where, scalar_method("select"), [(GRID > OTHER, GRID, OTHER)],
    jvp=_select_jvp, transpose=_select_transpose, linearity="joint", infer=_select_infer,
)  # fmt: skip

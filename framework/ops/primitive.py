"""The record of a primitive, the registry that refuses incomplete ones, and `bind`.

Everything the framework knows about an operation stands in its record: shape rule, NumPy
evaluation (the oracle of all other rules), JVP written in primitives, transpose where linear,
batching rule, how axes of operands and result correspond, scalar lowering for every kernel
back end, and sample inputs from which the generic tests are made.
"""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from ..core.dtypes import Array
from ..errors import RegistryError
from ..ir.builder import Builder
from ..ir.program import Value
from ..ir.types import Attribute, Attributes, Literal, TensorType, type_of_array

if TYPE_CHECKING:
    from .lowering import Lowering

__all__ = [
    "Axes", "Interpreted", "Operand", "Primitive", "Registry", "Sample", "bind", "building",
    "current_builder", "owned", "primitives", "type_of",
]  # fmt: skip


class Interpreted:
    """A value that gives primitives a meaning of its own (a Taylor series, for example)."""

    __slots__ = ()
    type: TensorType

    def interpret(
        self, primitive: Primitive, operands: Sequence[Operand], attributes: Attributes
    ) -> Operand:
        """Apply a primitive, at least one of whose operands is of this class."""
        raise NotImplementedError


Operand = Value | Array | Interpreted
Types = Sequence[TensorType]


@dataclass(frozen=True)
class Axes:
    """Labels for the axes of operands and result: equal labels walk together.

    A label of an operand that the result lacks is reduced over; ``None`` marks an axis whose
    elements mix in some other way (a reversed, gathered or partly sliced axis).
    """

    operands: tuple[tuple[int | None, ...], ...]
    result: tuple[int | None, ...]


@dataclass(frozen=True)
class Sample:
    """Inputs and attributes at which the generic tests exercise a primitive.

    `smooth` is false where the point set touches a kink, so that differences are not taken.
    """

    operands: tuple[Array, ...]
    attributes: Mapping[str, Attribute]
    smooth: bool = True


@dataclass(frozen=True)
class Primitive:
    """The complete record of one primitive operation.

    Parameters
    ----------
    name
        Name in the ``tensor`` dialect.
    infer
        Result type from operand types and attributes; raises `ShapeError` or `DtypeError`.
    evaluate
        NumPy evaluation, the oracle of the other rules.
    jvp
        ``(result, operands, tangents, attributes) -> tangent``, written in primitives; a tangent
        is None where zero. Linear in the tangents.
    linearity
        ``"joint"`` (linear in all differentiable operands together), ``"multi"`` (in each one
        alone), ``"constant"`` (zero derivative) or ``"none"``.
    transpose
        ``(cotangent, index, operands, attributes) -> cotangent of operand index``; given exactly
        where the primitive is linear.
    batch
        ``(operands, axes, size, attributes) -> (result, axis)`` with one mapped axis or None per
        operand.
    axes
        Correspondence of axes, from operand types and attributes.
    lowering
        How kernels compute it, for every back end.
    samples
        Sample inputs.
    source
        Where the rule comes from.
    commutative
        Whether the two operands may be exchanged.
    """

    name: str
    infer: Callable[[Types, Attributes], TensorType]
    evaluate: Callable[[Sequence[Array], Attributes], Array]
    jvp: Callable[
        [Operand, Sequence[Operand], Sequence[Operand | None], Attributes], Operand | None
    ]
    linearity: str
    transpose: Callable[[Operand, int, Sequence[Operand], Attributes], Operand] | None
    batch: Callable[
        [Sequence[Operand], Sequence[int | None], object, Attributes], tuple[Operand, int]
    ]
    axes: Callable[[Types, Attributes], Axes]
    lowering: Lowering
    samples: tuple[Sample, ...]
    source: str
    commutative: bool = False

    def __call__(self, *operands: Operand, **attributes: Attribute) -> Operand:
        return bind(self, operands, attributes)


class Registry(Mapping[str, Primitive]):
    """All primitives by name; refuses a record that lacks a rule."""

    def __init__(self) -> None:
        self._records: dict[str, Primitive] = {}

    def register(self, record: Primitive) -> Primitive:
        """Check and add a record, and return it."""
        if record.name in self._records:
            raise RegistryError(f"the primitive {record.name!r} is registered twice")
        missing = [
            f.name
            for f in fields(record)
            if f.name not in ("transpose", "commutative") and not getattr(record, f.name)
        ]
        if record.linearity not in ("joint", "multi", "constant", "none"):
            missing.append("linearity")
        if record.linearity in ("joint", "multi") and record.transpose is None:
            missing.append("transpose")
        if missing:
            raise RegistryError(
                f"the record of primitive {record.name!r} lacks {', '.join(sorted(set(missing)))}"
            )
        self._records[record.name] = record
        return record

    def __getitem__(self, name: str) -> Primitive:
        return self._records[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)


primitives = Registry()

_builders: contextvars.ContextVar[tuple[Builder, ...]] = contextvars.ContextVar(
    "builders", default=()
)


@contextmanager
def building(builder: Builder) -> Iterator[Builder]:
    """Make a builder the one that operations are appended to."""
    token = _builders.set((*_builders.get(), builder))
    try:
        yield builder
    finally:
        _builders.reset(token)


def current_builder() -> Builder | None:
    """Return the innermost builder, or None outside any trace."""
    stack = _builders.get()
    return stack[-1] if stack else None


def type_of(operand: Operand) -> TensorType:
    """Return shape and element type of an operand."""
    if isinstance(operand, np.ndarray | np.generic):
        return type_of_array(np.asarray(operand))
    return operand.type


# Larger arrays that a traced function closes over become inputs, so that a program does not
# carry data in its text and a kernel is not compiled again when the data change.
_LARGEST_CONSTANT = 16


def owned(builder: Builder, operand: Operand) -> Value:
    """Return a value of this builder for an operand from anywhere."""
    if isinstance(operand, Value):
        return operand if builder.owns(operand) else builder.capture(operand, operand, operand.type)
    if isinstance(operand, Interpreted):
        raise TypeError("an interpreted value cannot enter a program")
    array = np.asarray(operand)
    if array.size <= _LARGEST_CONSTANT:
        literal = Literal.of(array)
        attributes: Attributes = {"value": literal}
        return builder.emit("constant", (), attributes, (literal.type,)).result
    return builder.capture(operand, ("array", id(operand)), type_of_array(array))


def bind(primitive: Primitive, operands: Sequence[Operand], attributes: Attributes) -> Operand:
    """Apply a primitive: append it to the current program, evaluate it, or interpret it."""
    # a repeated array stays one operation of a trace and does not become a large constant
    traced = not operands or primitive.name == "broadcast"
    for operand in operands:
        if isinstance(operand, Interpreted):
            return operand.interpret(primitive, operands, attributes)
        if isinstance(operand, Value):
            traced = True
    builder = current_builder() if traced else None
    if builder is None:
        arrays = [np.asarray(o) for o in operands]
        primitive.infer([type_of_array(a) for a in arrays], attributes)
        return primitive.evaluate(arrays, attributes)
    values = [owned(builder, o) for o in operands]
    result = primitive.infer([v.type for v in values], attributes)
    return builder.emit(
        primitive.name, values, attributes, (result,), primitive.commutative
    ).result

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
    "Axes", "Concrete", "Interpreted", "MappedAxes", "Operand", "Operands", "Primitive", "Registry",
    "Sample", "Tangents", "Types", "array_of", "bind", "building", "current_builder", "owned",
    "primitives", "type_of",
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


class Concrete(Interpreted):
    """An array that may remember how it was computed.

    Primitives evaluate at once on it; a program that meets it takes it as a further input, as it
    does an array from outside.

    Attributes
    ----------
    array
        The numbers, read-only.
    requires_grad
        Whether what is computed from it is recorded.
    grad
        The gradient that `backward` has accumulated, or None.
    """

    __slots__ = ("array", "grad", "requires_grad")
    array: Array
    requires_grad: bool
    grad: Concrete | None

    @property
    def is_leaf(self) -> bool:
        """Whether it was given, and not computed by a recorded operation."""
        raise NotImplementedError

    def detach(self) -> Concrete:
        """Return the same numbers without their record."""
        raise NotImplementedError

    def require_grad(self, wanted: bool) -> None:
        """Start or stop recording what is computed from this leaf."""
        raise NotImplementedError

    def backward(self, gradient: Operand | None) -> None:
        """Add the gradient of this value to every leaf that it was computed from."""
        raise NotImplementedError


Operand = Value | Array | Interpreted
Operands = Sequence[Operand]
Tangents = Sequence[Operand | None]
MappedAxes = Sequence[int | None]
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


def array_of(operand: Operand) -> Array:
    """Return the numbers of an operand that has them."""
    return operand.array if isinstance(operand, Concrete) else np.asarray(operand)


# Larger arrays that a traced function closes over become inputs, so that a program does not
# carry data in its text and a kernel is not compiled again when the data change.
_LARGEST_CONSTANT = 16


def owned(builder: Builder, operand: Operand) -> Value:
    """Return a value of this builder for an operand from anywhere."""
    if isinstance(operand, Value):
        return operand if builder.owns(operand) else builder.capture(operand, operand, operand.type)
    if isinstance(operand, Concrete):
        return builder.capture(operand, operand, operand.type)
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
    concrete: Concrete | None = None
    for operand in operands:
        if isinstance(operand, Value):
            traced = True
        elif isinstance(operand, Concrete):
            concrete = operand
        elif isinstance(operand, Interpreted):
            return operand.interpret(primitive, operands, attributes)
    builder = current_builder() if traced else None
    if builder is None:
        if concrete is not None:
            return concrete.interpret(primitive, operands, attributes)
        arrays = [np.asarray(o) for o in operands]
        primitive.infer([type_of_array(a) for a in arrays], attributes)
        return primitive.evaluate(arrays, attributes)
    values = [owned(builder, o) for o in operands]
    result = primitive.infer([v.type for v in values], attributes)
    return builder.emit(primitive.name, values, attributes, (result,), primitive.commutative).result

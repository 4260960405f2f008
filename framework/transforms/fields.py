"""A pointwise field, traced at its points: what every way of differentiating it starts from."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..core.dims import Dim
from ..core.tree import Structure
from ..errors import DifferentiationError
from ..ir.program import Program, Value
from ..ops.primitive import Operand, primitives, type_of
from .custom import expand
from .pointwise import Mixing, check_pointwise, follow_axis, points_operand
from .trace import trace_call

__all__ = ["Field", "trace_field"]


@dataclass(frozen=True, eq=False)
class Field:
    """A function of points as a program.

    Attributes
    ----------
    program
        Its first input are the points, of shape (points, d); the others are what it closes over.
    operands
        The values of the inputs.
    structure
        The container of its result.
    """

    program: Program
    operands: tuple[Operand, ...]
    structure: Structure

    @property
    def points(self) -> Operand:
        """The points."""
        return self.operands[0]

    @property
    def dimension(self) -> int:
        """The number d of coordinates."""
        size = type_of(self.points).shape[1]
        assert isinstance(size, int)
        return size

    @functools.cached_property
    def expanded(self) -> Field:
        """The field with the bodies of custom functions in place, which shows its operations."""
        program = expand(self.program)
        return self if program is self.program else Field(program, self.operands, self.structure)

    @functools.cached_property
    def point_axes(self) -> Mapping[Value, int]:
        """The axis along which each value that depends on the points carries them."""
        carried = follow_axis(self.program, {self.program.inputs[0]: 0})
        assert not isinstance(carried, Mixing)
        return carried

    def elements(self, value: Value) -> int:
        """Return the number of elements a value has for each point."""
        total = 1
        for axis, size in enumerate(value.type.shape):
            if axis != self.point_axes.get(value):
                total *= 1 if isinstance(size, Dim) else size
        return total

    @functools.cached_property
    def degree(self) -> Mapping[Value, int]:
        """How each value depends on the points: 1 affinely, 2 in another way; others are left out.

        The Taylor coefficients of an affine value are constants above order zero, and vanish
        above order one.
        """
        found: dict[Value, int] = {self.program.inputs[0]: 1}
        for operation in self.program.operations:
            given = [found[v] for v in operation.operands if v in found]
            record = primitives[operation.name]
            if not given or record.linearity == "constant":
                continue
            linear = record.linearity == "joint" or (
                record.linearity == "multi" and len(given) == 1
            )
            found[operation.result] = max(given) if linear else 2
        return found


def trace_field(u: Callable[[Any], Any], X: Any) -> Field:
    """Trace a field at points and check that it is pointwise."""
    points_operand(X)
    traced, operands = trace_call(u, (X,))
    if not traced.program.outputs:
        raise DifferentiationError(
            f"{traced.program.name} returned no array; is its return missing?"
        )
    check_pointwise(traced.program)
    return Field(traced.program, tuple(operands), traced.structure)

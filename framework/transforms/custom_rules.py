"""The derivative rules of custom functions as linear programs.

A rule ``rule(primals, tangents) -> (value, tangent)`` is Python code. It is traced at a call, and
its derivative by the tangents, which is the rule itself if it is linear in them, is the program

    (operands, tangents of some of them) -> tangent of one result

that every transform uses. A rule that is mapped over an axis, or whose symbolic sizes were
replaced, stays the rule with a note of that, so that a rule which calls its own function has an
end.
"""

from __future__ import annotations

import contextvars
import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.dims import Dim
from ..core.dtypes import is_float
from ..core.tree import Structure, flatten, unflatten
from ..errors import DifferentiationError
from ..ir.builder import Builder
from ..ir.dead_code import drop_dead
from ..ir.program import Program, Value, substitute_program
from ..ir.types import Literal, TensorType
from ..ops.fill import constant
from ..ops.primitive import Operand, building, owned, primitives, type_of
from .batching import vmap_program
from .forward import jvp_into
from .reverse import influencing_inputs, without_inputs
from .trace import trace, unwrap_leaves

if TYPE_CHECKING:
    from .custom import CustomJVP

__all__ = ["AnyRule", "Call", "Closure", "Mapped", "Written"]

# What the calls whose rules are being traced close over, so that a rule may call its function.
_known: contextvars.ContextVar[Mapping[Call, tuple[Operand, ...]]] = contextvars.ContextVar(
    "known", default=MappingProxyType({})
)


@dataclass(frozen=True)
class Call:
    """A kind of call: the function, its fixed arguments and the types of the others."""

    owner: CustomJVP
    statics: tuple[object, ...]
    structure: Structure
    types: tuple[TensorType, ...]
    out_structure: Structure
    out_types: tuple[TensorType, ...]

    @functools.cached_property
    def moving(self) -> tuple[int, ...]:
        """The arguments that have a tangent."""
        return tuple(i for i, t in enumerate(self.types) if is_float(t.dtype))

    def closure(self, captured: tuple[Operand, ...]) -> Closure:
        """Return the call with all that its function, which captures these, and rule close over."""
        known = _known.get().get(self)
        if known is not None:
            # a call inside its own rule: the same closure, and no end otherwise
            if [_place(c, known) for c in captured] != list(range(len(captured))):
                raise DifferentiationError(
                    f"{self.owner.name} closes over other values inside its own rule"
                )
            return Closure(self, known)
        closure = Closure(self, captured)
        if _known.get():
            # its rule may call its function with other fixed arguments, and so on without end
            return closure
        more = [c for c in closure.traced[1] if _place(c, captured) is None]
        return Closure(self, (*captured, *more)) if more else closure


class Closure:
    """A call with the values from outside that it uses, and its rule as programs."""

    def __init__(self, call: Call, captured: tuple[Operand, ...]) -> None:
        self.call = call
        self.captured = captured
        self._key = (call, tuple(map(id, captured)))
        self._linear: dict[tuple[int, tuple[int, ...]], Program | None] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Closure) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @functools.cached_property
    def traced(self) -> tuple[Program, tuple[Operand, ...]]:
        """(arguments, tangents of the floating ones, captured) -> tangents of the results."""
        call = self.call
        count = len(call.types)
        types = [*call.types, *(call.types[i] for i in call.moving)]

        def tangents(*leaves: Any) -> Any:
            moved = dict(zip(call.moving, leaves[count:], strict=True))
            return self._tangents(
                unflatten(call.structure, leaves[:count]),
                unflatten(call.structure, [moved.get(i) for i in range(count)]),
            )

        token = _known.set({**_known.get(), call: self.captured})
        try:
            traced = trace(tangents, flatten(tuple(types))[1], types, f"{call.owner.name}_jvp")
        finally:
            _known.reset(token)
        zero = _vanishing(traced.program, traced.program.inputs[count:])
        if not all(v in zero for v in traced.program.outputs):
            raise DifferentiationError(
                f"the rule of {call.owner.name} is not linear in the tangents: "
                "its tangent does not vanish where they are zero"
            )
        return traced.program, traced.captured

    def _tangents(self, primals: Any, tangents: Any) -> Any:
        """Call the rule and check what it returns."""
        call, name = self.call, self.call.owner.name
        assert call.owner.rule is not None
        result = call.owner.rule(*call.statics, primals, tangents)
        if not isinstance(result, tuple | list) or len(result) != 2:
            raise DifferentiationError(
                f"the rule of {name} must return (value, tangent), got {type(result).__name__}"
            )
        for word, part in zip(("value", "tangent"), result, strict=True):
            operands, structure = unwrap_leaves(part)
            if structure != call.out_structure:
                raise DifferentiationError(
                    f"the rule of {name} must return a {word} with the container of the result"
                )
            for operand, expected in zip(operands, call.out_types, strict=True):
                if type_of(operand) != expected:
                    raise DifferentiationError(
                        f"the rule of {name} must return a {word} of the type of the result, "
                        f"{expected}, got {type_of(operand)}"
                    )
        return result[1]

    def linear(self, index: int, moving: tuple[int, ...]) -> Program | None:
        """Return (operands, tangents of some of them) -> tangent of a result; None where zero.

        Raises
        ------
        DifferentiationError
            If the rule ignores one of the tangents, is not linear, or cannot know of one.
        """
        if (index, moving) not in self._linear:
            self._check_used(moving)
            self._linear[index, moving] = self._make_linear(index, moving)
        return self._linear[index, moving]

    def _check_used(self, moving: tuple[int, ...]) -> None:
        call, name = self.call, self.call.owner.name
        count = len(call.types)
        if any(i >= count for i in moving):
            raise DifferentiationError(
                f"{name} uses a value from outside that has a derivative, which its rule cannot "
                "know of; pass that value as an argument"
            )
        used = influencing_inputs(self.traced[0])
        for i in moving:
            if count + call.moving.index(i) not in used:
                raise DifferentiationError(
                    f"the rule of {name} ignores the tangent of argument {i}, so that derivative "
                    "would silently be zero; if that is meant, pass the argument through "
                    "stop_gradient"
                )

    def _make_linear(self, index: int, moving: tuple[int, ...]) -> Program | None:
        """The derivative of the rule by the tangents, which is the rule if it is linear."""
        call, (program, sources) = self.call, self.traced
        count = len(call.types)
        builder = Builder([*call.types, *map(type_of, self.captured)])
        operands = list(builder.block.arguments)
        inner = [builder.argument(call.types[i]) for i in call.moving]
        given = {i: builder.argument(call.types[i]) for i in moving}
        with building(builder):
            closed = [self._closed(s, operands[count:]) for s in sources]
            _, moved = jvp_into(
                program,
                [*operands[:count], *inner, *closed],
                [*([None] * count), *map(given.get, call.moving), *([None] * len(closed))],
            )
            tangent = moved[index]
            if tangent is None:
                return None
            result = owned(builder, tangent)
        made = drop_dead(builder.finish(f"{call.owner.name}_linear", [result]))
        if any(v in inner for operation in made.operations for v in operation.operands):
            raise DifferentiationError(
                f"the rule of {call.owner.name} is not linear in the tangents: its derivative by "
                "them depends on them"
            )
        return without_inputs(made, inner)

    def _closed(self, source: Operand, operands: Sequence[Value]) -> Operand:
        """Return what stands for something the rule closes over."""
        place = _place(source, self.captured)
        if place is not None:
            return operands[place]
        if isinstance(source, np.ndarray):
            return constant(value=Literal.of(source))
        raise DifferentiationError(
            f"the rule of {self.call.owner.name}, which is called in another rule, uses a traced "
            "value that the function itself does not use; pass that value as an argument"
        )


def _place(source: Operand, sources: Sequence[Operand]) -> int | None:
    """Return the position of a captured value; an array may have been made again."""
    for position, other in enumerate(sources):
        if source is other or (
            isinstance(source, np.ndarray)
            and isinstance(other, np.ndarray)
            and type_of(source) == type_of(other)
            and source.tobytes() == other.tobytes()
        ):
            return position
    return None


@dataclass(frozen=True)
class Written:
    """The rule of one result, as the user wrote it."""

    closure: Closure
    index: int

    def resized(self, sizes: Mapping[str, int | Dim]) -> Resized:
        """Return the rule with symbolic sizes replaced."""
        return Resized(self, tuple(sorted(sizes.items())))

    def linear(self, moving: tuple[int, ...]) -> Program | None:
        """Return the tangent as a linear program in the tangents of some operands."""
        return self.closure.linear(self.index, moving)


@dataclass(frozen=True)
class Mapped:
    """The rule of a call that is mapped over a new first axis of some operands."""

    inner: AnyRule
    mapped: tuple[bool, ...]
    size: int | Dim

    def resized(self, sizes: Mapping[str, int | Dim]) -> Resized:
        """Return the rule with symbolic sizes replaced."""
        return Resized(self, tuple(sorted(sizes.items())))

    def linear(self, moving: tuple[int, ...]) -> Program | None:
        """Return the linear program over the new axis."""
        one = self.inner.linear(moving)
        if one is None:
            return None
        return vmap_program(one, [*self.mapped, *(self.mapped[i] for i in moving)], self.size)


@dataclass(frozen=True)
class Resized:
    """A rule with symbolic sizes replaced."""

    inner: AnyRule
    sizes: tuple[tuple[str, int | Dim], ...]

    def resized(self, sizes: Mapping[str, int | Dim]) -> Resized:
        """Return the rule with symbolic sizes replaced."""
        return Resized(self, tuple(sorted(sizes.items())))

    def linear(self, moving: tuple[int, ...]) -> Program | None:
        """Return the linear program at the sizes."""
        general = self.inner.linear(moving)
        return None if general is None else substitute_program(general, dict(self.sizes))


AnyRule = Written | Mapped | Resized


def _vanishing(program: Program, tangents: Sequence[Value]) -> set[Value]:
    """Return the values that are surely zero where the tangents are."""
    zero = set(tangents)
    for operation in program.operations:
        linearity = primitives[operation.name].linearity
        floating = [v for v in operation.operands if is_float(v.type.dtype)]
        if operation.name in ("full", "constant"):
            vanishes = not np.any(operation.attributes["value"].array)
        elif linearity == "joint":
            vanishes = bool(floating) and all(v in zero for v in floating)
        elif linearity == "multi":
            vanishes = any(v in zero for v in floating)
        else:
            vanishes = operation.name == "div" and operation.operands[0] in zero
        if vanishes:
            zero.add(operation.result)
    return zero

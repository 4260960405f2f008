"""Functions with a derivative of their own: `custom_jvp`, and the primitive that stands for a call.

A call is one operation ``custom_jvp`` for each result. Its attribute `body` is the program of the
function, which says what the operation computes, which axes walk together and how it is printed;
its rule is Python code. From the rule comes, once and for all transforms, the program

    (operands, tangents of some of them) -> tangent of the result,

linear in the tangents. Forward mode puts it in place of the JVP of a primitive; reverse mode
transposes it; Taylor mode expands it as a program in series, so that derivatives of every order
follow from the rule and never from the body. A rule that calls its own function for the value
gets the operation that is already there, which closes recurrences such as y' = 1 - y^2.

Before compilation `expand` puts the body in place of the operation.

References
----------
Bradbury et al.: JAX (2018), ``jax.custom_jvp``, whose meaning this follows.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..core.dims import evaluate_dim
from ..core.dtypes import Array, is_float
from ..core.tree import Structure, flatten
from ..errors import DifferentiationError, TraceError
from ..ir.dead_code import drop_dead
from ..ir.program import Block, Body, Operation, Program, Value
from ..ir.types import Attributes, TensorType
from ..ops.lowering import Expanded
from ..ops.mapped import to_front
from ..ops.math import cos, sin
from ..ops.primitive import (
    Axes,
    MappedAxes,
    Operand,
    Operands,
    Primitive,
    Sample,
    Tangents,
    Types,
    bind,
    primitives,
    type_of,
)
from ..ops.samples import GRID, OTHER
from ..ops.tensor import unwrap, wrap
from .batching import vmap_program
from .custom_rules import Call, Mapped, Written
from .pointwise import Mixing, follow_axis
from .trace import bind_sizes, evaluate, inline, rebuild, rewrap, trace, unwrap_leaves

__all__ = ["CustomJVP", "custom_jvp", "expand"]

Function = Callable[..., Any]


class CustomJVP:
    """A function with a derivative rule; see `custom_jvp`."""

    def __init__(self, function: Function, nondiff_argnums: Sequence[int]) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.name = getattr(function, "__name__", "function")
        self.fixed = tuple(sorted(nondiff_argnums))
        self.rule: Function | None = None
        if len(set(self.fixed)) != len(self.fixed) or any(n < 0 for n in self.fixed):
            raise DifferentiationError(
                f"{self.name}: nondiff_argnums must be distinct positions from 0 on, "
                f"got {tuple(nondiff_argnums)}"
            )

    def defjvp(self, rule: Function) -> Function:
        """Set the rule ``rule(primals, tangents) -> (value, tangent)`` and return it."""
        self.rule = rule
        return rule

    def __call__(self, *arguments: Any) -> Any:
        if self.rule is None:
            raise DifferentiationError(
                f"{self.name} has no derivative rule; give it one with defjvp"
            )
        if any(n >= len(arguments) for n in self.fixed):
            raise TraceError(
                f"{self.name}: nondiff_argnums {self.fixed}, but {len(arguments)} arguments"
            )
        statics = tuple(arguments[n] for n in self.fixed)
        moving = tuple(a for n, a in enumerate(arguments) if n not in self.fixed)
        operands, structure = unwrap_leaves(moving)
        bodies, captured, out = self.bodies(statics, structure, [type_of(o) for o in operands])
        results = [bind(custom_jvp_call, [*operands, *captured], {"body": b}) for b in bodies]
        return rewrap(out, results)

    def bodies(
        self, statics: tuple[object, ...], structure: Structure, types: Sequence[TensorType]
    ) -> tuple[list[Body], tuple[Operand, ...], Structure]:
        """Trace the function; return a body for each result, what it captures, and its container.

        Parameters
        ----------
        statics
            The arguments at `nondiff_argnums`.
        structure, types
            Container and leaf types of the other arguments.
        """
        for n, value in zip(self.fixed, statics, strict=True):
            try:
                hash(value)
            except TypeError:
                raise TraceError(
                    f"{self.name}: argument {n} is in nondiff_argnums, so it must be hashable and "
                    f"not traced, got {type(value).__name__}"
                ) from None

        def apply(*moving: Any) -> Any:
            rest, given = iter(moving), dict(zip(self.fixed, statics, strict=True))
            count = len(moving) + len(given)
            return self.function(*(given[n] if n in given else next(rest) for n in range(count)))

        traced = trace(apply, structure, types, self.name)
        outputs = tuple(v.type for v in traced.program.outputs)
        for output in outputs:
            if not is_float(output.dtype):
                raise DifferentiationError(
                    f"{self.name} must return floating arrays to have a derivative, got {output}; "
                    "return others from a plain function"
                )
        call = Call(self, statics, structure, tuple(types), traced.structure, outputs)
        closure = call.closure(traced.captured)
        block = traced.program.block
        for source in closure.captured[len(traced.captured) :]:
            block.add_argument(type_of(source))
        bodies = []
        for index, output_value in enumerate(block.outputs):
            one = Block()
            one.arguments, one.operations, one.outputs = (
                block.arguments, block.operations, [output_value]
            )  # fmt: skip
            body = drop_dead(Program(self.name, one))
            bodies.append(Body(body, Written(closure, index)))
        return bodies, closure.captured, traced.structure


# --- the primitive ----------------------------------------------------------------------------


def _infer(types: Types, attributes: Attributes) -> TensorType:
    program = attributes["body"].program
    sizes = bind_sizes(program, types)
    (output,) = program.outputs
    return TensorType(tuple(evaluate_dim(s, sizes) for s in output.type.shape), output.type.dtype)


def _evaluate(arrays: Sequence[Array], attributes: Attributes) -> Array:
    (result,) = evaluate(attributes["body"].program, arrays)
    return result


def _jvp(
    result: Operand, operands: Operands, tangents: Tangents, attributes: Attributes
) -> Operand | None:
    body = attributes["body"]
    moving = tuple(i for i, t in enumerate(tangents) if t is not None)
    if body.rule is None:
        raise DifferentiationError(
            f"{body.program.name} was read from text, which does not hold its derivative rule"
        )
    linear = body.rule.linear(moving) if moving else None
    if linear is None:
        return None
    (tangent,) = inline(linear, [*operands, *(t for t in tangents if t is not None)])
    return tangent


def _batch(
    operands: Operands, axes: MappedAxes, size: Any, attributes: Attributes
) -> tuple[Operand, int]:
    body = attributes["body"]
    mapped = tuple(a is not None for a in axes)
    moved = [o if a is None else to_front(o, a, size) for o, a in zip(operands, axes, strict=True)]
    rule = None if body.rule is None else Mapped(body.rule, mapped, size)
    several = Body(vmap_program(body.program, mapped, size), rule)
    return bind(custom_jvp_call, moved, {"body": several}), 0


def _axes(types: Types, attributes: Attributes) -> Axes:
    """An axis that the body carries to its result has the label of the axis there."""
    program = attributes["body"].program
    (output,) = program.outputs
    labels: list[tuple[int | None, ...]] = []
    for value in program.inputs:
        ends: list[int | None] = []
        for axis in range(value.type.rank):
            carried = follow_axis(program, {value: axis})
            ends.append(None if isinstance(carried, Mixing) else carried.get(output))
        labels.append(tuple(ends))
    return Axes(tuple(labels), tuple(range(output.type.rank)))


def _sample(function: Function, tangent: Function, *operands: Array) -> Sample:
    custom = CustomJVP(function, ())
    custom.defjvp(lambda primals, tangents: (function(*primals), tangent(primals, tangents)))
    bodies, _, _ = custom.bodies((), flatten(operands)[1], [type_of(o) for o in operands])
    return Sample(operands, {"body": bodies[0]})


def _rational_tangent(primals: Any, tangents: Any) -> Any:
    (x, y), (dx, dy) = primals, tangents
    return dx * y / (1.0 + y * y) + dy * x * (1.0 - y * y) / (1.0 + y * y) ** 2


custom_jvp_call: Primitive = primitives.register(
    Primitive(
        name="custom_jvp",
        infer=_infer,
        evaluate=_evaluate,
        jvp=_jvp,
        linearity="none",
        transpose=None,
        batch=_batch,
        axes=_axes,
        lowering=Expanded(),
        samples=(
            _sample(
                lambda x: wrap(sin(unwrap(x))), lambda p, t: t[0] * wrap(cos(unwrap(p[0]))), GRID
            ),
            _sample(lambda x, y: x * y / (1.0 + y * y), _rational_tangent, GRID, OTHER),
        ),
        source="the user's rule",
    )
)  # fmt: skip


def expand(program: Program) -> Program:
    """Return the program with the body of every call of a custom function in its place."""
    if not any(isinstance(primitives[o.name].lowering, Expanded) for o in program.operations):
        return program
    values: dict[Value, Operand] = {}
    return rebuild(program, values, lambda o: _expanded(o, [values[v] for v in o.operands]))


def _expanded(operation: Operation, operands: Sequence[Operand]) -> Operand:
    record = primitives[operation.name]
    if not isinstance(record.lowering, Expanded):
        return bind(record, operands, operation.attributes)
    (result,) = inline(expand(operation.attributes["body"].program), operands)
    return result


def custom_jvp(function: Function, nondiff_argnums: Sequence[int] = ()) -> CustomJVP:
    """Return a function whose derivative is given by a rule instead of by its operations.

    The meaning is that of JAX's ``custom_jvp``: at (primals, tangents) the rule returns the value
    y = f(x) and the directional derivative J(x) t. Every transform follows it: forward and reverse
    mode, Taylor mode of any order, maps, compilation, and all of them nested. Derivatives of
    higher order are those of the rule.

    Parameters
    ----------
    function
        Function of arrays and nested containers of arrays, with floating results.
    nondiff_argnums
        Positions of arguments that are no arrays (names, integers, functions); they are hashable,
        and the rule receives them first: ``rule(*fixed, primals, tangents)``.

    Returns
    -------
    CustomJVP
        The function; set the rule with its method ``defjvp``, which serves as a decorator.
        ``rule(primals, tangents)`` takes two tuples with one entry per argument (None as tangent
        of an argument that is not floating) and returns ``(value, tangent)``, both of the types of
        the result. The tangent is linear in the tangents.

    Raises
    ------
    DifferentiationError
        At a traced call, if there is no rule or it returns other types than the function; when a
        derivative is taken, if the rule is not linear in the tangents or ignores that of an
        argument that has a derivative, or if the function uses a value from outside that has one.

    Notes
    -----
    The value that the rule returns is checked in type only; the function's own value is used.
    Function and rule may close over arrays and traced values; these are constants to the rule.

    Examples
    --------
    A rule that keeps its digits where the derivative of log(1 + exp(x)) overflows:

    >>> import sciml.framework as sf
    >>> @sf.custom_jvp
    ... def log_one_plus_exp(x):
    ...     return sf.log1p(sf.exp(x))
    >>> @log_one_plus_exp.defjvp
    ... def rule(primals, tangents):
    ...     (x,), (t,) = primals, tangents
    ...     return log_one_plus_exp(x), t * sf.logistic(x)
    >>> sf.grad(log_one_plus_exp)(np.array(0.0)), sf.grad(sf.grad(log_one_plus_exp))(np.array(0.0))
    (array(0.5), array(0.25))
    """
    return CustomJVP(function, nondiff_argnums)

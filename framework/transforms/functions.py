"""The transforms as functions of Python functions: make_program, jvp, vjp, linearize, vmap."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..core.tree import Structure, flatten
from ..errors import ShapeError
from ..ir.program import Program
from ..ir.types import TensorType
from ..ops.elementwise import filled
from ..ops.primitive import Operand, type_of
from .batching import vmap_into
from .forward import check_differentiable, jvp_into, linearize_program
from .reverse import transpose_program
from .trace import Traced, inline, rewrap, trace, trace_call, unwrap_leaves

__all__ = ["jvp", "linearize", "make_program", "vjp", "vmap"]

Function = Callable[..., Any]


def make_program(function: Function) -> Callable[..., Program]:
    """Return a function that traces `function` at example arguments and returns its Program.

    An argument may be an array, a number, or a `TensorType`, whose shape may hold symbolic sizes.

    Examples
    --------
    >>> import sciml.framework as sf
    >>> print(sf.make_program(lambda x: sf.sin(x) * 2.0)(np.ones(3)))
    program @"<lambda>"(%0: f64[3]) -> (f64[3]) {
      %1 = tensor.sin(%0) : f64[3]
      %2 = tensor.full() {value = literal<f64[] 2.0>, shape = (3,)} : f64[3]
      %3 = tensor.mul(%1, %2) : f64[3]
      return %3
    }
    """

    def make(*arguments: object) -> Program:
        leaves, structure = flatten(arguments)
        types = [
            leaf if isinstance(leaf, TensorType) else type_of(unwrap_leaves(leaf)[0][0])
            for leaf in leaves
        ]
        return trace(function, structure, types).program

    return make


def jvp(function: Function, primals: Sequence[object], tangents: Sequence[object]) -> Any:
    """Return the value and the directional derivative J(primals) tangents.

    Parameters
    ----------
    function
        Function of ``len(primals)`` arguments.
    primals, tangents
        Tuples of equal structure, shapes and element types.

    Examples
    --------
    >>> jvp(lambda x: x * x, (np.array(3.0),), (np.array(1.0),))
    (array(9.), array(6.))
    """
    traced, operands = trace_call(function, primals)
    moving, structure = unwrap_leaves(tuple(tangents))
    _match_tangents(operands, moving, structure, tuple(primals), "tangent")
    check_differentiable(traced.program, range(len(moving)))
    padded = [*moving, *([None] * len(traced.captured))]
    values, out = jvp_into(traced.program, operands, padded)
    dense = [filled(0.0, v) if t is None else t for v, t in zip(values, out, strict=True)]
    return rewrap(traced.structure, values), rewrap(traced.structure, dense)


def _match_tangents(
    operands: Sequence[Operand],
    given: Sequence[Operand],
    structure: Structure,
    primals: object,
    word: str,
) -> None:
    if structure != flatten(primals)[1]:
        raise ShapeError(f"{word}s must have the container of the primals")
    for k, (x, t) in enumerate(zip(operands, given, strict=False)):
        if type_of(x) != type_of(t):
            raise ShapeError(f"{word} {k} must be {type_of(x)}, got {type_of(t)}")


def vjp(function: Function, *primals: object) -> tuple[Any, Function]:
    """Return the value and a function from cotangents to the cotangents of the arguments.

    Examples
    --------
    >>> value, pull = vjp(lambda x: x * x, np.array([1.0, 2.0]))
    >>> pull(np.array([1.0, 10.0]))
    (array([ 2., 40.]),)
    """
    traced, operands = trace_call(function, primals)
    count = len(operands) - len(traced.captured)
    primal, linear = linearize_program(traced.program, range(count))
    results = inline(primal, operands)
    outputs = len(traced.program.outputs)
    residuals = results[outputs:]
    inputs = [len(residuals) + i for i in range(count)]
    transposed = transpose_program(linear, inputs)
    structure = flatten(tuple(primals))[1]

    def pull(cotangents: object) -> Any:
        given, got = unwrap_leaves(cotangents)
        if got != traced.structure:
            raise ShapeError("cotangents must have the container of the result")
        return rewrap(structure, inline(transposed, [*residuals, *given]))

    return rewrap(traced.structure, results[:outputs]), pull


def linearize(function: Function, *primals: object) -> tuple[Any, Function]:
    """Return the value and the function that maps tangents to the tangent of the value."""
    traced, operands = trace_call(function, primals)
    count = len(operands) - len(traced.captured)
    primal, linear = linearize_program(traced.program, range(count))
    results = inline(primal, operands)
    outputs = len(traced.program.outputs)
    residuals = results[outputs:]

    def push(*tangents: object) -> Any:
        given, structure = unwrap_leaves(tuple(tangents))
        _match_tangents(operands, given, structure, tuple(primals), "tangent")
        return rewrap(traced.structure, inline(linear, [*residuals, *given]))

    return rewrap(traced.structure, results[:outputs]), push


def vmap(function: Function, in_axes: int | Sequence[int | None] | None = 0) -> Function:
    """Return a function over a batch: the mapped axis of each argument, then of each result, first.

    Parameters
    ----------
    function
        Function of one example.
    in_axes
        For all arguments, or for each, the axis to map, or None for an argument that every
        example shares.

    Examples
    --------
    >>> vmap(lambda x, y: (x * y).sum(), (0, None))(np.ones((3, 2)), np.ones(2))
    array([2., 2., 2.])
    """

    @functools.wraps(function)
    def evaluate(*arguments: object) -> Any:
        chosen = (
            (in_axes,) * len(arguments)
            if in_axes is None or isinstance(in_axes, int)
            else (tuple(in_axes))
        )
        if len(chosen) != len(arguments):
            raise ShapeError(f"vmap: {len(arguments)} arguments, but {len(chosen)} in_axes")
        operands, axes = [], []
        for argument, axis in zip(arguments, chosen, strict=True):
            for operand in unwrap_leaves(argument)[0]:
                operands.append(operand)
                rank = type_of(operand).rank
                if axis is not None and not -rank <= axis < rank:
                    raise ShapeError(f"vmap: {type_of(operand)} has no axis {axis}")
                axes.append(None if axis is None else axis % rank)
        sizes = {type_of(o).shape[a] for o, a in zip(operands, axes, strict=True) if a is not None}
        if len(sizes) != 1:
            raise ShapeError(
                f"vmap: mapped axes must have one size, got {sizes or 'no mapped axis'}"
            )
        traced = _trace_example(function, arguments, operands, axes)
        captured: list[int | None] = [None] * len(traced.captured)
        results = vmap_into(
            traced.program, [*operands, *traced.captured], [*axes, *captured], sizes.pop()
        )
        return rewrap(traced.structure, results)

    return evaluate


def _trace_example(
    function: Function,
    arguments: Sequence[object],
    operands: Sequence[Operand],
    axes: Sequence[int | None],
) -> Traced:
    types = []
    for operand, axis in zip(operands, axes, strict=True):
        type = type_of(operand)
        kept = tuple(s for i, s in enumerate(type.shape) if i != axis)
        types.append(TensorType(kept, type.dtype))
    return trace(function, flatten(tuple(arguments))[1], types)

"""The transforms as functions of Python functions: grad, jvp, vjp, jacobian, hessian, vmap, jet."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.dims import Dim
from ..core.dtypes import is_float
from ..core.tree import Structure, flatten, leaf_paths, map_leaves
from ..errors import DifferentiationError, ShapeError, UnusedInputWarning
from ..ir.program import Program
from ..ir.types import TensorType
from ..ops.elementwise import filled
from ..ops.primitive import Operand, type_of
from ..ops.shape import full, iota, reshape
from ..ops.tensor import wrap
from .batching import vmap_into
from .collapse import collapse
from .forward import check_differentiable, jvp_into, linearize_program
from .reverse import influencing_inputs, transpose_program, vjp_program
from .taylor import MultiIndex, Series, TaylorContext
from .trace import Traced, inline, rewrap, trace, trace_call, unwrap_leaves

__all__ = [
    "grad", "hessian", "jacobian", "jet", "jvp", "linearize", "make_program", "value_and_grad",
    "vjp", "vmap",
]  # fmt: skip

Function = Callable[..., Any]


def make_program(function: Function) -> Callable[..., Program]:
    """Return a function that traces `function` at example arguments and returns its Program.

    An argument may be an array, a number, or a `TensorType`, whose shape may hold symbolic sizes.

    Examples
    --------
    >>> import sciml.framework as sf
    >>> print(sf.make_program(lambda x: sf.sin(x) * 2.0)(np.ones(3)))
    program @<lambda>(%0: f64[3]) -> (f64[3]) {
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


def _selected(
    arguments: Sequence[object], argnums: int | Sequence[int]
) -> tuple[list[int], list[Structure], list[str]]:
    """Return leaf positions, structures and paths of the chosen arguments."""
    chosen = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    positions: list[int] = []
    structures: list[Structure] = []
    paths: list[str] = []
    offset = 0
    spans = []
    for argument in arguments:
        _, structure = flatten(argument)
        spans.append((offset, structure))
        offset += structure.leaf_count
    for n in chosen:
        if not -len(arguments) <= n < len(arguments):
            raise DifferentiationError(
                f"argument number {n} was chosen, but the function got {len(arguments)}"
            )
        start, structure = spans[n]
        positions += range(start, start + structure.leaf_count)
        structures.append(structure)
        paths += [f"argument {n}{p if p != 'value' else ''}" for p in leaf_paths(structure)]
    return positions, structures, paths


def _check_used(program: Program, positions: Sequence[int], paths: Sequence[str]) -> None:
    used = influencing_inputs(program)
    unused = [p for i, p in zip(positions, paths, strict=True) if i not in used]
    if not unused:
        return
    if len(unused) == len(positions):
        raise DifferentiationError(
            f"{program.name}: the result does not depend on {', '.join(unused)}, so the gradient "
            "would be zero; pass allow_unused=True if that is meant"
        )
    warnings.warn(
        f"{program.name}: the result does not depend on {', '.join(unused)}; "
        "the gradient there is zero (allow_unused=True silences this)",
        UnusedInputWarning,
        stacklevel=4,
    )


def value_and_grad(
    function: Function,
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    allow_unused: bool = False,
) -> Function:
    """Return a function that computes the value and the gradient of a scalar function.

    Parameters
    ----------
    function
        Returns a scalar (shape ``()``) of floating type; with `has_aux` a pair whose second part
        is passed on without being differentiated.
    argnums
        The argument, or arguments, to differentiate; each may be a nested container.
    has_aux
        Whether the function returns ``(value, auxiliary)``.
    allow_unused
        Accept arguments that do not influence the value; their gradient is zero.

    Returns
    -------
    callable
        ``(value, gradient)``, or ``((value, auxiliary), gradient)``; the gradient has the
        container of the argument.

    Raises
    ------
    DifferentiationError
        If the value is not a floating scalar or does not depend on the arguments.

    Examples
    --------
    >>> value_and_grad(lambda x: (x * x).sum())(np.array([1.0, 2.0]))
    (array(5.), array([2., 4.]))
    """

    @functools.wraps(function)
    def evaluate(*arguments: object) -> Any:
        positions, structures, paths = _selected(arguments, argnums)
        traced, operands = trace_call(function, arguments)
        types = [v.type for v in traced.program.outputs]
        if not types or types[0].shape != () or not is_float(types[0].dtype):
            got = ", ".join(map(str, types))
            raise DifferentiationError(
                f"the gradient needs a function with one floating scalar result, "
                f"{traced.program.name} returns {got or 'nothing'}; use .mean() or .sum()"
            )
        if len(types) > 1 and not has_aux:
            raise DifferentiationError(
                f"{traced.program.name} returns {len(types)} arrays; "
                "return one scalar, or pass has_aux=True for (value, auxiliary)"
            )
        check_differentiable(traced.program, positions)
        if not allow_unused:
            _check_used(_first_output(traced.program), positions, paths)
        program = vjp_program(collapse(traced.program), positions)
        seeds = [
            full(t.shape, 1.0 if k == 0 else 0.0, t.dtype)
            for k, t in enumerate(types)
            if is_float(t.dtype)
        ]
        results = inline(program, [*operands, *seeds])
        value = rewrap(traced.structure, results[: len(types)])
        return value, _pack(structures, results[len(types) :], isinstance(argnums, int))

    return evaluate


def _first_output(program: Program) -> Program:
    from ..ir.program import Block

    block = Block()
    block.arguments, block.operations = program.block.arguments, program.block.operations
    block.outputs = program.outputs[:1]
    return Program(program.name, block)


def _pack(structures: Sequence[Structure], leaves: Sequence[Operand], single: bool) -> Any:
    packed, offset = [], 0
    for structure in structures:
        packed.append(rewrap(structure, leaves[offset : offset + structure.leaf_count]))
        offset += structure.leaf_count
    return packed[0] if single else tuple(packed)


def grad(
    function: Function,
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    allow_unused: bool = False,
) -> Function:
    """Return a function that computes the gradient of a scalar function.

    Parameters are those of `value_and_grad`; with `has_aux` the result is
    ``(gradient, auxiliary)``. Gradients nest to any order.

    Examples
    --------
    >>> import sciml.framework as sf
    >>> grad(grad(sf.sin))(np.array(0.5)) + np.sin(0.5)
    np.float64(0.0)
    """
    both = value_and_grad(function, argnums, has_aux, allow_unused)

    @functools.wraps(function)
    def evaluate(*arguments: object) -> Any:
        value, gradient = both(*arguments)
        return (gradient, value[1]) if has_aux else gradient

    return evaluate


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


def _basis(type: TensorType) -> Operand:
    """Return the unit tangents of a type, stacked along a new leading axis."""
    size = type.size
    if isinstance(size, Dim):
        raise ShapeError(f"the Jacobian of an argument of symbolic size {size} is not defined")
    from ..ops.math import eq
    from ..ops.shape import convert

    shape = (size, size)
    row, column = (iota(shape=shape, axis=k, dtype=np.dtype(np.int64)) for k in (0, 1))
    return reshape(convert(eq(row, column), dtype=type.dtype), shape=(size, *type.shape))


def jacobian(function: Function, argnums: int = 0) -> Function:
    """Return the Jacobian: result axes first, then the axes of the chosen argument.

    Forward mode where the argument has no more elements than the result, reverse mode otherwise.
    The argument must be one array, the result may be a container.

    Examples
    --------
    >>> jacobian(lambda x: x * x)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """

    @functools.wraps(function)
    def evaluate(*arguments: object) -> Any:
        x = arguments[argnums]
        (operand,), structure = unwrap_leaves(x)
        if structure.kind is not None:
            raise DifferentiationError("jacobian: the chosen argument must be one array")

        def along(value: object) -> Any:
            replaced = [value if k == argnums % len(arguments) else a for k, a in
                        enumerate(arguments)]  # fmt: skip
            return function(*replaced)

        type = type_of(operand)
        traced, _ = trace_call(along, (x,))
        outputs = [v.type for v in traced.program.outputs]
        if 0 not in influencing_inputs(traced.program):
            raise DifferentiationError(
                f"{getattr(function, '__name__', 'function')} does not depend on argument {argnums}"
            )
        wide = all(
            isinstance(t.size, int) and isinstance(type.size, int) and t.size < type.size
            for t in outputs
        )
        if wide and len(outputs) == 1:
            _, pull = vjp(along, x)
            rows = vmap(lambda ct: pull(ct)[0])(wrap(_basis(outputs[0])))
            return rows.reshape((*outputs[0].shape, *type.shape))
        columns = vmap(lambda t: jvp(along, (x,), (t,))[1])(wrap(_basis(type)))
        return map_leaves(lambda c: _columns_last(c, type), columns)

    return evaluate


def _columns_last(columns: Any, type: TensorType) -> Any:
    rank = len(columns.shape) - 1
    moved = columns.transpose(*range(1, rank + 1), 0)
    return moved.reshape((*columns.shape[1:], *type.shape))


def hessian(function: Function, argnums: int = 0) -> Function:
    """Return the matrix of second derivatives of a scalar function.

    Examples
    --------
    >>> hessian(lambda x: (x * x * x).sum())(np.array([1.0, 2.0]))
    array([[ 6.,  0.],
           [ 0., 12.]])
    """
    return jacobian(grad(function, argnums), argnums)


def jet(
    function: Function, primals: Sequence[object], series: Sequence[Sequence[object]]
) -> tuple[Any, Any]:
    """Propagate Taylor series of one variable: the meaning and arguments of JAX's ``jet``.

    With x(t) = primal + sum over k of series[k-1] t^k / k!, return f(x(0)) and the derivatives
    d^k f(x(t)) / dt^k at t = 0. Terms are derivatives, not normalised coefficients.

    Parameters
    ----------
    primals
        One array per argument.
    series
        For each argument the derivatives of order 1 to K, all of the shape of the argument.

    Examples
    --------
    >>> import sciml.framework as sf
    >>> one, zero = np.array(1.0), np.array(0.0)
    >>> jet(sf.sin, (zero,), ((one, zero, zero),))
    (array(0.), [array(1.), array(0.), array(-1.)])
    """
    traced, operands = trace_call(function, primals)
    if len(series) != len(primals):
        raise ShapeError(f"jet: {len(primals)} primals, but {len(series)} series")
    orders = {len(s) for s in series}
    if len(orders) != 1:
        raise ShapeError(f"jet: all series must have one length, got {sorted(orders)}")
    order = orders.pop()
    context = TaylorContext(1)
    inputs: list[Operand] = []
    for operand, terms in zip(operands, series, strict=False):
        coefficients: dict[MultiIndex, Operand] = {}
        for k, term in enumerate(terms, 1):
            (value,), _ = unwrap_leaves(term)
            if type_of(value) != type_of(operand):
                raise ShapeError(
                    f"jet: series terms must be {type_of(operand)}, got {type_of(value)}"
                )
            coefficients[(k,)] = _scaled(value, 1.0 / math.factorial(k))
        inputs.append(context.input(operand, coefficients))
    results = inline(traced.program, [*inputs, *traced.captured])
    values: list[Operand] = []
    terms_out: list[list[Operand]] = []
    for result in results:
        base = result.coefficient((0,)) if isinstance(result, Series) else result
        assert base is not None
        values.append(base)
        terms_out.append([_term(result, base, k) for k in range(1, order + 1)])
    out = [[wrap(t) for t in terms] for terms in terms_out]
    if traced.structure.kind is None:
        return wrap(values[0]), out[0]
    return rewrap(traced.structure, values), out


def _term(result: Operand, base: Operand, k: int) -> Operand:
    part = result.coefficient((k,)) if isinstance(result, Series) else None
    return filled(0.0, base) if part is None else _scaled(part, float(math.factorial(k)))


def _scaled(x: Operand, factor: float) -> Operand:
    from ..ops.elementwise import mul

    return x if factor == 1.0 else mul(x, filled(factor, x))

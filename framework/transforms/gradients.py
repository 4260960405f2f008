"""Gradients of scalar functions of nested containers: value_and_grad and grad."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from ..core.dtypes import is_float
from ..core.tree import Structure, flatten, leaf_paths
from ..errors import DifferentiationError, UnusedInputWarning
from ..ir.program import Block, Program
from ..ops.complex import Complex
from ..ops.fill import full
from ..ops.primitive import Operand
from .collapse import collapse
from .forward import check_differentiable
from .reverse import influencing_inputs, vjp_program
from .trace import inline, rewrap, trace_call

__all__ = ["check_used", "grad", "refuse_complex", "value_and_grad"]

Function = Callable[..., Any]


def selected_leaves(
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


def check_used(program: Program, positions: Sequence[int], paths: Sequence[str]) -> None:
    """Refuse a gradient that is zero everywhere; warn where it is zero for some inputs."""
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


def refuse_complex(structure: Structure, name: str) -> None:
    """Refuse the gradient of a complex value, which could mean several things."""
    if structure.kind is Complex:
        raise DifferentiationError(
            f"{name} is complex, and the gradient of a complex value is not defined here; take a "
            "real one, such as abs()**2 (abs2() where it may be zero), .real or .imag"
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
        The argument, or arguments, to differentiate; each may be a nested container. The gradient
        in a `Complex` argument is that in its two parts, 2 dL/d conj(z).
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
        positions, structures, paths = selected_leaves(arguments, argnums)
        traced, operands = trace_call(function, arguments)
        value_structure = traced.structure
        if has_aux and value_structure.children:
            value_structure = value_structure.children[0]
        refuse_complex(value_structure, f"the result of {traced.program.name}")
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
            check_used(_first_output(traced.program), positions, paths)
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

"""Derivatives of pointwise functions of coordinates: any order, mixed, in one propagation."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import DifferentiationError, ShapeError
from ..ir.types import Literal
from ..ops.broadcast import broadcast
from ..ops.elementwise import filled, mul
from ..ops.fill import constant
from ..ops.primitive import Operand, bind, type_of
from ..ops.tensor import wrap
from .pointwise import check_pointwise, points_operand
from .taylor import MultiIndex, Series, TaylorContext
from .trace import inline, trace_call

__all__ = ["derivative", "derivatives", "pointwise_series"]

Field = Callable[[Any], Any]


def derivatives(
    u: Field, indices: Sequence[Sequence[int]] | Mapping[str, Sequence[int]]
) -> Callable[[Any], Any]:
    """Return a function that computes several derivatives of a field in one propagation.

    For each multi-index a it gives d^|a| u / dx_1^a_1 ... dx_d^a_d at every point. The truncated
    Taylor polynomials of all values are propagated once over the downward closure of the
    indices, for example 13 coefficients for the biharmonic operator in two variables.

    Parameters
    ----------
    u
        Pointwise function: X of shape (points, d) to (points,) or (points, m), each row from the
        same row of X.
    indices
        Multi-indices of length d; (0, ..., 0) gives u itself. With a mapping from names to
        multi-indices the result is a dictionary with these names.

    Returns
    -------
    callable
        Maps X to the list (or dictionary) of derivatives, each of the shape of u(X).

    Raises
    ------
    ShapeError
        If X is not (points, d) or an index has another length than d.
    DifferentiationError
        If u mixes points or does not depend on X.

    Examples
    --------
    >>> X = np.array([[1.0, 2.0]])
    >>> derivatives(lambda X: X[:, 0] ** 4 * X[:, 1] ** 2, [(0, 0), (2, 0), (3, 2)])(X)
    [array([4.]), array([48.]), array([48.])]
    >>> derivatives(lambda X: X[:, 0] ** 4 * X[:, 1] ** 2, {"u_xxx": (3, 0)})(X)
    {'u_xxx': array([96.])}
    """
    names = list(indices) if isinstance(indices, Mapping) else None
    given = indices.values() if isinstance(indices, Mapping) else indices
    wanted: list[MultiIndex] = [tuple(int(n) for n in a) for a in given]
    if not wanted:
        raise ShapeError("derivatives: at least one multi-index is needed")
    if any(n < 0 for a in wanted for n in a):
        raise ShapeError(f"derivatives: orders must not be negative, got {indices}")

    @functools.wraps(u)
    def evaluate(X: Any) -> Any:
        dimension = points_operand(X)[1]
        for a in wanted:
            if len(a) != dimension:
                raise ShapeError(
                    f"derivatives: multi-index {a} has {len(a)} entries, "
                    f"but the points have {dimension} coordinates"
                )
        used = [i for i in range(dimension) if any(a[i] for a in wanted)]

        def seed(operand: Operand) -> Mapping[MultiIndex, Operand]:
            return {tuple(int(k == i) for k in range(dimension)): _unit(operand, i) for i in used}

        results = [wrap(o) for o in pointwise_series(u, X, dimension, seed, wanted)]
        return results if names is None else dict(zip(names, results, strict=True))

    return evaluate


def pointwise_series(
    u: Field,
    X: Any,
    variables: int,
    seed: Callable[[Operand], Mapping[MultiIndex, Operand]],
    wanted: Sequence[MultiIndex],
) -> list[Operand]:
    """Propagate Taylor coefficients through a field and return derivatives of its value.

    Parameters
    ----------
    u
        Pointwise field.
    X
        Points of shape (points, d).
    variables
        Number of expansion variables.
    seed
        Coefficients of X above order zero, by multi-index, from the operand of X.
    wanted
        Multi-indices of the derivatives to return.
    """
    operand, _ = points_operand(X)
    traced, operands = trace_call(u, (X,))
    if len(traced.program.outputs) != 1:
        raise DifferentiationError(f"{traced.program.name} must return one array of values")
    check_pointwise(traced.program)
    series = TaylorContext(variables).input(operand, seed(operand))
    (result,) = inline(traced.program, [series, *operands[1:]])
    return [_derivative(result, a) for a in wanted]


def _unit(operand: Operand, i: int) -> Operand:
    """Return the direction e_i at every point."""
    type = type_of(operand)
    row = np.zeros(int(type.shape[1]), dtype=type.dtype)
    row[i] = 1.0
    unit = bind(constant, (), {"value": Literal.of(row)}) if _traced(operand) else row
    return broadcast(unit, shape=type.shape, dimensions=(1,))


def _traced(operand: Operand) -> bool:
    return not isinstance(operand, np.ndarray)


def _derivative(result: Operand, a: MultiIndex) -> Operand:
    base = result.coefficient((0,) * len(a)) if isinstance(result, Series) else result
    assert base is not None
    part = result.coefficient(a) if isinstance(result, Series) else (None if any(a) else base)
    if part is None:
        return filled(0.0, base)
    factor = math.prod(math.factorial(n) for n in a)
    return part if factor == 1 else mul(part, filled(float(factor), part))


def derivative(u: Field, index: Sequence[int]) -> Field:
    """Return a function that computes one derivative of a pointwise field.

    ``derivative(u, (2, 2))(X)`` is d^4 u / dx^2 dy^2 at X of shape (points, 2). See `derivatives`.

    Examples
    --------
    >>> derivative(lambda X: X[:, 0] ** 3 * X[:, 1], (2, 1))(np.array([[2.0, 5.0]]))
    array([12.])
    """
    several = derivatives(u, [index])

    @functools.wraps(u)
    def evaluate(X: Any) -> Any:
        return several(X)[0]

    return evaluate

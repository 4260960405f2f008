"""Differential operators on pointwise fields, written over `derivatives` and series along lines."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import DifferentiationError, ShapeError
from ..ops import functions as array
from ..ops.primitive import Operand, type_of
from ..ops.tensor import ArrayLike, Tensor, broadcast_to, wrap
from .derivatives import derivatives, pointwise_series
from .taylor import MultiIndex

__all__ = [
    "biharmonic", "curl", "directional", "divergence", "gradient", "laplacian", "linear_operator",
    "polyharmonic", "third_derivatives",
]  # fmt: skip

Field = Callable[[Any], Any]
Coefficient = Any  # a number, an array of shape (points,), or a function of X


def _dimension(X: Any) -> int:
    return int((X if isinstance(X, Tensor) else np.asarray(X)).shape[-1])


def _unit(d: int, *axes: int) -> MultiIndex:
    return tuple(sum(a == k for a in axes) for k in range(d))


def polyharmonic(u: Field, power: int) -> Field:
    """Return a function that computes the Laplacian applied `power` times at points X.

    (sum_i d^2/dx_i^2)^power = sum over |a| = power of power!/a! d^(2a), by the multinomial theorem.

    Parameters
    ----------
    u
        Pointwise field, X of shape (points, d) to (points,) or (points, m).
    power
        At least 1: 1 is the Laplacian, 2 the biharmonic operator.

    Examples
    --------
    >>> polyharmonic(lambda X: X[:, 0] ** 6, 3)(np.ones((1, 2)))
    array([720.])
    """
    if power < 1:
        raise ShapeError(f"polyharmonic: the power must be at least 1, got {power}")

    @functools.wraps(u)
    def evaluate(X: Any) -> Any:
        d = _dimension(X)
        halves = [
            _unit(d, *axes) for axes in itertools.combinations_with_replacement(range(d), power)
        ]
        parts = derivatives(u, [tuple(2 * n for n in a) for a in halves])(X)
        total = None
        for a, part in zip(halves, parts, strict=True):
            weight = math.factorial(power) // math.prod(math.factorial(n) for n in a)
            term = part if weight == 1 else float(weight) * part
            total = term if total is None else total + term
        return total

    return evaluate


def laplacian(u: Field) -> Field:
    """Return a function that computes the sum of u_xx over all coordinates at points X.

    Examples
    --------
    >>> laplacian(lambda X: X[:, 0] ** 2 + 3 * X[:, 1] ** 2)(np.ones((1, 2)))
    array([8.])
    """
    return polyharmonic(u, 1)


def biharmonic(u: Field) -> Field:
    """Return a function that computes laplacian(laplacian(u)) at points X.

    In two variables w_xxxx + 2 w_xxyy + w_yyyy.

    Examples
    --------
    >>> biharmonic(lambda X: X[:, 0] ** 4 + X[:, 0] ** 2 * X[:, 1] ** 2)(np.ones((1, 2)))
    array([32.])
    """
    return polyharmonic(u, 2)


def gradient(u: Field) -> Field:
    """Return a function that computes all first derivatives at points X.

    Shape (points, d) for a field of shape (points,), (points, m, d) for one of shape (points, m).

    Examples
    --------
    >>> gradient(lambda X: X[:, 0] * X[:, 1] ** 2)(np.array([[2.0, 3.0]]))
    array([[ 9., 12.]])
    """

    @functools.wraps(u)
    def evaluate(X: Any) -> Any:
        d = _dimension(X)
        return array.stack(derivatives(u, [_unit(d, i) for i in range(d)])(X), axis=-1)

    return evaluate


def third_derivatives(u: Field) -> Field:
    """Return a function that computes all third derivatives, shape (points, d, d, d).

    Each of the d (d+1) (d+2) / 6 different ones is computed once.

    Examples
    --------
    >>> third_derivatives(lambda X: X[:, 0] ** 2 * X[:, 1])(np.ones((1, 2)))[0, 0]
    array([[0., 2.],
           [2., 0.]])
    """

    @functools.wraps(u)
    def evaluate(X: Any) -> Any:
        d = _dimension(X)
        different = sorted({_unit(d, *axes) for axes in itertools.product(range(d), repeat=3)})
        parts = dict(zip(different, derivatives(u, different)(X), strict=True))
        rows = [
            array.stack(
                [
                    array.stack([parts[_unit(d, i, j, k)] for k in range(d)], axis=-1)
                    for j in range(d)
                ],
                axis=-2,
            )
            for i in range(d)
        ]
        return array.stack(rows, axis=-3)

    return evaluate


def divergence(v: Field) -> Field:
    """Return a function that computes the sum of dv_i/dx_i of a vector field (points, d).

    Examples
    --------
    >>> divergence(lambda X: X * X)(np.array([[1.0, 2.0, 3.0]]))
    array([12.])
    """

    @functools.wraps(v)
    def evaluate(X: Any) -> Any:
        jacobian = _vector_jacobian(v, X, "divergence")
        d = _dimension(X)
        return functools.reduce(lambda a, b: a + b, [jacobian[:, i, i] for i in range(d)])

    return evaluate


def curl(v: Field) -> Field:
    """Return a function that computes the curl of a vector field.

    In three dimensions (v_z,y - v_y,z, v_x,z - v_z,x, v_y,x - v_x,y) of shape (points, 3); in two
    dimensions the scalar v_y,x - v_x,y of shape (points,).

    Examples
    --------
    >>> curl(lambda X: X[:, ::-1] * np.array([-1.0, 1.0]))(np.ones((1, 2)))
    array([2.])
    """

    @functools.wraps(v)
    def evaluate(X: Any) -> Any:
        d = _dimension(X)
        if d not in (2, 3):
            raise ShapeError(f"curl: defined in 2 and 3 dimensions, the points have {d}")
        J = _vector_jacobian(v, X, "curl")
        if d == 2:
            return J[:, 1, 0] - J[:, 0, 1]
        parts = [J[:, 2, 1] - J[:, 1, 2], J[:, 0, 2] - J[:, 2, 0], J[:, 1, 0] - J[:, 0, 1]]
        return array.stack(parts, axis=1)

    return evaluate


def _vector_jacobian(v: Field, X: Any, name: str) -> Any:
    jacobian = gradient(v)(X)
    d = _dimension(X)
    if len(jacobian.shape) != 3 or jacobian.shape[1] != d:
        raise ShapeError(
            f"{name}: the field must have shape (points, {d}), its gradient has {jacobian.shape}"
        )
    return jacobian


def directional(u: Field, direction: ArrayLike | Sequence[float], order: int = 1) -> Field:
    """Return a function that computes d^k/dt^k u(x + t v) at t = 0.

    Parameters
    ----------
    u
        Pointwise field.
    direction
        v, of shape (d,) for all points or (points, d) for each; it is not normalised.
    order
        k, at least 1. The cost is that of k + 1 coefficients, whatever d is.

    Examples
    --------
    >>> directional(lambda X: X[:, 0] ** 2 * X[:, 1], [1.0, 1.0], 3)(np.ones((1, 2)))
    array([6.])
    """
    if order < 1:
        raise ShapeError(f"directional: the order must be at least 1, got {order}")

    @functools.wraps(u)
    def evaluate(X: Any) -> Any:
        def seed(operand: Operand) -> Mapping[MultiIndex, Operand]:
            dtype = type_of(operand).dtype
            given = (
                direction.value
                if isinstance(direction, Tensor)
                else np.asarray(direction, dtype=dtype)
            )
            return {(1,): broadcast_to(given, type_of(operand).shape)}

        (result,) = pointwise_series(u, X, 1, seed, [(order,)])
        return wrap(result)

    return evaluate


def linear_operator(u: Field, terms: Mapping[Sequence[int], Coefficient]) -> Field:
    """Return a function that computes sum_a c_a(x) d^a u at points X in one propagation.

    Parameters
    ----------
    u
        Pointwise field of shape (points,).
    terms
        Coefficient for each multi-index: a number, an array of shape (points,), or a function of
        X with such a result. The index (0, ..., 0) is the field itself.

    Examples
    --------
    >>> heat = linear_operator(lambda X: X[:, 0] ** 3 * X[:, 1], {(2, 0): -1.0, (0, 1): 1.0})
    >>> heat(np.array([[2.0, 5.0]]))
    array([-52.])
    """
    if not terms:
        raise DifferentiationError("linear_operator: at least one term is needed")

    @functools.wraps(u)
    def evaluate(X: Any) -> Any:
        total = None
        for coefficient, part in zip(terms.values(), derivatives(u, list(terms))(X), strict=True):
            weight = coefficient(X) if callable(coefficient) else coefficient
            term = weight * part
            total = term if total is None else total + term
        return total

    return evaluate

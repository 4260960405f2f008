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
from ..ops.complex import Complex
from ..ops.primitive import type_of
from ..ops.tensor import ArrayLike, Tensor, broadcast_to, is_complex
from .derivatives import derivatives
from .fields import Field as TracedField
from .fields import trace_field
from .gradients import grad
from .jacobians import jacobian
from .planner import compute
from .plans.multi_index import derivative_of
from .plans.nested import first_derivatives
from .plans.request import Request, multi_indices
from .taylor import MultiIndex, TaylorContext
from .trace import inline, rewrap, trace_call

__all__ = [
    "biharmonic", "curl", "directional", "divergence", "gradient", "hessian", "laplacian",
    "linear_operator",
    "polyharmonic", "third_derivatives",
]  # fmt: skip

# In more dimensions the gradient is one reverse sweep, without a look at other plans.
_WIDE = 64
# Beyond this the exact operators would need gigabytes for the multi-indices alone.
_MOST_DIMENSIONS = 2000

Field = Callable[[Any], Any]
Coefficient = Any  # a number, an array of shape (points,), or a function of X


def _dimension(X: Any) -> int:
    return int((X if isinstance(X, Tensor) else np.asarray(X)).shape[-1])


def _unit(d: int, *axes: int) -> MultiIndex:
    return tuple(sum(a == k for a in axes) for k in range(d))


def polyharmonic(u: Field, power: int, plan: str | None = None) -> Field:
    """Return a function that computes the Laplacian applied `power` times at points X.

    (sum_i d^2/dx_i^2)^power = sum over |a| = power of power!/a! d^(2a), by the multinomial theorem.

    Parameters
    ----------
    u
        Pointwise field, X of shape (points, d) to (points,) or (points, m).
    power
        At least 1: 1 is the Laplacian, 2 the biharmonic operator.
    plan
        Name of the plan to take instead of the cheapest, see `derivatives`. For a sum there are
        also ``forward_laplacian`` and ``collapsed``, which carry only the sum of the coefficients
        of highest order.

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
        if d > _MOST_DIMENSIONS:
            raise ShapeError(
                f"polyharmonic: {d} dimensions are too many for every derivative; estimate it from "
                "random directions instead"
            )
        halves = [
            _unit(d, *axes) for axes in itertools.combinations_with_replacement(range(d), power)
        ]
        weights = tuple(
            float(math.factorial(power) // math.prod(math.factorial(n) for n in a)) for a in halves
        )
        request = Request(tuple(tuple(2 * n for n in a) for a in halves), weights)
        return compute(u, X, request, plan)[0]

    return evaluate


def laplacian(u: Field, plan: str | None = None) -> Field:
    """Return a function that computes the sum of u_xx over all coordinates at points X.

    Examples
    --------
    >>> laplacian(lambda X: X[:, 0] ** 2 + 3 * X[:, 1] ** 2)(np.ones((1, 2)))
    array([8.])
    """
    return polyharmonic(u, 1, plan)


def biharmonic(u: Field, plan: str | None = None) -> Field:
    """Return a function that computes laplacian(laplacian(u)) at points X.

    In two variables w_xxxx + 2 w_xxyy + w_yyyy.

    Examples
    --------
    >>> biharmonic(lambda X: X[:, 0] ** 4 + X[:, 0] ** 2 * X[:, 1] ** 2)(np.ones((1, 2)))
    array([32.])
    """
    return polyharmonic(u, 2, plan)


def gradient(u: Field, plan: str | None = None) -> Field:
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
        if d > _WIDE and plan is None:
            field = trace_field(u, X)
            return _whole(rewrap(field.structure, first_derivatives(field)), "gradient")
        parts = derivatives(u, [_unit(d, i) for i in range(d)], plan)(X)
        return array.stack([_whole(part, "gradient") for part in parts], axis=-1)

    return evaluate


def hessian(function: Callable[..., Any], argnums: int = 0, plan: str | None = None) -> Any:
    """Return a function that computes second derivatives: of a scalar function, or of a field.

    For a function with a scalar result (shape ``()``) the matrix of second derivatives by the
    chosen argument. For a pointwise field of X all second derivatives at each point: shape
    (points, d, d) for a field of shape (points,), (points, m, d, d) for one of (points, m). Each
    of the d (d+1) / 2 different ones is computed once.

    Parameters
    ----------
    function
        Function of arrays with a scalar result, or a field of X alone.
    argnums
        The argument of a scalar function to differentiate by.
    plan
        For a field, the plan to take instead of the cheapest; see `derivatives`.

    Examples
    --------
    >>> hessian(lambda x: (x * x * x).sum())(np.array([1.0, 2.0]))
    array([[ 6.,  0.],
           [ 0., 12.]])
    >>> hessian(lambda X: X[:, 0] ** 2 * X[:, 1])(np.array([[1.0, 3.0]]))
    array([[[6., 2.],
            [2., 0.]]])
    """

    @functools.wraps(function)
    def evaluate(*arguments: Any) -> Any:
        outputs = trace_call(function, arguments)[0].program.outputs
        if len(outputs) == 1 and not outputs[0].type.shape:
            return jacobian(grad(function, argnums), argnums)(*arguments)
        if len(arguments) == 1 and argnums not in (0, -1):
            raise DifferentiationError(f"hessian: there is no argument {argnums} of a field")
        if len(arguments) != 1:
            raise DifferentiationError(
                "hessian: a function of several arguments must have a scalar result, it returns "
                + ", ".join(str(o.type) for o in outputs)
            )
        return _symmetric(function, 2, plan)(arguments[0])

    return evaluate


def _whole(part: Any, name: str) -> Any:
    """Return a derivative, or refuse a container, whose derivatives cannot be stacked."""
    if isinstance(part, tuple | list | dict):
        raise DifferentiationError(
            f"{name}: the field must return one array, not a {type(part).__name__}; "
            "`derivatives` takes containers"
        )
    return part


def _symmetric(u: Field, order: int, plan: str | None) -> Field:
    """Return a function that computes the tensor of all derivatives of one order."""

    @functools.wraps(u)
    def evaluate(X: Any) -> Any:
        d = _dimension(X)
        different = sorted({_unit(d, *axes) for axes in itertools.product(range(d), repeat=order)})
        found = [_whole(part, "hessian") for part in derivatives(u, different, plan)(X)]
        parts = dict(zip(different, found, strict=True))

        def tensor(*axes: int) -> Any:
            if len(axes) == order:
                return parts[_unit(d, *axes)]
            return array.stack([tensor(*axes, i) for i in range(d)], axis=len(axes) - order)

        return tensor()

    return evaluate


def third_derivatives(u: Field, plan: str | None = None) -> Field:
    """Return a function that computes all third derivatives, shape (points, d, d, d).

    Each of the d (d+1) (d+2) / 6 different ones is computed once.

    Examples
    --------
    >>> third_derivatives(lambda X: X[:, 0] ** 2 * X[:, 1])(np.ones((1, 2)))[0, 0]
    array([[0., 2.],
           [2., 0.]])
    """

    return _symmetric(u, 3, plan)


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
        field = trace_field(u, X)
        points = type_of(field.points)
        given = (
            direction.value
            if isinstance(direction, Tensor)
            else np.asarray(direction, dtype=points.dtype)
        )
        line = broadcast_to(given, points.shape)
        series = TaylorContext(1).input(field.points, {(1,): line})
        outputs = inline(field.program, [series, *field.operands[1:]])
        return rewrap(field.structure, [derivative_of(o, (order,)) for o in outputs])

    return evaluate


def linear_operator(
    u: Field, terms: Mapping[Sequence[int], Coefficient], plan: str | None = None
) -> Field:
    """Return a function that computes sum_a c_a(x) d^a u at points X in one propagation.

    Parameters
    ----------
    u
        Pointwise field of any shape.
    terms
        Coefficient for each multi-index: a number, an array of shape (points,), or of the shape
        of u(X), or a function of X with such a result, real or complex. The index (0, ..., 0) is
        the field itself.

    Examples
    --------
    >>> heat = linear_operator(lambda X: X[:, 0] ** 3 * X[:, 1], {(2, 0): -1.0, (0, 1): 1.0})
    >>> heat(np.array([[2.0, 5.0]]))
    array([-52.])
    """
    if not terms or not isinstance(terms, Mapping):
        raise DifferentiationError(
            "linear_operator: terms must be a dictionary from multi-indices to coefficients with "
            f"at least one entry, such as {{(2, 0): 1.0}}; got {terms!r}"
        )

    @functools.wraps(u)
    def evaluate(X: Any) -> Any:
        indices = multi_indices(terms)
        if all(isinstance(c, int | float) for c in terms.values()):
            weights = tuple(float(c) for c in terms.values())
            return compute(u, X, Request(indices, weights), plan)[0]
        field = trace_field(u, X)
        parts = compute(u, X, Request(indices), plan)
        weighted = [
            _along_points(c(X) if callable(c) else c, field) * part
            for c, part in zip(terms.values(), parts, strict=True)
        ]
        return functools.reduce(lambda a, b: a + b, weighted)

    return evaluate


def _along_points(coefficient: Any, field: TracedField) -> Any:
    """Return a coefficient in a shape that multiplies the values of a field point by point."""
    weight = Complex(coefficient) if is_complex(coefficient) else coefficient
    shape = tuple(np.shape(weight))
    value = field.program.outputs[0]
    own, axis = value.type.shape, field.point_axes.get(value, 0)
    points = type_of(field.points).shape[0]
    if shape in ((), own):
        return weight
    if shape != (points,):
        raise ShapeError(
            f"linear_operator: a coefficient must be a number or have shape ({points},) or {own}, "
            f"got {shape}"
        )
    return weight.reshape(*(points if i == axis else 1 for i in range(len(own))))

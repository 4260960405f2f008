"""Derivatives of pointwise functions of coordinates: any order, mixed, in one propagation."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from .planner import compute
from .plans.request import Request, multi_indices

__all__ = ["derivative", "derivatives"]

Field = Callable[[Any], Any]


def derivatives(
    u: Field,
    indices: Sequence[Sequence[int]] | Mapping[str, Sequence[int]],
    plan: str | None = None,
) -> Callable[[Any], Any]:
    """Return a function that computes several derivatives of a field in one propagation.

    For each multi-index a it gives d^|a| u / dx_1^a_1 ... dx_d^a_d at every point, by the cheapest
    of several plans (`explain` shows the choice):

    - ``multi_index``: the truncated Taylor polynomials of all values over the downward closure of
      the indices, for example 13 coefficients for w_xxxx, w_xxyy and w_yyyy;
    - ``directional``: jets along lines, and the polarisation identity;
    - ``nested``: one reverse sweep, and forward mode over it.

    Parameters
    ----------
    u
        Pointwise function: X of shape (points, d) to an array, usually (points,) or (points, m),
        each of whose points is made from the same row of X; or to a container of such arrays.
        The points may lie along any axis, as in (functions, points): what does not depend on X,
        such as the branch of an operator network, is evaluated once.
    indices
        Multi-indices of length d; (0, ..., 0) gives u itself. With a mapping from names to
        multi-indices the result is a dictionary with these names.
    plan
        Name of the plan to take instead of the cheapest.

    Returns
    -------
    callable
        Maps X to the list (or dictionary) of derivatives, each of the shape of u(X).

    Raises
    ------
    ShapeError
        If X is not (points, d) or an index has another length than d.
    DifferentiationError
        If u mixes points or does not depend on X, or the plan cannot be used.

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
    wanted = multi_indices(given)

    @functools.wraps(u)
    def evaluate(X: Any) -> Any:
        results = compute(u, X, Request(wanted), plan)
        return results if names is None else dict(zip(names, results, strict=True))

    return evaluate


def derivative(u: Field, index: Sequence[int], plan: str | None = None) -> Field:
    """Return a function that computes one derivative of a pointwise field.

    ``derivative(u, (2, 2))(X)`` is d^4 u / dx^2 dy^2 at X of shape (points, 2). See `derivatives`.

    Examples
    --------
    >>> derivative(lambda X: X[:, 0] ** 3 * X[:, 1], (2, 1))(np.array([[2.0, 5.0]]))
    array([12.])
    """
    several = derivatives(u, [index], plan)

    @functools.wraps(u)
    def evaluate(X: Any) -> Any:
        return several(X)[0]

    return evaluate

"""Estimates of a linear operator from random terms of it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..core.dtypes import Array
from ..errors import DifferentiationError, ShapeError
from ..ops import functions as array
from ..ops.primitive import type_of
from ..ops.sampling import integers, one_hot, split_key, weighted_integers
from ..ops.tensor import ArrayLike, broadcast_to, take, unwrap, wrap
from .estimators import Estimate, scaled_coefficients
from .pointwise import points_operand
from .taylor import MultiIndex

__all__ = ["estimate_linear_operator"]

Field = Callable[[Any], Any]
Coefficient = Any  # a number, an array of shape (points,), or a function of X


@dataclass(frozen=True)
class _Group:
    """Terms whose derivatives have the same orders, in whichever variables.

    `axes` has shape (terms, m): the variable of each of the m orders.
    """

    orders: MultiIndex
    axes: Array
    coefficients: Sequence[Coefficient]


def _groups(terms: Mapping[Sequence[int], Coefficient], d: int) -> list[_Group]:
    found: dict[MultiIndex, list[tuple[list[int], Coefficient]]] = {}
    for a, coefficient in terms.items():
        if len(a) != d or any(n < 0 for n in a):
            raise ShapeError(
                f"estimate_linear_operator: multi-index {tuple(a)} must have {d} entries >= 0"
            )
        axes = sorted((i for i in range(d) if a[i]), key=lambda i, a=a: -a[i])  # type: ignore[misc]
        found.setdefault(tuple(a[i] for i in axes), []).append((axes, coefficient))
    return [
        _Group(orders, np.array([x for x, _ in members]), [c for _, c in members])
        for orders, members in found.items()
    ]


def _is_number(coefficient: Coefficient) -> bool:
    return isinstance(coefficient, int | float | np.number)


def estimate_linear_operator(
    u: Field, terms: Mapping[Sequence[int], Coefficient], key: ArrayLike, samples: int
) -> Callable[[Any], Estimate]:
    """Return a function that estimates sum_a c_a(x) d^a u at points X from random terms.

    Terms of equal orders, such as all u_iijj, form a group. Of each group every sample has one
    term, c_a / p_a d^a u, drawn with replacement. The probabilities p_a are proportional to |c_a|
    where all coefficients of the group are numbers, and equal otherwise. A group of at most
    `samples` terms is taken whole and has no error. A mixed derivative in m variables is one
    coefficient of a Taylor polynomial in m variables, not a difference of larger numbers.

    Parameters
    ----------
    u
        Pointwise field, X of shape (points, d) to (points,).
    terms
        Coefficient for each multi-index, as for `linear_operator`.
    key
        Key of the draw.
    samples
        Number of samples; all points share the terms of a sample.

    Raises
    ------
    ShapeError
        If a multi-index does not have d entries, or the number of samples is not positive.
    DifferentiationError
        If no term has a coefficient other than zero.

    Examples
    --------
    >>> import sciml.framework as sf
    >>> X = np.ones((1, 3))
    >>> mixed = {(1, 1, 0): 1.0, (0, 1, 1): 3.0, (1, 0, 1): 1.0, (0, 0, 0): -1.0}
    >>> u = lambda X: X[:, 0] * X[:, 1] + X[:, 1] * X[:, 2] + X[:, 0] * X[:, 2]
    >>> estimate_linear_operator(u, mixed, sf.random_key(0), 2)(X).mean
    array([2.])
    """
    if samples < 1:
        raise ShapeError(f"the number of samples must be at least 1, got {samples}")
    present = {a: c for a, c in terms.items() if not (_is_number(c) and c == 0)}
    if not present:
        raise DifferentiationError("estimate_linear_operator: every term is zero")

    @functools.wraps(u)
    def evaluate(X: Any) -> Estimate:
        d = points_operand(X)[1]
        groups = _groups(present, d)
        total = None
        for group, own in zip(groups, split_key(key, len(groups)), strict=True):
            part = _samples(u, X, group, own, samples)
            total = part if total is None else total + part
        return Estimate(total)

    return evaluate


def _samples(u: Field, X: Any, group: _Group, key: ArrayLike, samples: int) -> Any:
    """Return the samples of a group, shape (samples, points)."""
    count = len(group.coefficients)
    whole = count <= samples
    type = type_of(points_operand(X)[0])
    numbers = all(map(_is_number, group.coefficients))
    if numbers:
        c = np.array(group.coefficients, dtype=np.float64)
        drawn = np.arange(count) if whole else weighted_integers(key, (samples,), np.abs(c))
        scale = c if whole else np.sign(c) * np.abs(c).sum()
        weights = take(scale.astype(type.dtype), drawn)[:, None]
    else:
        drawn = np.arange(count) if whole else integers(key, (samples,), count)
        rows = [_values(c, X) for c in group.coefficients]
        weights = take(array.stack(rows), drawn) * (1.0 if whole else float(count))
    parts = weights * _derivatives(u, X, group, drawn)
    if not whole:
        return parts
    total = unwrap(array.sum(parts, axis=0))
    return wrap(broadcast_to(total, (samples, *type_of(total).shape)))


def _values(coefficient: Coefficient, X: Any) -> Any:
    """Return a coefficient at every point."""
    type = type_of(points_operand(X)[0])
    given = unwrap(coefficient(X) if callable(coefficient) else coefficient, type.dtype)
    return wrap(broadcast_to(given, type.shape[:1]))


def _derivatives(u: Field, X: Any, group: _Group, drawn: Any) -> Any:
    """Return d^a u for the drawn terms, shape (terms, points)."""
    type = type_of(points_operand(X)[0])
    d = int(type.shape[1])
    if group.orders:
        axes = take(group.axes, drawn)
        rows = [one_hot(axes[:, k], d, type.dtype) for k in range(len(group.orders))]
        parts = scaled_coefficients(u, X, rows, group.orders)
    else:
        parts = u(X)[None]
    if len(parts.shape) != 2:
        raise ShapeError(
            f"estimate_linear_operator: the field must have shape (points,), got {parts.shape[1:]}"
        )
    return parts

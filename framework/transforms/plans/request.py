"""What is asked of a field, and what every way to answer it has in common."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ...errors import ShapeError
from ...ops.elementwise import add, scaled
from ...ops.primitive import Operand, type_of
from ...ops.reshape import reshape
from ...ops.slice import slice_
from ..fields import Field
from ..taylor import MultiIndex
from .costs import Cost

__all__ = [
    "Plan",
    "Request",
    "Results",
    "multi_indices",
    "row_of",
    "total_of",
    "weighted",
]


# 171! is no longer a double.
_HIGHEST_ORDER = 170


def multi_indices(given: Iterable[object]) -> tuple[MultiIndex, ...]:
    """Return multi-indices as tuples of integers, or refuse what is none."""
    found = []
    for entry in given:
        orders = list(entry) if isinstance(entry, Sequence) and not isinstance(entry, str) else []
        if not orders or not all(
            isinstance(n, int | np.integer) and not isinstance(n, bool) for n in orders
        ):
            raise ShapeError(
                f"derivatives: {entry!r} is no multi-index; give a list of tuples with one integer "
                "for each coordinate, such as [(2, 0), (1, 1)]"
            )
        a = tuple(int(n) for n in orders)
        if min(a) < 0 or sum(a) > _HIGHEST_ORDER:
            raise ShapeError(
                f"derivatives: orders must not be negative and {_HIGHEST_ORDER} in all at most, "
                f"got {a}"
            )
        found.append(a)
    if not found:
        raise ShapeError("derivatives: at least one multi-index is needed")
    return tuple(found)


@dataclass(frozen=True)
class Request:
    """What is asked for: derivatives one by one, or only their weighted sum."""

    indices: tuple[MultiIndex, ...]
    weights: tuple[float, ...] | None = None

    @property
    def order(self) -> int:
        """The highest order."""
        return max(sum(a) for a in self.indices)


# for each index, or for the sum alone, the derivative of each output of the field
Results = list[list[Operand]]


class Plan(Protocol):
    """A way to compute derivatives."""

    @property
    def name(self) -> str:
        """The name that ``plan=`` takes."""

    def refusal(self, field: Field, request: Request) -> str:
        """Return why the plan cannot serve a request, or the empty string."""

    def cost(self, field: Field, request: Request) -> Cost:
        """Return what it costs per point."""

    def run(self, field: Field, request: Request) -> Results:
        """Return the derivatives, or their weighted sum alone."""


def total_of(terms: Sequence[Operand]) -> Operand:
    """Return the sum of at least one term."""
    return functools.reduce(add, terms)


def weighted(parts: Results, request: Request) -> Results:
    """Return the derivatives as they are, or their weighted sum for each output."""
    if request.weights is None:
        return parts
    weights = request.weights
    return [
        [total_of([scaled(p, w) for p, w in zip(output, weights, strict=True)])
         for output in zip(*parts, strict=True)]
    ]  # fmt: skip


def row_of(stack: Operand, i: int) -> Operand:
    """Return entry i along the first axis."""
    shape = type_of(stack).shape[1:]
    start = (i, *(0 for _ in shape))
    part = slice_(stack, start=start, limit=(i + 1, *shape), stride=(1,) * len(start))
    return reshape(part, shape=shape)

"""What is asked of a field, and what every way to answer it has in common."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ...ops.elementwise import add, filled, mul
from ...ops.primitive import Operand, type_of
from ...ops.reshape import reshape
from ...ops.slice import slice_
from ..fields import Field
from ..taylor import MultiIndex
from .costs import Cost

__all__ = ["Plan", "Request", "Results", "row_of", "scaled", "total_of", "weighted"]


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


def scaled(x: Operand, factor: float) -> Operand:
    """Return a multiple."""
    return x if factor == 1.0 else mul(x, filled(factor, x))


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

"""Coefficients by multi-index: one propagation over all coordinates, each array by name."""

from __future__ import annotations

import math

import numpy as np

from ...ir.types import Literal
from ...ops.broadcast import broadcast
from ...ops.elementwise import filled, scaled
from ...ops.fill import constant
from ...ops.primitive import Operand, bind, type_of
from ..fields import Field
from ..taylor import MultiIndex, Series, TaylorContext
from ..trace import inline
from .costs import Carried, Cost, closure, propagation_cost
from .request import Request, Results, weighted

__all__ = ["MultiIndexPlan", "derivative_of"]

# Coefficients written out one by one make the program longer and its compilation slower.
_LONGEST = 256


class MultiIndexPlan:
    """All coefficients below the multi-indices, in one propagation over d variables.

    In a weighted sum the coefficients on top are carried as one where they meet a product, which
    `collapse` does.
    """

    name = "multi_index"

    def refusal(self, field: Field, request: Request) -> str:
        count = _closure_bound(request)
        if count > _LONGEST:
            return f"at least {count} coefficients, each written out, are more than {_LONGEST}"
        return ""

    def cost(self, field: Field, request: Request) -> Cost:
        everything = closure(request.indices)
        rows = len(everything)
        if request.weights is not None:
            inner = closure([b for a in request.indices for b in _just_below(a)] or [everything[0]])
            rows = len(set(inner)) + (1 if request.order else 0)
        return propagation_cost(field, Carried(rows, {everything: 1}))

    def run(self, field: Field, request: Request) -> Results:
        dimension = field.dimension
        used = [i for i in range(dimension) if any(a[i] for a in request.indices)]
        points = field.points
        seeds = {tuple(int(k == i) for k in range(dimension)): _unit(points, i) for i in used}
        series = TaylorContext(dimension).input(points, seeds)
        outputs = inline(field.program, [series, *field.operands[1:]])
        parts = [[derivative_of(o, a) for o in outputs] for a in request.indices]
        return weighted(parts, request)


def _closure_bound(request: Request) -> int:
    """The number of multi-indices below the largest one, a lower bound for the closure."""
    largest = max(math.prod(n + 1 for n in a) for a in request.indices)
    return max(largest, len(set(request.indices)))


def _just_below(a: MultiIndex) -> list[MultiIndex]:
    return [tuple(n - (k == i) for k, n in enumerate(a)) for i, entry in enumerate(a) if entry]


def _unit(points: Operand, i: int) -> Operand:
    """Return the direction e_i at every point."""
    type = type_of(points)
    row = np.zeros(int(type.shape[1]), dtype=type.dtype)
    row[i] = 1.0
    unit = row if isinstance(points, np.ndarray) else bind(constant, (), {"value": Literal.of(row)})
    return broadcast(unit, shape=type.shape, dimensions=(1,))


def derivative_of(result: Operand, a: MultiIndex) -> Operand:
    """Return the derivative from the coefficient of a series; zero of a constant."""
    base = result.coefficient((0,) * len(a)) if isinstance(result, Series) else result
    assert base is not None
    part = result.coefficient(a) if isinstance(result, Series) else (None if any(a) else base)
    if part is None:
        return filled(0.0, base)
    return scaled(part, float(math.prod(math.factorial(n) for n in a)))

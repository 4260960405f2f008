"""Jets along lines: derivatives by interpolation, and sums carried as one coefficient."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...ops.broadcast import broadcast
from ...ops.contraction import dot_general
from ...ops.elementwise import filled, mul, scaled
from ...ops.primitive import Operand, type_of
from ...ops.reduction import reduce_sum
from ..fields import Field
from ..lines import along_lines
from ..polarisation import Direction, amplification, line_combination
from ..taylor import MultiIndex
from .costs import Carried, Cost, propagation_cost
from .request import Request, Results, row_of, total_of, weighted

__all__ = ["Collapsed", "Directional"]

# Digits that interpolation may lose before the plan is no longer chosen by itself.
_MOST_AMPLIFICATION = 1e3


@dataclass(frozen=True)
class _Bundle:
    """Lines that are expanded to one order: one stacked array for each coefficient."""

    order: int
    directions: tuple[Direction, ...]


def _bundles(combinations: Sequence[tuple[int, Mapping[Direction, object]]]) -> list[_Bundle]:
    """Group the directions of several combinations, given with their orders."""
    highest: dict[Direction, int] = {}
    for order, combination in combinations:
        for direction in combination:
            highest[direction] = max(order, highest.get(direction, 0))
    grouped: dict[int, list[Direction]] = defaultdict(list)
    for direction, order in highest.items():
        grouped[order].append(direction)
    return [_Bundle(order, tuple(grouped[order])) for order in sorted(grouped)]


def _line_cost(field: Field, bundles: Sequence[_Bundle], collapsed: bool) -> Cost:
    rows = 1
    expansions: dict[tuple[MultiIndex, ...], int] = {}
    for bundle in bundles:
        count = len(bundle.directions)
        rows += count * (bundle.order - 1) + 1 if collapsed else count * bundle.order
        expansions[tuple((k,) for k in range(bundle.order + 1))] = count
    return propagation_cost(field, Carried(rows, expansions))


def _propagate(field: Field, bundle: _Bundle) -> tuple[list[Operand], list[list[Operand | None]]]:
    """Return the values of all outputs, and for each the stacked coefficients of a bundle."""
    dtype = type_of(field.points).dtype
    lines = np.array(bundle.directions, dtype=dtype)
    return along_lines(field, [lines], [(k,) for k in range(1, bundle.order + 1)])


class Directional:
    """Each derivative by polarisation from jets along lines, all lines stacked in one array."""

    name = "directional"

    def refusal(self, field: Field, request: Request) -> str:
        worst = max((amplification(a) for a in request.indices if any(a)), default=1.0)
        if worst > _MOST_AMPLIFICATION:
            return f"interpolation loses {math.log10(worst):.0f} digits"
        return "" if request.order else "no derivative is asked for"

    def cost(self, field: Field, request: Request) -> Cost:
        return _line_cost(field, self._bundles(request), collapsed=False)

    def run(self, field: Field, request: Request) -> Results:
        terms: dict[MultiIndex, list[list[Operand]]] = defaultdict(list)
        values: list[Operand] = []
        for bundle in self._bundles(request):
            values, stacks = _propagate(field, bundle)
            for order in range(1, bundle.order + 1):
                wanted = [a for a in dict.fromkeys(request.indices) if sum(a) == order]
                for a, parts in self._interpolated(wanted, bundle, order, values, stacks):
                    terms[a].append(parts)
        found = {a: [total_of(o) for o in zip(*parts, strict=True)] for a, parts in terms.items()}
        return weighted([found[a] if any(a) else values for a in request.indices], request)

    def _bundles(self, request: Request) -> list[_Bundle]:
        return _bundles([(sum(a), line_combination(a)) for a in request.indices if any(a)])

    @staticmethod
    def _interpolated(
        wanted: Sequence[MultiIndex],
        bundle: _Bundle,
        order: int,
        values: Sequence[Operand],
        stacks: Sequence[Sequence[Operand | None]],
    ) -> list[tuple[MultiIndex, list[Operand]]]:
        """Return what the lines of one bundle contribute to each derivative of one order."""
        rows = {v: k for k, v in enumerate(bundle.directions)}
        factorial = math.factorial(order)
        matrix = np.zeros((len(wanted), len(rows)))
        for i, a in enumerate(wanted):
            for direction, factor in line_combination(a).items():
                if direction in rows:
                    matrix[i, rows[direction]] = float(factor * factorial)
        used = [i for i, row in enumerate(matrix) if row.any()]
        parts: list[list[Operand]] = [[] for _ in used]
        for value, stack in zip(values, stacks, strict=True):
            for part, entry in zip(
                parts, _rows(matrix[used], stack[order - 1], value), strict=True
            ):
                part.append(entry)
        return [(wanted[i], part) for i, part in zip(used, parts, strict=True)]


def _rows(matrix: np.ndarray, stack: Operand | None, like: Operand) -> list[Operand]:
    """Return the rows of a matrix times a stacked array."""
    if stack is None:
        return [filled(0.0, like) for _ in matrix]
    if all(np.count_nonzero(row) == 1 for row in matrix):
        positions = [int(np.flatnonzero(row)[0]) for row in matrix]
        return [
            scaled(row_of(stack, k), float(row[k]))
            for k, row in zip(positions, matrix, strict=True)
        ]
    weights = matrix.astype(type_of(stack).dtype)
    combined = dot_general(weights, stack, contract=((1,), (0,)), batch=((), ()))
    return [row_of(combined, i) for i in range(len(matrix))]


class Collapsed:
    """A weighted sum from jets along lines, where only the sum of the highest coefficients is
    carried. At order two this is the forward Laplacian.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def refusal(self, field: Field, request: Request) -> str:
        if request.weights is None:
            return "only for a sum of derivatives with constant factors"
        if request.order < 2:
            return "below order two there is nothing to carry as a sum"
        second = request.order == 2
        if second != (self.name == "forward_laplacian"):
            return "of second order this is forward_laplacian" if second else "not of second order"
        if not _bundles(self._combinations(request)):
            return "all factors of derivatives vanish"
        return Directional().refusal(field, request)

    def cost(self, field: Field, request: Request) -> Cost:
        return _line_cost(field, _bundles(self._combinations(request)), collapsed=True)

    def run(self, field: Field, request: Request) -> Results:
        combinations = self._combinations(request)
        terms: list[list[Operand]] = []
        values: list[Operand] = []
        for bundle in _bundles(combinations):
            values, stacks = _propagate(field, bundle)
            for order, combination in combinations:
                weights = np.array([float(combination.get(v, 0)) for v in bundle.directions])
                if order <= bundle.order and weights.any():
                    weights *= math.factorial(order)
                    terms.append(
                        [
                            _sum(weights, s[order - 1], v)
                            for s, v in zip(stacks, values, strict=True)
                        ]
                    )
        assert request.weights is not None
        for a, weight in zip(request.indices, request.weights, strict=True):
            if not any(a):
                terms.append([scaled(v, weight) for v in values])
        return [[total_of(o) for o in zip(*terms, strict=True)]]

    @staticmethod
    def _combinations(request: Request) -> list[tuple[int, Mapping[Direction, float]]]:
        """Return for each order the factor of every direction in the sum."""
        assert request.weights is not None
        found: dict[int, dict[Direction, float]] = {}
        for a, weight in zip(request.indices, request.weights, strict=True):
            if any(a):
                total = found.setdefault(sum(a), defaultdict(float))
                for direction, factor in line_combination(a).items():
                    total[direction] += weight * float(factor)
        return [
            (order, {v: c for v, c in total.items() if c}) for order, total in sorted(found.items())
        ]


def _sum(weights: np.ndarray, stack: Operand | None, like: Operand) -> Operand:
    """Return the weighted sum of a stacked array over its first axis."""
    if stack is None:
        return filled(0.0, like)
    type = type_of(stack)
    equal = bool((weights == weights[0]).all())
    if not equal:
        factors = broadcast(weights.astype(type.dtype), shape=type.shape, dimensions=(0,))
        stack = mul(stack, factors)
    total = reduce_sum(stack, axes=(0,))
    return scaled(total, float(weights[0])) if equal else total

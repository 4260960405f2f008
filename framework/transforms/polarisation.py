"""Mixed derivatives from derivatives along lines: the polarisation identity.

For a multi-index a of order k = |a|

    d^a = 1/(2^k k!) sum over 0 <= j <= a of (-1)^|j| binom(a, j) D_(a - 2 j)^k,

where D_v^k is the k-th derivative along v. Directions that differ by a factor are joined, since
D_(s v)^k = s^k D_v^k, so that for example d^4/dx^2 dy^2 takes four directions:

    u_xxyy = (D_(1,1)^4 + D_(1,-1)^4) / 12 - (D_(1,0)^4 + D_(0,1)^4) / 6.

References
----------
Kan: From moments of sum to moments of product (2008). Griewank, Utke, Walther: Evaluating higher
derivative tensors by forward propagation of univariate Taylor series (2000).
"""

from __future__ import annotations

import functools
import itertools
import math
from collections import defaultdict
from fractions import Fraction

from .taylor import MultiIndex

__all__ = ["Direction", "amplification", "line_combination"]

Direction = tuple[int, ...]


@functools.cache
def line_combination(a: MultiIndex) -> dict[Direction, Fraction]:
    """Return the factor of each direction in d^a as a sum of derivatives along lines.

    Examples
    --------
    >>> {v: str(c) for v, c in line_combination((1, 1)).items()}
    {(1, 1): '1/4', (1, -1): '-1/4'}
    """
    order = sum(a)
    if order == 0:
        raise ValueError("the value itself is no derivative along a line")
    scale = Fraction(1, 2**order * math.factorial(order))
    total: dict[Direction, Fraction] = defaultdict(Fraction)
    for j in itertools.product(*(range(n + 1) for n in a)):
        line = tuple(n - 2 * m for n, m in zip(a, j, strict=True))
        length = math.gcd(*line)
        if length == 0:
            continue
        if next(n for n in line if n) < 0:
            length = -length
        primitive = tuple(n // length for n in line)
        ways = math.prod(math.comb(n, m) for n, m in zip(a, j, strict=True))
        total[primitive] += scale * (-1) ** sum(j) * ways * Fraction(length) ** order
    return {v: c for v, c in total.items() if c}


def amplification(a: MultiIndex) -> float:
    """Return by how much rounding of the line derivatives is magnified in d^a, at least 1.

    The sum of |c_v| |v|_1^k over the directions, which is 1 where nothing cancels.
    """
    order = sum(a)
    terms = (abs(c) * sum(map(abs, v)) ** order for v, c in line_combination(a).items())
    return float(sum(terms))

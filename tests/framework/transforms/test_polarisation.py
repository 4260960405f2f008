"""The polarisation identity, checked on monomials with exact arithmetic."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import pytest

from sciml.framework.transforms.polarisation import amplification, line_combination


@pytest.mark.parametrize("order", [1, 2, 3, 4, 5, 6])
def test_every_derivative_of_every_monomial_of_its_order(order: int) -> None:
    """D_v^k of x^b / b! with |b| = k is k!/b! v^b; d^a of it is 1 for b = a, else 0."""
    indices = [a for a in itertools.product(range(order + 1), repeat=3) if sum(a) == order]
    for a, b in itertools.product(indices, indices):
        total = sum(
            (
                factor
                * math.factorial(order)
                * Fraction(math.prod(n**m for n, m in zip(v, b, strict=True)))
                / math.prod(map(math.factorial, b))
                for v, factor in line_combination(a).items()
            ),
            Fraction(0),
        )
        assert total == (1 if a == b else 0)


def test_number_of_directions() -> None:
    assert set(line_combination((2, 2))) == {(1, 0), (0, 1), (1, 1), (1, -1)}
    assert line_combination((5, 0)) == {(1, 0): Fraction(1)}
    assert len(line_combination((1, 1, 1))) == 4


def test_amplification_of_rounding() -> None:
    assert amplification((4,)) == 1.0
    assert amplification((2, 2)) == pytest.approx(2 / 12 * 16 + 2 / 6)


def test_the_value_is_no_line_derivative() -> None:
    with pytest.raises(ValueError, match="the value itself"):
        line_combination((0, 0))

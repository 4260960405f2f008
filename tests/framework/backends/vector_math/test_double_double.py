"""Error-free transformations are error-free, fused or not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from sciml.framework.backends.vector_math import double_double

from .harness import compiled_formula, native_width
from .test_accuracy import UNFUSED


def _parts(transformation, cpu, a, b):
    return [
        compiled_formula(
            lambda x, y, part=part: getattr(transformation(x, y), part), 2, "f64", width, cpu
        )(a, b)
        for width in (native_width("f64"),)
        for part in ("high", "low")
    ]


@pytest.fixture
def operands():
    random = np.random.default_rng(0)
    a, b = (random.normal(size=2000) * 2.0 ** random.integers(-30, 30, 2000) for _ in range(2))
    return a, b


@pytest.mark.parametrize("cpu", ["", UNFUSED])
def test_two_sum_is_exact(operands, cpu):
    high, low = _parts(double_double.two_sum, cpu, *operands)
    for a, b, s, e in zip(*operands, high, low, strict=True):
        assert Fraction(a) + Fraction(b) == Fraction(s) + Fraction(e)


@pytest.mark.parametrize("cpu", ["", UNFUSED])
def test_fast_two_sum_is_exact_for_ordered_operands(operands, cpu):
    a, b = operands
    larger, smaller = np.where(abs(a) > abs(b), [a, b], [b, a])
    high, low = _parts(double_double.fast_two_sum, cpu, larger, smaller)
    for a, b, s, e in zip(larger, smaller, high, low, strict=True):
        assert Fraction(a) + Fraction(b) == Fraction(s) + Fraction(e)


@pytest.mark.parametrize("cpu", ["", UNFUSED])
def test_two_product_is_exact_to_twice_the_digits(operands, cpu):
    high, low = _parts(double_double.two_product, cpu, *operands)
    for a, b, p, e in zip(*operands, high, low, strict=True):
        exact = Fraction(a) * Fraction(b)
        assert abs(exact - Fraction(p) - Fraction(e)) <= abs(exact) * Fraction(2) ** -104

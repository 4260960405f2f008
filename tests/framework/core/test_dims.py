"""Symbolic sizes are integer polynomials, printed and parsed back exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sciml.framework.core.dims import (
    Dim,
    assume_not_negative,
    assuming,
    dim_names,
    evaluate_dim,
    parse_dim,
    product,
)
from sciml.framework.errors import ParseError, ShapeError, TraceError

N, M = Dim.named("N"), Dim.named("M")


@st.composite
def polynomials(draw: st.DrawFn) -> int | Dim:
    total: int | Dim = draw(st.integers(-5, 5))
    for _ in range(draw(st.integers(0, 3))):
        term: int | Dim = draw(st.integers(-3, 3))
        for name in draw(st.lists(st.sampled_from([N, M]), max_size=3)):
            term = term * name
        total = total + term
    return total


@given(polynomials(), polynomials(), st.integers(0, 9), st.integers(0, 9))
def test_arithmetic_agrees_with_numbers(a: int | Dim, b: int | Dim, n: int, m: int) -> None:
    sizes = {"N": n, "M": m}
    x, y = evaluate_dim(a, sizes), evaluate_dim(b, sizes)
    assert evaluate_dim(a + b, sizes) == x + y
    assert evaluate_dim(a - b, sizes) == x - y
    assert evaluate_dim(a * b, sizes) == x * y


@given(polynomials())
def test_text_round_trip(a: int | Dim) -> None:
    assert parse_dim(str(a)) == a


def test_a_constant_result_is_an_int() -> None:
    assert N - N == 0
    assert isinstance(N - N + 3, int)
    assert (2 * N) // N == 2
    assert (6 * N * M) // (3 * M) == 2 * N


def test_inexact_division_is_refused() -> None:
    with pytest.raises(ShapeError, match="exactly"):
        (2 * N + 1) // 2


def test_a_symbolic_size_has_no_number_and_no_order() -> None:
    for use in (bool, int, lambda n: n < 3, lambda n: range(n)):
        with pytest.raises(TraceError):
            use(N)


def test_names_and_products() -> None:
    assert dim_names((N, (3, N * M))) == {"N", "M"}
    assert product((2, N, 3)) == 6 * N


@pytest.mark.parametrize("text", ["", "N M", "2**N", "N+", "1.5"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(ParseError):
        parse_dim(text)


def test_a_comparison_that_is_not_decided_is_noted() -> None:
    with assuming() as assumptions:
        assert N != 7
        assert M != N
        assert N != 2.5
        assert not N == np.int64(9)  # noqa: SIM201, SIM300
        assume_not_negative(N - 5)
    assert assumptions.hold({"N": 8, "M": 9})
    for sizes in ({"N": 7, "M": 1}, {"N": 8, "M": 8}, {"N": 9, "M": 1}, {"N": 4, "M": 1}):
        assert not assumptions.hold(sizes)


@pytest.mark.parametrize("use", [
    lambda n: 0.5 * n, lambda n: n * 0.5, lambda n: n + 0.5, lambda n: n / 2, lambda n: 1.0 / n,
    lambda n: n % 2, lambda n: divmod(n, 2), lambda n: n**2, float, complex, round, abs,
    np.sqrt, np.arange, lambda n: np.zeros((n, 2)), lambda n: np.float64(0.5) * n,
    lambda n: np.ones(3) * n,
])  # fmt: skip
def test_a_symbolic_size_is_never_taken_for_a_number(use: Any) -> None:
    """int(0.5) times N would silently be zero."""
    with pytest.raises(TraceError, match="symbolic size"):
        use(N)

"""Jets along lines: how many are needed, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import DifferentiationError
from sciml.framework.transforms.fields import trace_field
from sciml.framework.transforms.plans.directional import Collapsed, Directional
from sciml.framework.transforms.plans.request import Request


def field(dimension: int) -> object:
    return trace_field(lambda X: sf.sin(X).sum(axis=1), np.ones((3, dimension)))


def second(dimension: int) -> Request:
    unit = np.eye(dimension, dtype=int)
    return Request(tuple(tuple(map(int, 2 * row)) for row in unit), (1.0,) * dimension)


@pytest.mark.parametrize("dimension", [2, 5, 100])
def test_rows_of_the_forward_laplacian(dimension: int) -> None:
    """1 + d + 1 where the sum is carried, 1 + 2 d where it is not."""
    request, given = second(dimension), field(dimension)
    plan = Collapsed("forward_laplacian")
    assert plan.cost(given, request).coefficients == dimension + 2  # type: ignore[arg-type]
    single = Directional().cost(given, request).coefficients  # type: ignore[arg-type]
    assert single == 1 + 2 * dimension


def test_rows_of_the_biharmonic_in_two_dimensions() -> None:
    """Four directions, e1, e2 and e1 +- e2: 1 + 4 * 3 + 1 and 1 + 4 * 4."""
    request = Request(((4, 0), (2, 2), (0, 4)), (1.0, 2.0, 1.0))
    given = field(2)
    assert Collapsed("collapsed").cost(given, request).coefficients == 14  # type: ignore[arg-type]
    assert Directional().cost(given, request).coefficients == 17  # type: ignore[arg-type]


def test_lines_are_expanded_to_the_order_that_each_needs() -> None:
    """u_xxx + u_t: one 3-jet and one 1-jet."""
    request = Request(((3, 0), (0, 1)))
    assert Directional().cost(field(2), request).coefficients == 5  # type: ignore[arg-type]


def test_interpolation_that_loses_digits_is_refused() -> None:
    with pytest.raises(DifferentiationError, match="interpolation loses 3 digits"):
        sf.derivative(lambda X: sf.exp(X.sum(axis=1)), (10, 10), plan="directional")(
            np.ones((2, 2))
        )


def test_a_first_order_sum_has_nothing_to_collapse() -> None:
    with pytest.raises(DifferentiationError, match="below order two"):
        sf.linear_operator(lambda X: sf.sin(X[:, 0]), {(1, 0): 1.0, (0, 1): 2.0}, plan="collapsed")(
            np.ones((2, 2))
        )

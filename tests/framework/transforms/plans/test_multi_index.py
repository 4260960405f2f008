"""Coefficients by multi-index: how many are carried."""

from __future__ import annotations

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import DifferentiationError
from sciml.framework.transforms.fields import trace_field
from sciml.framework.transforms.plans.multi_index import MultiIndexPlan
from sciml.framework.transforms.plans.request import Request

X = np.ones((4, 2))
FIELD = trace_field(lambda X: sf.sin(X[:, 0]) * X[:, 1], X)
BIHARMONIC = ((4, 0), (2, 2), (0, 4))


@pytest.mark.parametrize(("indices", "weights", "rows"), [
    (BIHARMONIC, None, 13),
    (BIHARMONIC, (1.0, 2.0, 1.0), 11),
    (((2, 0), (0, 2)), None, 5),
    (((2, 0), (0, 2)), (1.0, 1.0), 4),
    (((0, 0),), (1.0,), 1),
    (((3, 0), (0, 1)), (1.0, 1.0), 4),
])  # fmt: skip
def test_coefficients_carried(indices: object, weights: object, rows: int) -> None:
    request = Request(indices, weights)  # type: ignore[arg-type]
    assert MultiIndexPlan().cost(FIELD, request).coefficients == rows


def test_a_closure_too_long_to_write_out_is_refused() -> None:
    wide = np.ones((2, 9))
    with pytest.raises(DifferentiationError, match="at least 512 coefficients"):
        sf.derivative(lambda X: X.sum(axis=1) ** 9, (1,) * 9, plan="multi_index")(wide)

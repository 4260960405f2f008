"""A field traced at its points."""

from __future__ import annotations

from typing import Any

import numpy as np

import sciml.framework as sf
from sciml.framework.transforms.fields import trace_field

W = np.ones((2, 3))


def test_degrees_of_dependence() -> None:
    def u(X: Any) -> Any:
        affine = X @ W + 1.0
        return (affine, sf.sin(affine) * 2.0, affine * affine, np.ones(4) * 3.0)

    field = trace_field(u, np.ones((4, 2)))
    degrees = [field.degree.get(v) for v in field.program.outputs]
    assert degrees == [1, 2, 2, None]
    assert field.dimension == 2


def test_elements_for_each_point_wherever_the_points_lie() -> None:
    field = trace_field(lambda X: (X @ W, (X @ W).T, X[:, 0]), np.ones((4, 2)))
    assert [field.elements(v) for v in field.program.outputs] == [3, 3, 1]
    assert [field.point_axes[v] for v in field.program.outputs] == [0, 1, 0]

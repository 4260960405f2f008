"""Jacobians and Hessians against formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sciml.framework as sf

X = np.array([0.3, -1.2, 0.7])


@pytest.mark.parametrize("shape", [(3,), (2, 2)])
def test_jacobian_of_both_modes_and_hessian(shape: tuple[int, ...]) -> None:
    x = np.random.default_rng(0).normal(size=shape)
    count = x.size
    matrix = np.random.default_rng(1).normal(size=(2, count))
    few = sf.jacobian(lambda x: matrix @ sf.reshape(x, (count,)))(x)
    np.testing.assert_allclose(few, matrix.reshape(2, *shape))
    many = sf.jacobian(lambda x: sf.concatenate([sf.reshape(x, (count,))] * 2) ** 2)(x)
    expected = np.concatenate([np.diag(2 * x.ravel())] * 2).reshape(2 * count, *shape)
    np.testing.assert_allclose(many, expected)
    h = sf.hessian(lambda x: (x**3).sum() / 3)(x)
    np.testing.assert_allclose(h.reshape(count, count), np.diag(2 * x.ravel()))


def test_hessian_is_symmetric_for_a_coupled_function() -> None:
    h = sf.hessian(lambda x: sf.exp(x[0] * x[1]) + sf.sin(x[1] * x[2]))(X)
    np.testing.assert_allclose(h, h.T, rtol=1e-14)
    e = math.exp(X[0] * X[1])
    assert h[0, 1] == pytest.approx(e * (1 + X[0] * X[1]), rel=1e-14)

"""Complex arithmetic and functions against NumPy and closed forms, traced and not."""

from __future__ import annotations

import doctest
from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import DifferentiationError, ShapeError, TraceError
from sciml.framework.ops import complex as module

rng = np.random.default_rng(0)
Z = rng.normal(size=(3, 4)) + 1j * rng.normal(size=(3, 4))
W = rng.normal(size=(3, 4)) + 1j * rng.normal(size=(3, 4))
R = rng.normal(size=(3, 4))
BOUND = 4 * np.finfo(float).eps


def assert_close(got: Any, expected: Any, bound: float = BOUND) -> None:
    """Compare relative to the modulus, as is natural for complex rounding."""
    error = np.abs(np.asarray(got) - expected)
    assert np.all(error <= bound * np.maximum(np.abs(expected), 1e-300)), error


def test_examples() -> None:
    assert doctest.testmod(module, extraglobs={"np": np}).failed == 0


OPERATIONS = [
    lambda z, w, r: z + w, lambda z, w, r: z - w, lambda z, w, r: z * w, lambda z, w, r: z / w,
    lambda z, w, r: z + r, lambda z, w, r: r - z, lambda z, w, r: r * z, lambda z, w, r: z / r,
    lambda z, w, r: r / z, lambda z, w, r: 1j * z, lambda z, w, r: z * (2 - 3j),
    lambda z, w, r: 2j / z, lambda z, w, r: z / 4j, lambda z, w, r: 1 - z, lambda z, w, r: -z,
    lambda z, w, r: 1j * r + 2, lambda z, w, r: r * W, lambda z, w, r: W * r, lambda z, w, r: W / z,
    lambda z, w, r: R * z, lambda z, w, r: z * Z, lambda z, w, r: z - W, lambda z, w, r: r / 2j,
    lambda z, w, r: z**2, lambda z, w, r: z**3, lambda z, w, r: z**-2, lambda z, w, r: z**0,
    lambda z, w, r: z.conj(), lambda z, w, r: z[1:, ::2], lambda z, w, r: z.reshape(4, 3),
    lambda z, w, r: z.T, lambda z, w, r: z.transpose(1, 0), lambda z, w, r: z @ w.T,
    lambda z, w, r: r @ w.T, lambda z, w, r: z @ r.T, lambda z, w, r: z.mean(axis=0),
    lambda z, w, r: z.sum(axis=1, keepdims=True), lambda z, w, r: z[0] * 2.0,
]  # fmt: skip


@pytest.mark.parametrize("operation", OPERATIONS)
def test_operations_agree_with_numpy(operation: Any) -> None:
    expected = operation(Z, W, R)
    z, w = sf.Complex(Z), sf.Complex(W)
    assert_close(operation(z, w, R), expected, 8 * BOUND)
    assert_close(sf.jit(operation)(z, w, R), expected, 8 * BOUND)


def test_general_powers_and_joins() -> None:
    z = sf.Complex(Z)
    assert_close(z**0.5, np.sqrt(Z))
    assert_close(z ** (1.5 - 0.5j), Z ** (1.5 - 0.5j), 8 * BOUND)
    assert_close(2.0**z, 2.0**Z, 8 * BOUND)
    np.testing.assert_array_equal(np.asarray(sf.stack([z, R], axis=-1)), np.stack([Z, R], axis=-1))
    np.testing.assert_array_equal(np.asarray(sf.concatenate([R, z])), np.concatenate([R, Z]))
    np.testing.assert_array_equal(np.asarray(sf.take(z, [2, 0])), Z[[2, 0]])
    np.testing.assert_array_equal(np.asarray(sf.where(R > 0, z, 1j)), np.where(R > 0, Z, 1j))
    np.testing.assert_array_equal(sf.abs2(z), Z.real**2 + Z.imag**2)


def test_division_neither_overflows_nor_underflows() -> None:
    w = np.array([1e300 + 1e300j, 1e-300 - 2e-300j])
    assert_close(sf.Complex(w) / sf.Complex(w * 2), np.full(2, 0.5))


def test_division_has_exact_derivatives_where_the_method_changes() -> None:
    """d/dw (1/w) = -1/w^2 at |Re w| = |Im w|, and with a zero part."""
    for w in (1 + 1j, -2 + 2j, 3 + 0j, 2j):
        got = sf.jvp(lambda w: 1.0 / w, (sf.Complex(w),), (sf.Complex(1.0, 2.0),))[1]
        assert complex(got) == pytest.approx(-(1 + 2j) / w**2, rel=1e-15)


def test_equality_is_by_element_and_there_is_no_order() -> None:
    z = sf.Complex(np.array([1.0, 2.0]), np.array([0.0, 3.0]))
    np.testing.assert_array_equal(z == np.array([1.0, 2 + 3j]), [True, True])
    np.testing.assert_array_equal(z == 1.0, [True, False])
    np.testing.assert_array_equal(z != 2 + 3j, [True, False])
    with pytest.raises(TypeError, match="not supported"):
        z < 1.0  # type: ignore[operator] # noqa: B015
    with pytest.raises(TraceError, match="lt is not defined for complex"):
        sf.tensor([1.0, 2.0]) < z  # noqa: B015


def test_shapes_types_and_conversions() -> None:
    z = sf.Complex(np.ones((2, 3), np.float32), 0.5)
    assert (z.shape, z.ndim, z.size, len(z), z.dtype) == ((2, 3), 2, 6, 2, np.complex64)
    assert np.asarray(z).dtype == np.complex64
    assert z.astype(np.complex128).dtype == np.complex128
    assert (z * 2j).dtype == np.complex64
    assert complex(sf.Complex(1, 2)) == 1 + 2j
    assert repr(sf.Complex(1.0, 2.0)) == "Complex(array(1.), array(2.))"
    np.testing.assert_array_equal(np.asarray(sf.Complex(np.inf, 1.0)), complex(np.inf, 1.0))
    recorded = sf.Complex(sf.tensor([1.0], requires_grad=True), 1.0)
    np.testing.assert_array_equal(recorded.numpy(), [1 + 1j])
    with pytest.raises(TraceError, match="record would be lost"):
        np.asarray(recorded)


def test_what_has_no_meaning_is_refused() -> None:
    z = sf.Complex(Z)
    with pytest.raises(TraceError, match="both be real"):
        sf.Complex(z, R)
    with pytest.raises(TraceError, match="precision"):
        sf.Complex(np.ones(2), np.ones(2, np.float32))
    with pytest.raises(ShapeError, match="do not fit"):
        sf.Complex(np.ones(2), np.ones(3))
    with pytest.raises(TraceError, match="erf is not defined for complex"):
        sf.erf(z)
    with pytest.raises(TraceError, match="max is not defined for complex"):
        sf.maximum(z, 0.0)
    with pytest.raises(TraceError, match=r"sciml\.framework\.exp"):
        np.exp(z)
    with pytest.raises(TraceError, match=r"(?s)argument \[0\].*sciml\.framework\.Complex"):
        sf.jit(sf.exp)(Z)
    with pytest.raises(TraceError, match="not complex"):
        z.astype(np.float64)
    with pytest.raises(DifferentiationError, match=r"complex.*abs2"):
        sf.grad(lambda x: sf.Complex(x, x))(np.array(1.0))
    with pytest.raises(DifferentiationError, match=r"complex.*abs2"):
        sf.grad(lambda x: (sf.Complex(x, x), x), has_aux=True)(np.array(1.0))
    x = sf.tensor(1.0, requires_grad=True)
    with pytest.raises(DifferentiationError, match=r"complex.*abs2"):
        sf.gradients(x * 1j, x)


def test_transforms_see_two_real_arrays() -> None:
    """L = sum |z - c|^2 has the gradient 2 (z - c) in the parts of z."""
    z, c = sf.Complex(Z), W

    def loss(z: Any) -> Any:
        return sf.abs2(z - c).sum()

    value, gradient = sf.jit(sf.value_and_grad(loss))(z)
    assert value == pytest.approx(np.sum(np.abs(Z - W) ** 2), rel=1e-14)
    assert isinstance(gradient, sf.Complex)
    assert_close(gradient, 2 * (Z - W))
    assert_close(sf.vmap(lambda row: row.sum())(z), Z.sum(axis=1), 8 * BOUND)
    leaf = sf.tensor([1.0, 2.0], requires_grad=True)
    abs(sf.Complex(leaf, 2.0 * leaf)).sum().backward()
    assert leaf.grad is not None
    np.testing.assert_allclose(leaf.grad.numpy(), np.full(2, 5**0.5), rtol=1e-15)

"""Complex functions: NumPy's values, extreme numbers, branch cuts, derivatives."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
import pytest

import sciml.framework as sf

rng = np.random.default_rng(0)
Z = rng.normal(size=(3, 4)) + 1j * rng.normal(size=(3, 4))
R = rng.normal(size=(3, 4))
BOUND = 4 * np.finfo(float).eps


def assert_close(got: Any, expected: Any, bound: float = BOUND) -> None:
    """Compare relative to the modulus, as is natural for complex rounding."""
    error = np.abs(np.asarray(got) - expected)
    assert np.all(error <= bound * np.maximum(np.abs(expected), 1e-300)), error


@pytest.mark.parametrize("name", [
    "exp", "log", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "square", "abs", "conj",
    "real", "imag", "angle", "sum", "mean", "zeros_like",
])  # fmt: skip
def test_functions_agree_with_numpy(name: str) -> None:
    function, reference = getattr(sf, name), getattr(np, name)
    assert_close(function(sf.Complex(Z)), reference(Z), 8 * BOUND)
    assert_close(function(Z), reference(Z), 8 * BOUND)
    assert_close(sf.jit(function)(sf.Complex(Z)), reference(Z), 8 * BOUND)
    assert_close(function(R if name not in ("log", "sqrt") else abs(R)),
                 reference(R if name not in ("log", "sqrt") else abs(R)))  # fmt: skip


def test_branch_cuts_are_the_principal_ones() -> None:
    z = np.array([-4.0 + 0j, 4.0, 3j, -3j, -1 + 1e-20j, -1 - 1e-20j])
    assert_close(sf.sqrt(z), np.sqrt(z))
    assert_close(sf.log(z), np.log(z))


def test_large_and_small_numbers_neither_overflow_nor_underflow() -> None:
    z = np.array([3e300 + 4e300j, 3e-300 + 4e-300j, 3e-310 + 4e-310j, 5.0, 0.0, 1e160j])
    assert_close(abs(sf.Complex(z)), np.abs(z), 2 * BOUND)
    assert abs(sf.Complex(3.0, 4.0)) == 5.0
    assert abs(sf.Complex(np.float32(3e30), np.float32(4e30))) == pytest.approx(5e30, rel=2e-7)
    assert np.isposinf(abs(sf.Complex(np.inf, 1.0)))
    assert_close(sf.tanh(np.array([800.0 + 1j, -800.0 + 2j])), np.array([1.0, -1.0]))


@pytest.mark.parametrize(("name", "reference"), [
    ("exp", mp.exp), ("log", mp.log), ("sqrt", mp.sqrt), ("sin", mp.sin), ("cos", mp.cos),
    ("tan", mp.tan), ("sinh", mp.sinh), ("cosh", mp.cosh), ("tanh", mp.tanh),
])  # fmt: skip
@pytest.mark.parametrize("point", [0.6 + 0.8j, -0.7 + 0.4j, -0.5 - 0.5j, 0.3j, -0.2 - 1.1j])
def test_six_derivatives_along_a_line(name: str, reference: Any, point: complex) -> None:
    """d^k/dt^k f(z + t v) = v^k f^(k)(z), also where both parts or none are equal or zero."""
    v = 0.8 - 0.6j
    one, zero = np.ones(1), np.zeros(1)

    def along(t: Any) -> Any:
        return getattr(sf, name)(v * t + point)

    _, terms = sf.jet(along, (zero,), ([one, zero, zero, zero, zero, zero],))
    with mp.workdps(50):
        exact = [complex(mp.diff(reference, mp.mpc(point), k) * mp.mpc(v) ** k)
                 for k in range(1, 7)]  # fmt: skip
    for k, value in enumerate(exact):
        got = complex(terms[0][k][0], terms[1][k][0])
        assert abs(got - value) <= 1e-11 * abs(value), k + 1


@pytest.mark.parametrize("point", [0.5 + 0.5j, -0.5 + 0.5j, 1.0 + 0j, -2j, 1e-200 + 2e-200j])
def test_second_derivatives_of_the_modulus(point: complex) -> None:
    """The Hessian of |z| is (1/r) times the projection across z."""
    a, b = point.real, point.imag
    scale = max(abs(a), abs(b))
    got = sf.hessian(lambda p: abs(sf.Complex(p[0], p[1])))(np.array([a, b])) * scale
    a, b = a / scale, b / scale
    across = np.array([[b * b, -a * b], [-a * b, a * a]]) / np.hypot(a, b) ** 3
    np.testing.assert_allclose(got, across, rtol=1e-14, atol=1e-15)

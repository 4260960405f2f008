"""Operators on complex fields: exact solutions of wave equations, one propagation, all plans."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import sympy as sp

import sciml.framework as sf
from sciml.framework.errors import DifferentiationError

x, y = sp.symbols("x y", real=True)
POINTS = np.random.default_rng(0).uniform(0.1, 0.9, size=(7, 2))
INDICES = [a for a in itertools.product(range(5), repeat=2) if sum(a) <= 4]

FIELDS: list[tuple[Any, Any]] = [
    (sp.exp(sp.I * (2 * x - y**2)), lambda a, b: sf.exp(1j * (2.0 * a - b**2))),
    (sp.sin(x + 2 * sp.I * y) * x, lambda a, b: sf.sin(a + 2j * b) * a),
    (sp.tanh(x * y + sp.I * x), lambda a, b: sf.tanh(a * b + 1j * a)),
    (1 / (x + sp.I * y + 1) ** 2, lambda a, b: 1.0 / (a + 1j * b + 1.0) ** 2),
    (sp.sqrt(x - sp.I * y) * sp.log(y + sp.I), lambda a, b: sf.sqrt(a - 1j * b) * sf.log(b + 1j)),
]


def evaluated(expression: Any) -> np.ndarray:
    function = sp.lambdify((x, y), expression, "mpmath")
    return np.array([complex(function(*map(sp.Float, row))) for row in POINTS.tolist()])


@pytest.mark.parametrize(("expression", "field"), FIELDS)
def test_mixed_derivatives_to_order_four_against_closed_forms(expression: Any, field: Any) -> None:
    def psi(X: Any) -> Any:
        return field(X[:, 0], X[:, 1])

    for index, got in zip(INDICES, sf.derivatives(psi, INDICES)(POINTS), strict=True):
        exact = evaluated(expression.diff((x, index[0])).diff((y, index[1])))
        assert isinstance(got, sf.Complex)
        np.testing.assert_allclose(np.asarray(got), exact, rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize(("expression", "field"), FIELDS[:2])
def test_operators_against_closed_forms(expression: Any, field: Any) -> None:
    def psi(X: Any) -> Any:
        return field(X[:, 0], X[:, 1])

    def pair(X: Any) -> Any:
        value = psi(X)
        return sf.stack([value, 1j * value * X[:, 0]], axis=1)

    second = sp.I * expression * x
    cases = {
        "laplacian": (sf.laplacian(psi), expression.diff(x, 2) + expression.diff(y, 2)),
        "biharmonic": (
            sf.biharmonic(psi),
            expression.diff(x, 4) + 2 * expression.diff(x, 2, y, 2) + expression.diff(y, 4),
        ),
        "gradient": (lambda X: sf.gradient(psi)(X)[:, 1], expression.diff(y)),
        "third": (lambda X: sf.third_derivatives(psi)(X)[:, 0, 1, 0], expression.diff(x, 2, y)),
        "directional": (
            sf.directional(psi, [1.0, -2.0], 2),
            expression.diff(x, 2) - 4 * expression.diff(x, y) + 4 * expression.diff(y, 2),
        ),
        "linear_operator": (
            sf.linear_operator(psi, {(1, 0): 2.0 - 1j, (0, 2): lambda X: 1j * X[:, 0]}),
            (2 - sp.I) * expression.diff(x) + sp.I * x * expression.diff(y, 2),
        ),
        "divergence": (sf.divergence(pair), expression.diff(x) + second.diff(y)),
        "curl": (sf.curl(pair), second.diff(x) - expression.diff(y)),
    }
    for name, (operator, closed) in cases.items():
        exact = evaluated(closed)
        for result in (operator(POINTS), sf.jit(operator)(POINTS)):
            np.testing.assert_allclose(
                np.asarray(result), exact, rtol=1e-12, atol=1e-12, err_msg=name
            )


def schroedinger(psi: Any) -> Any:
    """i psi_t + 1/2 psi_xx with the columns x, t."""
    return sf.linear_operator(psi, {(0, 1): 1j, (2, 0): 0.5})


def test_a_plane_wave_and_a_gaussian_packet_move_freely() -> None:
    k = 1.7

    def wave(X: Any) -> Any:
        return sf.exp(1j * (k * X[:, 0] - 0.5 * k**2 * X[:, 1]))

    def packet(X: Any) -> Any:
        spread = 1.0 + 1j * X[:, 1]
        return sf.exp(-((X[:, 0] - k * X[:, 1]) ** 2) / (2.0 * spread)) / sf.sqrt(spread) * wave(X)

    for psi in (wave, packet):
        assert np.abs(np.asarray(schroedinger(psi)(POINTS))).max() < 1e-12
        assert np.abs(np.asarray(sf.jit(schroedinger(psi))(POINTS))).max() < 1e-12


def test_a_soliton_solves_the_nonlinear_equation() -> None:
    """i psi_t + 1/2 psi_xx + |psi|^2 psi = 0."""
    a, v = 1.4, 0.6

    def psi(X: Any) -> Any:
        phase = sf.exp(1j * (v * X[:, 0] + 0.5 * (a**2 - v**2) * X[:, 1]))
        return a * phase / sf.cosh(a * (X[:, 0] - v * X[:, 1]))

    def residual(X: Any) -> Any:
        value = psi(X)
        return schroedinger(psi)(X) + value.abs2() * value

    assert np.abs(np.asarray(residual(POINTS))).max() < 1e-12


def test_an_evanescent_wave_solves_the_helmholtz_equation() -> None:
    """exp(i k.x) with a complex wave vector, laplacian + (k.k) = 0."""
    k = np.array([2.0 + 0.3j, -0.5 + 1.1j])

    def u(X: Any) -> Any:
        return sf.exp(1j * (k[0] * X[:, 0] + k[1] * X[:, 1]))

    residual = sf.laplacian(u)(POINTS) + complex(k @ k) * u(POINTS)
    assert np.abs(np.asarray(residual)).max() < 1e-12


def test_a_real_field_stays_real_unless_a_coefficient_is_complex() -> None:
    def u(X: Any) -> Any:
        return X[:, 0] ** 3 * X[:, 1]

    assert isinstance(sf.laplacian(u)(POINTS), np.ndarray)
    result = sf.linear_operator(u, {(2, 0): 1j, (0, 1): 1.0})(POINTS)
    assert isinstance(result, sf.Complex)
    a, b = POINTS.T
    np.testing.assert_allclose(np.asarray(result), a**3 + 6j * a * b, rtol=1e-14)


def test_one_part_may_be_constant() -> None:
    result = sf.laplacian(lambda X: sf.Complex(X[:, 0] ** 4, 1.0))(POINTS)
    np.testing.assert_allclose(np.asarray(result), 12 * POINTS[:, 0] ** 2 + 0j, rtol=1e-15)
    with pytest.raises(DifferentiationError, match="does not depend on X"):
        sf.laplacian(lambda X: sf.Complex(np.ones(7), 1.0))(POINTS)


def test_both_parts_take_one_propagation() -> None:
    """As many matrix products as for the real network of two outputs, and one call."""
    rng = np.random.default_rng(1)
    W, V = rng.normal(size=(2, 8)), rng.normal(size=(8, 2))
    calls = []

    def network(X: Any) -> Any:
        calls.append(1)
        return sf.tanh(X @ W) @ V

    def psi(X: Any) -> Any:
        out = network(X)
        return sf.Complex(out[:, 0], out[:, 1])

    products = [
        sf.make_program(sf.biharmonic(u))(POINTS).count()["dot_general"] for u in (network, psi)
    ]
    assert products[0] == products[1]
    assert len(calls) == 2
    both = sf.biharmonic(network)(POINTS)
    np.testing.assert_allclose(np.asarray(sf.biharmonic(psi)(POINTS)), both @ [1, 1j], rtol=1e-13)


def test_the_loss_of_a_complex_residual_trains_a_parameter() -> None:
    """d/dk of mean |i psi_t + psi_xx / 2|^2 for exp(i (k x - w t)) is 2 (w - k^2/2) (-k)."""
    w = 0.7

    def loss(k: Any) -> Any:
        def psi(X: Any) -> Any:
            return sf.exp(1j * (k * X[:, 0] - w * X[:, 1]))

        return schroedinger(psi)(POINTS).abs2().mean()

    k = 1.3
    exact = -2 * k * (w - k**2 / 2)
    assert float(sf.grad(loss)(np.array(k))) == pytest.approx(exact, rel=1e-13)
    assert float(sf.jit(sf.grad(loss))(np.array(k))) == pytest.approx(exact, rel=1e-13)
    leaf = sf.tensor(k, requires_grad=True)
    loss(leaf).backward()
    assert leaf.grad is not None
    assert float(leaf.grad) == pytest.approx(exact, rel=1e-13)
    several = sf.vmap(loss)(np.array([1.0, k]))
    np.testing.assert_allclose(several, [(w - 0.5) ** 2, (w - k**2 / 2) ** 2], rtol=1e-13)


@pytest.mark.parametrize("plan", ["multi_index", "forward_laplacian", "directional", "nested"])
def test_every_plan_takes_complex_and_recorded_values(plan: str) -> None:
    """The Laplacian of exp(i k (x + 2 y)) is -5 k^2 times it; mean |laplacian|^2 is 25 k^4."""
    k = sf.tensor(1.3, requires_grad=True)

    def psi(X: Any) -> Any:
        return sf.exp(1j * k * (X[:, 0] + 2.0 * X[:, 1]))

    found = sf.laplacian(psi, plan=plan)(POINTS)
    exact = -5 * 1.3**2 * np.exp(1.3j * (POINTS @ [1, 2]))
    np.testing.assert_allclose(found.numpy(), exact, rtol=1e-13)
    assert float(sf.gradients(found.abs2().mean(), k)) == pytest.approx(100 * 1.3**3, rel=1e-12)


def test_the_gradient_in_many_dimensions_and_second_derivatives() -> None:
    k = np.linspace(0.1, 1.0, 70)
    X = np.random.default_rng(3).uniform(size=(4, 70))

    def psi(X: Any) -> Any:
        return sf.exp(1j * (X @ k))

    wave = np.exp(1j * (X @ k))
    np.testing.assert_allclose(
        np.asarray(sf.gradient(psi)(X)), 1j * wave[:, None] * k, rtol=1e-13, atol=1e-15
    )
    second = sf.hessian(lambda X: sf.exp(1j * (X @ k[:2])))(POINTS)
    expected = -np.exp(1j * (POINTS @ k[:2]))[:, None, None] * np.outer(k[:2], k[:2])
    np.testing.assert_allclose(np.asarray(second), expected, rtol=1e-13, atol=1e-15)

"""Frequencies and buckling loads against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special

from sciml import MLP, Points, Problem, RandomFeatures, SpectralFeatures, eigen
from sciml.equations import (
    Clamped,
    CustomPDE,
    Dirichlet,
    Neumann,
    PlateBuckling,
    PlateMode,
    Poisson,
    SimplySupported,
    UnknownParameter,
)
from sciml.framework.errors import ConfigError, EquationError
from sciml.geometry import Disk, Interval, Rectangle

ENDS = [Dirichlet("u", "left"), Dirichlet("u", "right")]


def string(power: int = 2, **unknown: object) -> CustomPDE:
    k = UnknownParameter(1.0, **unknown)  # type: ignore[arg-type]
    return CustomPDE({"string": f"u__x__x + k^{power}*u"}, "x", "u", {"k": k})


def test_frequencies_and_modes_of_a_simply_supported_plate() -> None:
    """omega = pi^2 (m^2 + n^2) sqrt(D / (rho h)) on the unit square, (1, 2) and (2, 1) alike."""
    plate = PlateMode(rigidity=2.0, mass=0.5, frequency=UnknownParameter(1.0))
    problem = Problem(Rectangle((0, 0), (1, 1)), plate, [SimplySupported("edges")])
    modes = eigen(problem, SpectralFeatures(degrees=14), count=4, points=Points(900, 100))
    expected = 2.0 * np.pi**2 * np.array([2.0, 5.0, 5.0, 8.0])
    np.testing.assert_allclose([m.value for m in modes], expected, rtol=1e-8)
    assert all(m.residual < 1e-4 for m in modes)
    x, y = np.random.default_rng(0).uniform(size=(2, 50))
    first = modes[0].solution
    np.testing.assert_allclose(
        first["w"](x, y), 2 * np.sin(np.pi * x) * np.sin(np.pi * y), rtol=0, atol=1e-8
    )
    assert first.identified["omega"] == modes[0].value
    # The derived quantities are those of the mode: M_x + M_y = -(1 + nu) D laplacian(w).
    moments = first["M_x"](x, y) + first["M_y"](x, y)
    np.testing.assert_allclose(moments, 1.3 * 2.0 * 2 * np.pi**2 * first["w"](x, y), atol=1e-4)
    # The two of the double one span the plane of sin(pi x) sin(2 pi y) and its mirror image.
    plane = 2 * np.stack(
        [np.sin(np.pi * x) * np.sin(2 * np.pi * y), np.sin(2 * np.pi * x) * np.sin(np.pi * y)]
    )
    for mode in modes[1:3]:
        shape = mode.solution["w"](x, y)
        parts = np.linalg.lstsq(plane.T, shape, rcond=None)[0]
        np.testing.assert_allclose(plane.T @ parts, shape, rtol=0, atol=1e-6)
        assert np.linalg.norm(parts) == pytest.approx(1.0, rel=1e-6)


def test_buckling_of_a_simply_supported_square() -> None:
    """N = 4 pi^2 D / a^2 (Timoshenko and Gere 1961, section 9.2)."""
    plate = PlateBuckling(rigidity=3.0, thrust_x=UnknownParameter(1.0))
    problem = Problem(Rectangle((0, 0), (2, 2)), plate, [SimplySupported("edges")])
    (mode,) = eigen(problem, SpectralFeatures(degrees=12), points=Points(700, 80))
    assert mode.value == pytest.approx(4 * np.pi**2 * 3.0 / 4, rel=1e-8)


def test_frequency_of_a_clamped_disc() -> None:
    """omega = k^2 with J_0(k) I_1(k) + I_0(k) J_1(k) = 0."""
    j0, j1, i0, i1 = (scipy.special.jv, scipy.special.jv, scipy.special.iv, scipy.special.iv)
    k = scipy.optimize.brentq(
        lambda k: j0(0, k) * i1(1, k) + i0(0, k) * j1(1, k), 3.0, 3.5, xtol=1e-14
    )
    plate = PlateMode(frequency=UnknownParameter(1.0))
    problem = Problem(Disk((0, 0), 1), plate, [Clamped("circle")])
    net = RandomFeatures(features=150, scale=5.0)
    (mode,) = eigen(problem, net, points=Points(600, 40))
    assert mode.value == pytest.approx(k**2, rel=1e-8)


@pytest.mark.parametrize("power", [1, 2])
def test_rigid_motion_has_eigenvalue_zero(power: int) -> None:
    """u'' + k^p u = 0 with u' = 0 at both ends: k^p = 0, pi^2, (2 pi)^2."""
    ends = [Neumann("u", "left"), Neumann("u", "right")]
    problem = Problem(Interval(0, 1), string(power), ends)
    modes = eigen(problem, SpectralFeatures(degrees=18), count=3)
    expected = np.pi ** (2 / power) * np.array([0.0, 1.0, 4.0 ** (1 / power)])
    np.testing.assert_allclose([m.value for m in modes], expected, rtol=0, atol=1e-9)
    np.testing.assert_allclose(modes[0].solution["u"]([0.1, 0.7]), [1.0, 1.0], atol=1e-9)


def test_only_values_between_the_bounds_count() -> None:
    problem = Problem(Interval(0, 1), string(bounds=(0.5, 20.0)), ENDS)
    net = SpectralFeatures(degrees=24)
    modes = eigen(problem, net, count=6)
    np.testing.assert_allclose([m.value for m in modes], np.pi * np.arange(1, 7), rtol=1e-7)
    with pytest.raises(ConfigError, match="6 eigenvalues are resolved, expected 7"):
        eigen(problem, net, count=7)


def test_what_is_no_eigenproblem_is_refused() -> None:
    line, net = Interval(0, 1), SpectralFeatures(degrees=6)
    with pytest.raises(EquationError, match="expected one UnknownParameter as the eigenvalue, got"):
        eigen(Problem(line, Poisson(dimension=1), ENDS), net)
    pde = CustomPDE({"r": "u__x__x + k*u + k^2*u"}, "x", "u", {"k": UnknownParameter(1.0)})
    with pytest.raises(EquationError, match=r"got the powers \[1, 2\]"):
        eigen(Problem(line, pde, ENDS), net)
    pde = CustomPDE({"r": "u__x__x + sin(k)*u"}, "x", "u", {"k": UnknownParameter(1.0)})
    with pytest.raises(EquationError, match="one power of k must stand in the residuals"):
        eigen(Problem(line, pde, ENDS), net)
    raised = [Dirichlet("u", "left", 1.0), Dirichlet("u", "right")]
    with pytest.raises(EquationError, match="a residual is not zero for zero fields"):
        eigen(Problem(line, string(), raised), net)
    with pytest.raises(ConfigError, match="MLP or the equation is not linear"):
        eigen(Problem(line, string(), ENDS), MLP(hidden=(4,)))
    with pytest.raises(ConfigError, match="count must be 1 or more, got 0"):
        eigen(Problem(line, string(), ENDS), net, count=0)

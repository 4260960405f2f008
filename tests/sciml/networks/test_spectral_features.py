"""Spectral features: what is counted, what is exact, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from sciml import GaussNewton, Points, Problem, Solver, SpectralFeatures
from sciml.equations import CustomPDE, Dirichlet, Initial, Periodic, Poisson
from sciml.framework.errors import ConfigError
from sciml.geometry import Interval, Rectangle


def test_counts() -> None:
    assert SpectralFeatures(inputs=2, degrees=4).count == 25
    assert SpectralFeatures(inputs=2, degrees=4, total=True).count == 15
    assert SpectralFeatures(3, (4, 2, 1), ("fourier", "chebyshev", "chebyshev")).count == 9 * 3 * 2


def test_a_polynomial_solution_is_found_exactly() -> None:
    """-lap u = f of u = x (1 - x) y (1 - y) (1 + x y)."""
    source = "-(2*y*(y - 1)*(3*x*y - y + 1) + 2*x*(x - 1)*(3*x*y - x + 1))"
    problem = Problem(Rectangle(), Poisson(source), [Dirichlet("u", "edges", hard=False)])
    solver = Solver(
        problem, SpectralFeatures(degrees=3), [GaussNewton()], Points(100, 50), dtype="float64"
    )
    x, y = np.random.default_rng(0).uniform(0, 1, (2, 50))
    exact = x * (1 - x) * y * (1 - y) * (1 + x * y)
    np.testing.assert_allclose(solver.solve()["u"](x, y), exact, atol=1e-14)


def test_a_travelling_wave_of_one_mode() -> None:
    pde = CustomPDE({"advection": "u__t + 3*u__x"}, over="x t", unknowns="u")
    conditions = [
        Initial("u", "sin(x)"), Periodic("u", "sides.left", "x", 2 * np.pi, hard=False),
    ]  # fmt: skip
    problem = Problem(Interval(0, 2 * np.pi).over_time(1.0), pde, conditions)
    network = SpectralFeatures(degrees=(1, 18), bases=("fourier", "chebyshev"))
    solution = Solver(problem, network, [GaussNewton()], Points(400, 100), dtype="float64").solve()
    x, t = np.random.default_rng(0).uniform(0, 1, (2, 50))
    np.testing.assert_allclose(solution["u"](x, t), np.sin(x - 3 * t), atol=1e-12)


@pytest.mark.parametrize(
    "change", [{"degrees": -1}, {"degrees": (3, -2)}, {"bases": ("legendre", "fourier")}]
)
def test_mistakes(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="SpectralFeatures"):
        SpectralFeatures(**change)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match=r"give it hard=False where the basis is fourier"):
        SpectralFeatures(inputs=3, degrees=(1, 2)).axes  # noqa: B018

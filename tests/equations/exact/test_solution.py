"""What every exact solution keeps, checked for all of them by the same tests."""

import numpy as np
import pytest
import sympy

from sciml.equations.exact import (
    SinePlate,
    SinePoisson,
    UniformClampedPlate,
    UniformDisc,
    UniformSimplySupportedPlate,
)
from sciml.framework.errors import EquationError

SOLUTIONS = [
    SinePoisson(2, 1.5, 3, 0.7),
    SinePlate(2, 1.5, 3, 0.7, 0.25, (2, 3)),
    UniformDisc(2, 3, 0.7, 0.25),
    UniformDisc(2, 3, 0.7, 0.25, "simply_supported"),
    UniformSimplySupportedPlate(2, 1.5, 3, 0.7, 0.25),
    UniformSimplySupportedPlate(1.5, 2, 3, 0.7, 0.25),
    UniformClampedPlate(2, 1.5, 3, 0.7, 0.25),
]
every_solution = pytest.mark.parametrize("solution", SOLUTIONS, ids=lambda s: type(s).__name__)
INSIDE = np.random.default_rng(0).uniform(0.35, 1.1, (20, 2))


@every_solution
def test_it_gives_the_field_and_the_derived_quantities(solution):
    values = solution(INSIDE)
    expected = {f.func.__name__ for f in solution.pde.fields} | set(solution.pde.derived())
    assert set(values) == expected
    assert all(v.shape == (20,) and v.dtype == np.float64 for v in values.values())


@pytest.mark.parametrize("solution", SOLUTIONS[:4], ids=lambda s: type(s).__name__)
def test_residual_of_a_closed_form_is_zero(solution):
    pde = solution.pde
    (residual,) = pde.residuals().values()
    assert sympy.simplify(residual.subs(pde.fields[0], solution.solution).doit()) == 0


def central(solution, name, axis, h=1e-3):
    """Derivative by differences of fourth order."""
    e = h * np.eye(2)[axis]
    steps = [solution(INSIDE + s * e)[name] for s in (-2, -1, 1, 2)]
    return (steps[0] - 8 * steps[1] + 8 * steps[2] - steps[3]) / (12 * h)


@pytest.mark.parametrize("solution", SOLUTIONS[1:], ids=lambda s: type(s).__name__)
def test_moments_and_shear_forces_balance_by_differences(solution):
    values = solution(INSIDE)
    scale = np.abs(values["Q_x"]).max()
    for shear, first, second in (("Q_x", "M_x", "M_xy"), ("Q_y", "M_xy", "M_y")):
        sum_ = central(solution, first, 0) + central(solution, second, 1)
        np.testing.assert_allclose(sum_, values[shear], atol=2e-7 * scale)
    load = [float(solution.pde.expression(solution.pde.load, "q").subs({"x": a, "y": b}))
            for a, b in INSIDE]  # fmt: skip
    balance = central(solution, "Q_x", 0) + central(solution, "Q_y", 1)
    np.testing.assert_allclose(-balance, load, rtol=1e-6, atol=1e-5 * np.abs(load).max())


@pytest.mark.parametrize("solution", SOLUTIONS[1:], ids=lambda s: type(s).__name__)
def test_moments_are_second_derivatives_of_the_deflection_by_differences(solution):
    h, values = 2e-3, solution(INSIDE)
    w = {
        (i, j): solution(INSIDE + h * np.array([i, j]))["w"]
        for i in range(-1, 2)
        for j in range(-1, 2)
    }
    xx = (w[1, 0] - 2 * w[0, 0] + w[-1, 0]) / h**2
    yy = (w[0, 1] - 2 * w[0, 0] + w[0, -1]) / h**2
    xy = (w[1, 1] - w[1, -1] - w[-1, 1] + w[-1, -1]) / (4 * h**2)
    D, nu = 0.7, 0.25
    scale = np.abs(values["M_x"]).max()
    expected = {"M_x": -D * (xx + nu * yy), "M_y": -D * (yy + nu * xx), "M_xy": -D * (1 - nu) * xy}
    for name, value in expected.items():
        np.testing.assert_allclose(value, values[name], atol=2e-4 * scale)


@every_solution
def test_bad_points_are_refused(solution):
    with pytest.raises(EquationError, match=r"shape \(n, 2\)"):
        solution(np.zeros((3, 3)))


@pytest.mark.parametrize("kind", [SinePoisson, SinePlate, UniformClampedPlate, UniformDisc,
                                  UniformSimplySupportedPlate])  # fmt: skip
@pytest.mark.parametrize("size", [0, -1.0, float("nan"), "1"])
def test_bad_sizes_are_refused(kind, size):
    with pytest.raises(EquationError, match="must be a positive number"):
        kind(size)

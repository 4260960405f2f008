"""Reference values: series of the simply supported plate, nu = 0.3, checked at 60 digits."""

import numpy as np
import pytest

from sciml.equations.exact import UniformSimplySupportedPlate
from sciml.equations.lowering import lower

# b/a: w, M_x and M_y at the centre, Q_x and V_x at (0, b/2), in units of q, a, D
TABLE = {
    1.0: (0.00406235266067505173, 0.0478863796329839801, 0.0478863796329839801,
          0.337657241656783806, 0.420470854054291599),
    1.5: (0.00772402162333274368, 0.0811600926949674195, 0.0498427075216927130,
          0.423781116366633618, 0.485645585710373079),
    2.0: (0.0101286630552058284, 0.101683085246439833, 0.0463502965190167442,
          0.465030134898546213, 0.503354200696443965),
}  # fmt: skip


@pytest.mark.parametrize("ratio", TABLE)
@pytest.mark.parametrize("turned", [False, True])
def test_table(ratio, turned):
    w, mx, my, qx, _ = TABLE[ratio]
    sides = (ratio, 1.0) if turned else (1.0, ratio)
    edge = (ratio / 2, 0.0) if turned else (0.0, ratio / 2)
    values = UniformSimplySupportedPlate(*sides)(np.array([[sides[0] / 2, sides[1] / 2], edge]))
    first, second, shear = ("M_y", "M_x", "Q_y") if turned else ("M_x", "M_y", "Q_x")
    assert values["w"][0] == pytest.approx(w, rel=1e-14)
    assert values[first][0] == pytest.approx(mx, rel=1e-13)
    assert values[second][0] == pytest.approx(my, rel=1e-13)
    assert values[shear][1] == pytest.approx(qx, rel=1e-13)


@pytest.mark.parametrize("ratio", TABLE)
def test_effective_shear_of_the_table(ratio):
    solution = UniformSimplySupportedPlate(1, ratio)
    h = 1e-3
    y = ratio / 2 + h * np.array([-2, -1, 0, 1, 2])
    values = solution(np.stack([np.zeros(5), y], axis=1))
    twist = values["M_xy"] @ np.array([1, -8, 0, 8, -1]) / (12 * h)
    assert values["Q_x"][2] + twist == pytest.approx(TABLE[ratio][4], rel=1e-10)


def test_corner_of_the_square():
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1.0]])
    values = UniformSimplySupportedPlate()(corners)
    np.testing.assert_allclose(np.abs(values["M_xy"]), 0.0324823513621925643, rtol=1e-14)
    np.testing.assert_allclose(2 * np.abs(values["M_xy"]), 0.0649647027243851285, rtol=1e-14)
    for name in ("w", "M_x", "M_y", "Q_x", "Q_y"):
        np.testing.assert_allclose(values[name], 0, atol=1e-15)


def test_both_directions_of_the_series_agree_near_the_edges():
    """The square may be expanded along x or along y; near a corner neither converges by itself."""
    X = np.array([[1e-3, 2e-3], [0.02, 1e-5], [0.5, 1e-4], [0.999, 0.3], [0.97, 0.999], [1, 0.25]])
    solution = UniformSimplySupportedPlate()
    values, turned = solution(X), solution(X[:, ::-1])
    for name, other in (("w", "w"), ("M_x", "M_y"), ("M_xy", "M_xy"), ("Q_x", "Q_y")):
        np.testing.assert_allclose(values[name], turned[other], rtol=0, atol=2e-15)


def test_edges_are_simply_supported():
    s = np.linspace(0, 1, 30)
    solution = UniformSimplySupportedPlate(2, 1.5)
    edges = [(2 * s, 0 * s, "M_y"), (2 * s, 0 * s + 1.5, "M_y"), (0 * s, 1.5 * s, "M_x"),
             (0 * s + 2, 1.5 * s, "M_x")]  # fmt: skip
    for x, y, moment in edges:
        values = solution(np.stack([x, y], axis=1))
        np.testing.assert_allclose(values["w"], 0, atol=1e-15)
        np.testing.assert_allclose(values[moment], 0, atol=1e-14)


def test_shear_forces_on_the_edges_carry_the_load():
    a, b = 1.0, 1.5
    solution = UniformSimplySupportedPlate(a, b)
    nodes, weights = np.polynomial.legendre.leggauss(200)
    t, weights = (nodes + 1) / 2, weights / 2

    def integral(name, x, y):
        values = solution(np.stack(np.broadcast_arrays(x, y), axis=1))
        return values[name] @ weights

    shear = 2 * (a * integral("Q_y", a * t, 0.0) + b * integral("Q_x", 0.0, b * t))
    assert shear == pytest.approx(a * b, rel=1e-6)


def test_deflection_is_the_only_field():
    solution = UniformSimplySupportedPlate()
    assert lower(solution.pde.residuals(), solution.pde.coordinates, ["w"]).order == 4

"""Reference values: series of the clamped square plate, nu = 0.3."""

import numpy as np
import pytest

from sciml.equations.exact import UniformClampedPlate


def test_square_under_uniform_load():
    values = UniformClampedPlate()(np.array([[0.5, 0.5], [0.0, 0.5]]))
    assert values["w"][0] == pytest.approx(0.00126531908748, abs=5e-15)
    assert values["M_x"][0] == pytest.approx(0.02290509078, abs=1e-11)
    assert values["M_x"][1] == pytest.approx(-0.0513337, abs=5e-8)


def test_rectangle_under_uniform_load():
    (w,) = UniformClampedPlate(1, 1.5)(np.array([[0.5, 0.75]]))["w"]
    assert w == pytest.approx(0.00219652209, abs=5e-12)


def test_edges_are_clamped():
    s = np.linspace(0, 1, 30)
    solution = UniformClampedPlate(2, 1.5)
    h = 1e-6
    for x, y, inward in ((2 * s, 0 * s, (0, h)), (0 * s + 2, 1.5 * s, (-h, 0))):
        X = np.stack([x, y], axis=1)
        np.testing.assert_allclose(solution(X)["w"], 0, atol=1e-15)
        np.testing.assert_allclose(solution(X + inward)["w"] / h, 0, atol=1e-6)


def test_shape_turns_with_the_plate():
    X = np.random.default_rng(1).uniform(0, 1, (9, 2)) * [2.0, 1.0]
    wide, tall = UniformClampedPlate(2, 1)(X), UniformClampedPlate(1, 2)(X[:, ::-1])
    for name, other in (("w", "w"), ("M_x", "M_y"), ("Q_x", "Q_y"), ("M_xy", "M_xy")):
        np.testing.assert_allclose(wide[name], tall[other], atol=1e-10)


def test_deflection_scales_with_load_size_and_rigidity():
    X = np.array([[0.3, 0.4]])
    small, large = UniformClampedPlate()(X)["w"], UniformClampedPlate(2, 2, 3, 5)(2 * X)["w"]
    assert large[0] == pytest.approx(small[0] * 16 * 3 / 5, rel=1e-13)

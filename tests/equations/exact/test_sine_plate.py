import math

import numpy as np
import pytest

from sciml.equations.exact import SinePlate


def test_square_values():
    nu = 0.3
    values = SinePlate(poisson_ratio=nu)(np.array([[0.5, 0.5], [0.0, 0.0], [0.0, 0.5]]))
    assert values["w"][0] == pytest.approx(1 / (4 * math.pi**4), rel=1e-14)
    assert values["M_x"][0] == pytest.approx((1 + nu) / (4 * math.pi**2), rel=1e-14)
    assert abs(values["M_xy"][1]) == pytest.approx((1 - nu) / (4 * math.pi**2), rel=1e-14)
    assert values["Q_x"][2] == pytest.approx(1 / (2 * math.pi), rel=1e-14)


def test_effective_shear_at_the_edge():
    from sciml.equations import lower

    plate = SinePlate()
    shear = plate.pde.effective_shear((1, 0), 0).subs(plate.pde.w, plate.solution).doit()
    (value,) = lower({"V": shear}, plate.pde.coordinates, [])({}, np.array([[0.0, 0.5]]))["V"]
    assert value == pytest.approx((3 - 0.3) / (4 * math.pi), rel=1e-14)

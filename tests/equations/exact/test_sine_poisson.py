import numpy as np
import pytest

from sciml.equations.exact import SinePoisson


def test_values():
    values = SinePoisson(2, 1, 3, 0.5)(np.array([[1.0, 0.5], [0.0, 0.5], [2.0, 0.25]]))
    np.testing.assert_allclose(values["u"], [3, 0, 0], atol=1e-15)
    assert values["flux_x"][1] == pytest.approx(-0.5 * 3 * np.pi / 2, rel=1e-14)


def test_source_of_the_unit_square():
    pde = SinePoisson().pde
    source = float(pde.source.subs({"x": 0.5, "y": 0.5}))
    assert source == pytest.approx(2 * np.pi**2, rel=1e-15)

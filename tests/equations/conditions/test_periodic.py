import numpy as np
import pytest

import sciml.framework as sf
from sciml.equations import Periodic, Poisson, lower
from sciml.framework.errors import EquationError


@pytest.mark.parametrize("period", [1.0, 0.75])
def test_a_wave_agrees_after_its_period_with_all_derivatives_and_else_not(period):
    pde = Poisson()
    residuals = Periodic("u", "edges.left", "y", period, order=3).residuals(pde)
    lowered = lower(residuals, pde.coordinates, pde.fields)
    X = np.random.default_rng(0).random((20, 2))
    values = lowered({"u": lambda X: sf.exp(X[:, 0]) * sf.sin(2 * np.pi * X[:, 1])}, X)
    sizes = [np.abs(v).max() / (2 * np.pi) ** k for k, v in enumerate(values.values())]
    assert len(sizes) == 4
    if period == 1.0:
        np.testing.assert_allclose(sizes, 0, atol=1e-13)
    else:
        assert min(sizes) > 0.5


@pytest.mark.parametrize("changes", [{"period": 0}, {"period": float("inf")}, {"order": -1}])
def test_bad_numbers_are_refused(changes):
    with pytest.raises(EquationError, match=r"Periodic on 'left': (period|order)"):
        Periodic("u", "left", **changes)


def test_an_unknown_coordinate_is_refused():
    with pytest.raises(EquationError, match="no coordinate 't', Poisson has x, y"):
        Periodic("u", "edges.left", "t").residuals(Poisson())

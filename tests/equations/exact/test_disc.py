import numpy as np
import pytest

from sciml.equations.exact import UniformDisc
from sciml.framework.errors import EquationError

ORIGIN, EDGE = [[0.0, 0.0]], [[1.0, 0.0]]


def test_clamped_values():
    disc = UniformDisc(poisson_ratio=0.3)
    assert disc(np.array(ORIGIN))["w"][0] == pytest.approx(1 / 64, rel=1e-15)
    assert disc(np.array(ORIGIN))["M_x"][0] == pytest.approx(1.3 / 16, rel=1e-15)
    assert disc(np.array(EDGE))["M_x"][0] == pytest.approx(-1 / 8, rel=1e-15)
    assert disc(np.array(EDGE))["Q_x"][0] == pytest.approx(-1 / 2, rel=1e-15)


def test_simply_supported_values():
    disc = UniformDisc(poisson_ratio=0.3, edge="simply_supported")
    assert disc(np.array(ORIGIN))["w"][0] == pytest.approx(5.3 / (64 * 1.3), rel=1e-15)
    assert disc(np.array(ORIGIN))["M_x"][0] == pytest.approx(3.3 / 16, rel=1e-15)
    assert disc(np.array(EDGE))["M_x"][0] == pytest.approx(0, abs=1e-16)


def test_unknown_edge():
    with pytest.raises(EquationError, match="edge must be"):
        UniformDisc(edge="free")

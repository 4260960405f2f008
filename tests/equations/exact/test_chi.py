import mpmath
import numpy as np
import pytest

from sciml.equations.exact.chi import chi

POINTS = [1e-9, 1e-3 + 1e-3j, 0.3 + 1.5j, 0.69 + 1.57j, 0.7, 0.71 + 1j, 3 - 1j, 1.5707963j, 0.01j]


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
def test_against_the_polylogarithm_at_thirty_digits(k):
    with mpmath.workdps(30):
        expected = [
            complex((mpmath.polylog(k, mpmath.exp(-m)) - mpmath.polylog(k, -mpmath.exp(-m))) / 2)
            for m in map(mpmath.mpmathify, POINTS)
        ]
    np.testing.assert_allclose(chi(k, np.array(POINTS)), expected, rtol=2e-15, atol=1e-15)


def test_values_at_one():
    assert chi(2, np.array([0j]))[0] == pytest.approx(np.pi**2 / 8, rel=1e-15)
    assert chi(1, np.array([0j]))[0] == 0

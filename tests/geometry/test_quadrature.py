import pytest

from sciml.framework.errors import GeometryError
from sciml.geometry.quadrature import gauss_legendre


@pytest.mark.parametrize("count", [1, 2, 5])
def test_powers_up_to_the_degree(count):
    x, w = gauss_legendre(count, 1.0, 3.0)
    for k in range(2 * count):
        assert (x**k * w).sum() == pytest.approx((3 ** (k + 1) - 1) / (k + 1), rel=1e-13)


@pytest.mark.parametrize("count", [0, -3, 2.5])
def test_bad_counts_are_refused(count):
    with pytest.raises(GeometryError, match="positive integer"):
        gauss_legendre(count, 0.0, 1.0)

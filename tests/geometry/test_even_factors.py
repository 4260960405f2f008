import numpy as np
import pytest
import sympy

from sciml.framework.errors import GeometryError
from sciml.geometry.even_factors import in_space

r, z = sympy.symbols("r z")
x, y = sympy.symbols("x y")
PROBES = np.random.default_rng(0).uniform(0, 1, (50, 2))


def test_even_functions_are_taken_as_they_are():
    assert in_space(1 - r**2 - z, (r, z), x**2 + y**2, PROBES) == 1 - x**2 - y**2 - z


@pytest.mark.parametrize(
    ("f", "on"), [(2 - r - z, lambda s: (s, 2 - s)), (r - z, lambda s: (s, s))]
)
def test_zeros_and_slopes_are_those_of_the_function(f, on):
    g = in_space(f, (r, z), x**2, PROBES)
    evaluate = sympy.lambdify((x, z), [g, g.diff(x), g.diff(z)])
    for s in (0.2, 0.5, 0.8):
        value, dx, dz = evaluate(*on(s))
        assert abs(value) < 1e-12
        assert (dx, dz) == pytest.approx((float(f.diff(r)), float(f.diff(z))), abs=1e-12)
    assert evaluate(0.0, 0.5)[1] == 0


def test_what_cannot_be_made_even_is_refused():
    with pytest.raises(GeometryError, match="no smooth function about the axis"):
        in_space(r * (z - sympy.Rational(1, 2)), (r, z), x**2 + y**2, PROBES)

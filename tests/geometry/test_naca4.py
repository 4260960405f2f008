import math

import numpy as np
import pytest

from sciml.framework.errors import GeometryError
from sciml.geometry import NACA4, Rectangle


@pytest.mark.parametrize(("closed", "last"), [(True, -0.1036), (False, -0.1015)])
def test_area_of_a_symmetric_section(closed, last):
    t = 0.12
    exact = 10 * t * (0.2969 * 2 / 3 - 0.126 / 2 - 0.3516 / 3 + 0.2843 / 4 + last / 5)
    assert NACA4("0012", closed=closed).measure == pytest.approx(exact, rel=1e-13)
    assert NACA4("0012", 3.0, closed=closed).measure == pytest.approx(9 * exact, rel=1e-13)


def test_ordinates_of_a_section_with_camber():
    """Upper and lower points for x = 0.1 along the chord, by the formulas of the report."""
    wing = NACA4("2412", closed=False)
    x, m, p, t = 0.1, 0.02, 0.4, 0.12
    half = 5 * t * (0.2969 * math.sqrt(x) - 0.126 * x - 0.3516 * x**2 + 0.2843 * x**3
                    - 0.1015 * x**4)  # fmt: skip
    line, angle = m / p**2 * (2 * p * x - x**2), math.atan(2 * m / p**2 * (p - x))
    s = np.array([math.sqrt(x)])
    for part, side in (("upper.front", 1), ("lower.front", -1)):
        point = wing.pieces[part].derivatives(s)[0][0]
        exact = x - side * half * math.sin(angle), line + side * half * math.cos(angle)
        np.testing.assert_allclose(point, exact, rtol=0, atol=1e-16)
    # The thickness of the blunt end is 2 y_t(1) = 0.00126 * t / 0.12 * 2.
    assert wing.boundary_measure("trailing_edge") == pytest.approx(0.00252, rel=1e-12)


def test_the_nose_has_the_radius_of_curvature_of_the_series_and_no_corner():
    wing = NACA4("0015")
    nose = wing.pieces["upper"].frame(np.array([[1.0]]))
    np.testing.assert_allclose(nose[0], [[0, 0]], atol=1e-15)
    np.testing.assert_allclose(nose[1], [[-1, 0]], atol=1e-13)
    assert 1 / nose[2][0] == pytest.approx(0.5 * (5 * 0.15 * 0.2969) ** 2, rel=1e-10)
    assert wing.corners == {"corners.0": ("lower", "upper")}


def test_the_angle_of_attack_turns_the_nose_up_about_the_leading_edge():
    wing = NACA4("0012", 2.0, 0.1, (1.0, 3.0))
    tail = wing.pieces["corners.0"].frame(np.zeros((1, 0)))
    np.testing.assert_allclose(tail[0], [[1 + 2 * math.cos(0.1), 3 - 2 * math.sin(0.1)]])
    np.testing.assert_allclose(tail[1], [[math.cos(0.1), -math.sin(0.1)]], atol=1e-13)
    # Behind the sharp end the nearest point is the end.
    behind = tail[0] + 0.1 * tail[1]
    assert wing.signed_distance(behind)[0] == pytest.approx(0.1, rel=1e-12)


def test_the_flow_around_a_section_is_a_difference():
    wing = NACA4("2412")
    flow = Rectangle((-1, -1), (2, 1)) - wing
    assert flow.measure == pytest.approx(6 - wing.measure, rel=1e-14)
    assert flow.boundary_measure("upper") == pytest.approx(wing.boundary_measure("upper"))
    assert (wing.signed_distance(flow.sample_interior(200)) > 0).all()


@pytest.mark.parametrize(
    ("digits", "message"),
    [
        ("23012", "text of four digits"),
        (2412, "text of four digits"),
        ("24l2", "text of four digits"),
        ("2400", "no thickness"),
        ("2012", "a camber without a place"),
    ],
)
def test_digits_that_are_no_section_are_refused(digits, message):
    with pytest.raises(GeometryError, match=message):
        NACA4(digits)

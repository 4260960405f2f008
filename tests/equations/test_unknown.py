import doctest
import math

import numpy as np
import pytest

import sciml.framework as framework
from sciml.equations import unknown
from sciml.equations.unknown import Given, UnknownParameter
from sciml.framework.errors import EquationError

BOUNDS = [(1.0, 5.0), (1.0, math.inf), (-math.inf, 5.0), (-math.inf, math.inf)]


@pytest.mark.parametrize("bounds", BOUNDS)
def test_it_starts_at_its_start_and_keeps_its_bounds(bounds):
    k = UnknownParameter(2.0, bounds)
    assert float(k.value(k.initialise())) == pytest.approx(2.0, rel=1e-15)
    z = np.array([-50.0, -1.0, 0.0, 1.0, 50.0])
    values = k.value(z)
    assert (np.diff(values) > 0).all() or bounds == BOUNDS[0]
    assert (values >= bounds[0]).all()
    assert (values <= bounds[1]).all()
    # Smooth: the slope is the limit of differences.
    slope = framework.grad(k.value)(np.array(0.3))
    difference = (k.value(np.array(0.3 + 1e-5)) - k.value(np.array(0.3 - 1e-5))) / 2e-5
    np.testing.assert_allclose(slope, difference, rtol=1e-8)


def test_a_start_of_zero_without_bounds_moves():
    assert UnknownParameter(0.0).value(np.array(0.5)) == 0.5


@pytest.mark.parametrize(
    ("start", "bounds"), [(1.0, (1.0, 2.0)), (3.0, (1.0, 2.0)), (math.nan, (0.0, 1.0))]
)
def test_a_start_outside_the_bounds_is_refused(start, bounds):
    with pytest.raises(EquationError, match="between the bounds"):
        UnknownParameter(start, bounds)


def test_what_is_no_number_is_refused():
    with pytest.raises(EquationError, match=r"bounds \(low, high\), got"):
        UnknownParameter("x", (0.0, 1.0))


def test_functions_with_and_without_parameters():
    X = np.array([[2.0], [3.0]])
    plain = Given(lambda X: X**2)
    np.testing.assert_array_equal(plain(None, X), [4, 9])
    scaled = Given(lambda a, X: a * X[:, 0], parameters=np.array(2.0), trained=True)
    np.testing.assert_array_equal(scaled(np.array(3.0), X), [6, 9])
    assert scaled.trainable
    assert not plain.trainable


def test_functions_that_do_not_fit_are_refused():
    with pytest.raises(EquationError, match=r"must return shape \(n,\) or \(n, 1\), got \(2, 2\)"):
        Given(lambda X: X)(None, np.zeros((2, 2)))
    with pytest.raises(EquationError, match="expected a function, got int"):
        Given(1)
    with pytest.raises(EquationError, match="needs parameters="):
        Given(lambda X: X, trained=True)


def test_examples():
    assert doctest.testmod(unknown, extraglobs={"np": np}).failed == 0


@pytest.mark.parametrize("bounds", [(None, None), (1.0, None), (None, 9.0), (1.0, 9.0)])
@pytest.mark.parametrize("value", [1.001, 2.0, 3.5, 8.9])
def test_the_parameter_of_a_value_gives_it_back(bounds, value):
    k = UnknownParameter(2.0, bounds)
    assert float(k.value(np.array(k.parameter(value)))) == pytest.approx(value, rel=1e-13)


@pytest.mark.parametrize("value", [1.0, 9.0, 12.0])
def test_values_that_are_not_between_the_bounds_have_no_parameter(value):
    with pytest.raises(EquationError, match="expected a value between 1 and 9"):
        UnknownParameter(2.0, (1.0, 9.0)).parameter(value)

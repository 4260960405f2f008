import doctest

import numpy as np
import pytest
import sympy

from sciml.equations import Given, Tabulated, lower, rescaled
from sciml.equations.rescaled import Rescaled
from sciml.framework.errors import EquationError

x, y = sympy.symbols("x y")
AXIS = np.linspace(0, 4, 9)


def test_values_and_derivatives_follow_the_chain_rule():
    table = Tabulated({"x": AXIS}, AXIS**3)
    k = Rescaled(table, (2.0,), ("x",)).node("k", (x, y), "k")
    found = lower({"k": k, "slope": k.diff(x)}, (x, y), [])({}, np.array([[0.75, 9.0]]))
    np.testing.assert_allclose(found["k"], 8 * 0.75**3, rtol=1e-13)
    np.testing.assert_allclose(found["slope"], 24 * 0.75**2, rtol=1e-13)


def test_it_is_as_its_source_is():
    table = Tabulated({"x": AXIS}, AXIS**3)
    moved = Rescaled(table, (2.0,), ("x",))
    assert (moved.range, moved.smoothness) == (table.range, table.smoothness)
    assert moved.trainable is False
    moved.check(np.array([[2.0]]), "k")
    with pytest.raises(EquationError, match="the table goes from x = 0 to 4"):
        moved.check(np.array([[2.5]]), "k")
    trained = Given(lambda p, X: p * X[:, 0], parameters=3.0, trained=True)
    moved = Rescaled(trained, (2.0, 1.0), ("x", "y"))
    assert (moved.trainable, moved.initialise()) == (True, 3.0)
    assert moved(3.0, np.array([[5.0, 0.0]])) == [30.0]


def test_examples():
    assert doctest.testmod(rescaled).failed == 0

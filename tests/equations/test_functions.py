import numpy as np
import pytest
import sympy

import sciml.framework as framework
from sciml.equations.functions import FUNCTIONS


@pytest.mark.parametrize("name", FUNCTIONS)
def test_symbol_and_evaluation_are_the_same_function(name):
    function = FUNCTIONS[name]
    arguments = [0.3, 0.7][: max(1, function.fewest)]
    expected = float(function.symbol(*arguments))
    arrays = [np.array([v]) for v in arguments]
    assert getattr(framework, function.evaluate)(*arrays)[0] == pytest.approx(expected, rel=1e-14)


def test_sqrt_is_a_power_in_sympy():
    assert FUNCTIONS["sqrt"].symbol(sympy.Symbol("x")).is_Pow

"""The conditions are those which make the energy of plate and springs stationary."""

import pytest
import sympy

from sciml.equations import ElasticEdge, KirchhoffPlate
from sciml.framework.errors import EquationError

x, y = sympy.symbols("x y")


def test_a_strip_on_springs_balances_its_load():
    # A strip 0 <= x <= 2 bends as a beam (nu = 0): D w'''' = q, springs at both ends.
    D, q, k = sympy.Integer(3), sympy.Integer(5), sympy.Integer(7)
    plate = KirchhoffPlate(D, 0, q)
    # The deflection of a simply supported beam of length 2, moved down by q / k.
    beam = q * x * (8 - 4 * x**2 + x**3) / (24 * D) + q / k
    for end, normal in ((0, -1), (2, 1)):
        frame = {sympy.Symbol("n_x"): normal, sympy.Symbol("n_y"): 0, sympy.Symbol("kappa"): 0}
        for residual in ElasticEdge("edges", k).residuals(plate).values():
            assert sympy.simplify(residual.subs(frame).subs(plate.w, beam).doit().subs(x, end)) == 0


def test_springs_do_not_push():
    for springs in (ElasticEdge("edges", -1), ElasticEdge("edges", 1, -0.5)):
        with pytest.raises(EquationError, match="must be at least 0"):
            springs.residuals(KirchhoffPlate())

import doctest
import math

import numpy as np
import pytest
import sympy

from sciml.equations import KEpsilon, KOmega, NavierStokes, WallFunction, lower
from sciml.equations.conditions import wall_function
from sciml.equations.exact.solution import substituted
from sciml.equations.pde import normal_symbols
from sciml.framework.errors import EquationError

x, y, z = sympy.symbols("x y z")
RHO, MU, KAPPA, B, C_MU, FRICTION = 1.2, 2e-5, 0.41, 5.2, 0.09, 0.5
DISTANCE = 100 * MU / (RHO * FRICTION)  # y+ = 100
MODELS = {"eps": KEpsilon, "omega": KOmega}


def layer(rate, direction=(1,)):
    """Return the exact logarithmic layer over the wall y = -d, seen from the part y = 0."""
    height = y + DISTANCE
    speed = FRICTION * (sympy.log(height * FRICTION * RHO / MU) / KAPPA + B)
    names = ("u", "w") if len(direction) > 1 else ("u",)
    fields = dict(zip(names, [speed * c for c in direction], strict=True)) | {"v": 0, "p": 0}
    fields["k"] = FRICTION**2 / math.sqrt(C_MU)
    fields["eps"] = FRICTION**3 / (KAPPA * height)
    fields["omega"] = FRICTION / (math.sqrt(C_MU) * KAPPA * height)
    return {n: e for n, e in fields.items() if n not in MODELS or n == rate}


def residuals(condition, model, fields, normal=(0, -1)):
    put = {model.field(n): sympy.sympify(e) for n, e in fields.items()}
    expressions = {
        n: substituted(r, put).subs(dict(zip(normal_symbols(model.spatial), normal, strict=True)))
        for n, r in condition.residuals(model).items()
    }
    values = lower(expressions, model.coordinates, [])({}, np.zeros((1, len(normal))))
    return {n: float(np.asarray(v).ravel()[0]) for n, v in values.items()}


@pytest.mark.parametrize("rate", MODELS)
def test_the_logarithmic_layer_satisfies_it_but_for_its_own_viscous_stress(rate):
    """The law of the wall leaves out mu du/dy = mu u_tau/(kappa d) beside the eddies."""
    model = MODELS[rate](RHO, MU, steady=True)
    found = residuals(WallFunction("wall", DISTANCE, rate=rate), model, layer(rate))
    viscous = MU * FRICTION / (KAPPA * DISTANCE)
    assert found["u_shear"] == pytest.approx(-viscous, rel=1e-9)
    wall = RHO * FRICTION**2
    for name in ("normal", "v_shear", "k_n", rate):
        assert found[name] == pytest.approx(0.0, abs=1e-9 * wall)


def test_the_stress_is_against_the_flow_in_space():
    model = KEpsilon(RHO, MU, dimension=3, steady=True)
    condition = WallFunction("wall", DISTANCE, velocity=("u", "v", "w"))
    found = residuals(condition, model, layer("eps", (-0.6, 0.8)), (0, -1, 0))
    viscous = MU * FRICTION / (KAPPA * DISTANCE)
    assert found["u_shear"] == pytest.approx(0.6 * viscous, rel=1e-8)
    assert found["w_shear"] == pytest.approx(-0.8 * viscous, rel=1e-8)
    assert found["eps"] == pytest.approx(0.0, abs=1e-9)


def test_in_the_sublayer_the_stress_is_that_of_a_linear_profile():
    """At y+ = 4 with k of the friction velocity: rho u*^2 = mu U/d."""
    model, distance = KEpsilon(RHO, MU, steady=True), 4 * MU / (RHO * FRICTION)
    k = FRICTION**2 / math.sqrt(C_MU)
    fields = {"u": 4 * FRICTION * (1 + y / distance), "v": 0, "p": 0, "k": k * y + k, "eps": 1e30}
    found = residuals(WallFunction("wall", distance), model, fields)
    assert found["u_shear"] == pytest.approx(0.0, abs=1e-12)
    assert found["k_n"] == pytest.approx(-k, rel=1e-15)


def test_wrong_equations_and_distances_are_refused():
    with pytest.raises(EquationError, match="for KEpsilon or KOmega, got NavierStokes; use NoSlip"):
        WallFunction("wall", 0.1).residuals(NavierStokes())
    with pytest.raises(EquationError, match=r"must be positive, got 0\.0 and 0\.41"):
        WallFunction("wall", 0.0)
    with pytest.raises(EquationError, match="does not meet the sublayer"):
        WallFunction("wall", 0.1, intercept=-1.0)
    with pytest.raises(EquationError, match="has no field 'eps'"):
        WallFunction("wall", 0.1).residuals(KOmega())


def test_examples():
    assert doctest.testmod(wall_function).failed == 0

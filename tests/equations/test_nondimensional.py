import doctest

import numpy as np
import pytest
import sympy

from sciml.equations import (
    EQUATIONS,
    AdvectionDiffusion,
    Burgers,
    CustomPDE,
    Diffusion,
    EulerBernoulliBeam,
    Given,
    KirchhoffPlate,
    LinearElasticity,
    NavierStokes,
    Poisson,
    Tabulated,
    UnknownParameter,
    Wave,
    lower,
    nondimensional,
    nondimensionalise,
)
from sciml.equations.exact import manufacture
from sciml.framework.errors import EquationError

x, y, t = sympy.symbols("x y t")
FLOW = {"x": 0.01, "u": 0.02}


def numbers(scaling):
    return {g.name: pytest.approx(g.value) for g in scaling.groups}


def test_heat_flows_in_the_time_of_fourier_number_one():
    heat = nondimensionalise(Diffusion(1e-4), {"x": 0.02, "u": 80})
    (u,) = heat.pde.fields
    assert heat.pde.residuals() == {"diffusion": u.diff(t) - u.diff(x, 2)}
    assert heat.scales["t"].value == 4
    assert heat.groups == ()
    long = nondimensionalise(Diffusion(1e-4), {"x": 0.02, "u": 80, "t": 8})
    assert long.pde.residuals() == {"diffusion": u.diff(t) / 2 - u.diff(x, 2)}
    assert numbers(long) == {"1/Fourier number": 0.5}


@pytest.mark.parametrize("load", [-500, "-500*sin(x)", UnknownParameter(-500.0)])
def test_plates_and_beams_have_factors_of_one(load):
    plate = nondimensionalise(KirchhoffPlate(2e4, 0.3, load), {"x": 3})
    assert plate.scales["w"].value == sympy.Rational(500 * 81, 20000)
    w = plate.pde.field("w")
    for term in (w.diff(x, 4), w.diff(y, 4), w.diff(x, 2, y, 2) * 2):
        (residual,) = plate.pde.residuals().values()
        assert residual.coeff(term / 2 if term.is_Mul else term) == (2 if term.is_Mul else 1)
    assert plate.scales["M_x"].value == 4500
    assert plate.groups == ()
    beam = nondimensionalise(EulerBernoulliBeam(200.0, 10.0), {"x": 2})
    w = beam.pde.field("w")
    assert beam.pde.residuals() == {"beam": w.diff(x, 4) - 1}


def test_a_fast_flow_has_the_inverse_of_the_reynolds_number_at_its_viscosity():
    flow = nondimensionalise(NavierStokes(1000, 1e-3), FLOW)
    assert numbers(flow) == {"1/Reynolds number": 1 / 200}
    assert [float(flow.scales[n].value) for n in "typv"] == [0.5, 0.01, 0.4, 0.02]
    u, v, p = flow.pde.fields
    momentum = flow.pde.residuals()["momentum_x"]
    inertia = u.diff(t) + u * u.diff(x) + v * u.diff(y) + p.diff(x)
    friction = 2 * u.diff(x, 2) + u.diff(y, 2) + v.diff(x, y)
    assert sympy.expand(momentum - inertia + friction / 200) == 0


def test_a_slow_flow_has_the_reynolds_number_at_its_inertia():
    flow = nondimensionalise(NavierStokes(1, 1, steady=True), FLOW)
    assert numbers(flow) == {"Reynolds number": 2e-4}
    assert flow.scales["p"].formula == sympy.Symbol("mu", positive=True) * sympy.Symbol(
        "u_ref", positive=True
    ) / sympy.Symbol("x_ref", positive=True)


def test_other_numbers_have_their_names():
    carried = nondimensionalise(AdvectionDiffusion((2.0,), 0.1), {"x": 1, "u": 1})
    assert numbers(carried) == {"1/Peclet number": 0.05}
    assert numbers(nondimensionalise(Burgers(0.01), {"x": 1, "u": 2})) == {
        "1/Reynolds number": 0.005
    }
    timed = nondimensionalise(NavierStokes(1, 0.01), {"x": 1, "u": 1, "t": 10})
    assert numbers(timed) == {"Strouhal number": 0.1, "1/Reynolds number": 0.01}


def test_a_wave_runs_a_length_in_a_unit_of_time():
    wave = nondimensionalise(Wave(300.0), {"x": "5 cm", "u": 1})
    assert wave.scales["t"].value == sympy.Rational(5, 30000)


def test_ones_own_equation_with_text_coefficients_and_units():
    pde = CustomPDE(
        {"heat": "rho*c*T__t - k*(T__x__x + T__y__y) - q"}, "x y t", "T",
        {"rho": 8000, "c": 500, "k": 40, "q": "2e5*(1 + x^2)"},
        si_units={"x": "m", "y": "m", "t": "s", "T": "K", "rho": "kg/m^3", "c": "J/(kg K)",
                  "k": "W/(m K)", "q": "W/m^3"},
    )  # fmt: skip
    heat = nondimensionalise(pde, {"x": 0.1})
    assert (heat.scales["t"].value, heat.scales["T"].value) == (1000, 50)
    T = heat.pde.field("T")
    expected = T.diff(t) - T.diff(x, 2) - T.diff(y, 2) - 1 - x**2 / 100
    assert sympy.expand(heat.pde.residuals()["heat"] - expected) == 0
    assert heat.residuals["heat"].unit == "kg/(m s^3)"


def test_components_of_a_stress_have_one_scale():
    """A traction is a sum of components, which holds without units if all have the same."""
    body = nondimensionalise(LinearElasticity(2e11, 0.3), {"x": 0.1, "y": 10, "u": 1e-3})
    stresses = [body.scales[f"sigma_{c}"].value for c in ("xx", "xy", "yy")]
    assert stresses == [2 * 10**9] * 3
    vorticity = nondimensionalise(NavierStokes(dimension=3), {"x": 1, "z": 0.1, "u": 2}).scales
    assert {vorticity[f"vorticity_{c}"].value for c in "xyz"} == {20}


def test_scales_follow_from_one_another():
    """u_t = D u_xx + r u - r u^3 with u of order one: time 1/r and length sqrt(D/r)."""
    pde = CustomPDE({"r": "u__t - D*u__x__x - r*u + r*u^3"}, "x t", "u", {"D": 8, "r": 2})
    found = nondimensionalise(pde, {"u": 1})
    assert (found.scales["t"].value, found.scales["x"].value) == (sympy.Rational(1, 2), 2)


def test_a_table_counts_with_its_largest_value_and_a_function_as_it_is_said():
    table = Tabulated({"x": [0, 1, 2]}, [1, 5, 3], degree=1)
    found = nondimensionalise(Poisson(1, table, 1), {"x": 2})
    assert found.scales["u"].value == sympy.Rational(4, 5)
    unknown = Poisson(1, Given(lambda X: 1 + X[:, 0], "x"), 1)
    assert nondimensionalise(unknown, {"x": 2, "k": 8}).scales["u"].value == sympy.Rational(1, 2)
    with pytest.raises(EquationError, match=r"size of the coefficient 'k' is not known; give it"):
        nondimensionalise(unknown, {"x": 2})


def test_sources_count_as_other_terms():
    case = manufacture(Diffusion(2.0), {"u": "5*t*x"})
    found = nondimensionalise(case.pde, {"x": 1, "u": 5})
    assert found.scales["t"].value == sympy.Rational(1, 2)
    residual = found.pde.residuals()["diffusion"]
    u = found.pde.field("u")
    assert sympy.expand(residual - u.diff(t) + u.diff(x, 2) + x / 2) == 0


@pytest.mark.parametrize("name", EQUATIONS)
def test_every_equation_of_the_library_has_terms_of_at_most_one(name):
    """With all scales given, each residual is the one with units over its largest term."""
    pde = EQUATIONS[name]()
    fields = [f.func.__name__ for f in pde.fields]
    given = {n: k + 2 for k, n in enumerate([*map(str, pde.coordinates), *fields])}
    found = nondimensionalise(pde, given)
    assert all(0 < g.value <= 1 + 1e-12 for g in found.groups)
    X = np.random.default_rng(0).uniform(0.2, 0.9, (3, len(pde.coordinates)))
    lowered = lower(found.pde.residuals(), pde.coordinates, pde.fields)
    values = lowered({n: lambda P: 3 + P[:, 0] * 0.1 for n in fields}, X)
    assert all(np.isfinite(v).all() for v in values.values())
    assert str(found).count("\n") >= len(given)


@pytest.mark.parametrize(
    ("pde", "scales", "message"),
    [
        (Diffusion(), {"x": 1}, r"no term of the equation tells the scale of 'u' \[u\]; give one"),
        (Diffusion(), {"z": 1}, "the scale of 'z' is given, which is not there"),
        (Diffusion(), {"x": -1}, "the scale of 'x' must be positive, got -1"),
        (Diffusion(), {"x": "long"}, "must be a positive number or a quantity, got 'long'"),
        (Diffusion(), {"x": "2 kg"}, r"declared in m \[m\], got '2 kg'"),
        (Diffusion(), {"x": float("nan")}, "must be a positive number"),
        (
            CustomPDE({"r": "u__x + x_ref"}, "x", "u", {"x_ref": 1.0}),
            {"x": 1},
            "the coefficient 'x_ref' is called like the scale of 'x'",
        ),
        (nondimensionalise(Poisson(), {"x": 1}).pde, {}, "dimensionless already"),
    ],
)
def test_wrong_scales_are_refused(pde, scales, message):
    with pytest.raises(EquationError, match=message):
        nondimensionalise(pde, scales)


def test_examples():
    assert doctest.testmod(nondimensional).failed == 0

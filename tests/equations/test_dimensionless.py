"""The dimensionless residual at x/L is the residual of the same fields at x, over its scale."""

import numpy as np
import pytest
import sympy

from sciml.equations import EQUATIONS, CustomPDE, Given, Poisson, Tabulated, lower
from sciml.equations.dimensionless import Dimensionless
from sciml.equations.exact.solution import substituted
from sciml.framework.errors import EquationError

UNIT = np.random.default_rng(0).uniform(0.2, 0.9, (5, 4))
x, t = sympy.symbols("x t")


def scaled(pde, seed=0):
    """Return the equation with scales that are all different."""
    names = [*map(str, pde.coordinates), *(f.func.__name__ for f in pde.fields), *pde.derived()]
    sizes = [sympy.Rational(k + 3, 2 * k + 5) for k in range(len(names))]
    residuals = {n: sympy.Rational(k + 2, 3) for k, n in enumerate(pde.residuals())}
    return Dimensionless(pde, dict(zip(names, sizes, strict=True)), residuals)


def check(pde, fields=None):
    free, X = scaled(pde), UNIT[:, : len(pde.coordinates)]
    fields = pde.manufactured() if fields is None else fields
    plain = {pde.field(n): sympy.sympify(e) for n, e in fields.items()}
    back = {c: c / free.scales[str(c)] for c in pde.coordinates}
    sized = {
        f: free.scales[f.func.__name__] * e.subs(back, simultaneous=True) for f, e in plain.items()
    }
    sizes = {**free.scales, **free.residual_scales}
    ours, theirs = free.residuals() | free.derived(), pde.residuals() | pde.derived()
    values = lower({n: substituted(e, plain) for n, e in ours.items()}, pde.coordinates, [])
    expected = lower({n: substituted(e, sized) for n, e in theirs.items()}, pde.coordinates, [])
    factors = np.array([float(free.scales[str(c)]) for c in pde.coordinates])
    found, known = values({}, X), expected({}, X * factors)
    for name in theirs:
        np.testing.assert_allclose(
            np.asarray(found[name]) * float(sizes[name]) + 0 * X[:, 0],
            np.asarray(known[name]) + 0 * X[:, 0],
            rtol=1e-9, atol=1e-11, err_msg=name,
        )  # fmt: skip


@pytest.mark.parametrize("name", EQUATIONS)
def test_every_equation_of_the_library(name):
    check(EQUATIONS[name]())


OWN = {
    "delay": ("u__t + u(x, t - 1/3)*u__x(0, t)", {"u": x**2 * t}),
    "integral": ("u - integral(exp(-s)*u(s, t), s, 0, x)", {"u": x * t + 1}),
    "varying": ("u__t - k*u__x__x - 2*x*u__x", {"u": sympy.sin(x + t)}),
    "function of the field": ("u__t - exp(-u)*u__x + abs(u)", {"u": sympy.sin(x + t)}),
}


@pytest.mark.parametrize("kind", OWN)
def test_equations_of_ones_own(kind):
    text, fields = OWN[kind]
    check(CustomPDE({"r": text}, "x t", "u", {"k": "1 + x^2"} if "k" in text else {}), fields)


@pytest.mark.parametrize(
    "k",
    [
        Tabulated({"x": np.linspace(0, 1, 6)}, np.linspace(0, 1, 6) ** 3 + 1),
        Given(lambda X: 1 + X[:, 0] ** 3, "x"),
    ],
    ids=["table", "function"],
)
def test_tables_and_functions_move_with_the_coordinates(k):
    check(Poisson("x", k, 1), {"u": sympy.exp(x)})


def test_a_table_taken_elsewhere_is_refused():
    k = Tabulated({"x": [0, 1]}, [1, 2], degree=1)
    node = k.node("k", (x,), "k")
    pde = scaled(CustomPDE({"r": "u__x"}, "x", "u"))
    with pytest.raises(EquationError, match=r"k\(s\) is taken at another place"):
        pde.rewritten(node.subs(x, sympy.Symbol("s")))


def test_names_stay_and_units_go():
    pde = scaled(Poisson())
    assert set(pde.units().values()) == {"-"}
    assert (pde.fields, pde.coordinates) == (Poisson().fields, Poisson().coordinates)
    assert pde.manufactured() == Poisson().manufactured()

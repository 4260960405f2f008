import doctest

import numpy as np
import pytest
import sympy

import sciml.framework as framework
from sciml.equations import (
    ComplexHelmholtz,
    CustomPDE,
    D,
    KirchhoffPlate,
    NonlinearSchroedinger,
    Poisson,
    check_units,
    custom,
    custom_pde,
    lower,
)
from sciml.equations.library.manufactured import smooth
from sciml.framework.errors import EquationError, ParseError

x, y, t = sympy.symbols("x y t")
PLATE = {"plate": "D*(w__x__x__x__x + 2*w__x__x__y__y + w__y__y__y__y) - q"}


def tape(pde):
    return lower(pde.residuals() | pde.derived(), pde.coordinates, pde.fields).tape


def test_text_function_and_class_give_the_same_plate():
    given = {"D": 2.0, "q": "sin(pi*x)"}
    text = CustomPDE(PLATE, "x y", "w", given)
    plain = custom_pde(
        lambda w, x, y, stiffness, q: {
            "plate": stiffness * (D(w, x, 4) + 2 * D(D(w, x, 2), y, 2) + D(w, y, 4)) - q
        },
        coefficients={"stiffness": 2.0, "q": "sin(pi*x)"},
    )
    plate = KirchhoffPlate(2.0, 0.3, "sin(pi*x)")
    assert text.residuals() == plain.residuals()
    assert tape(text) == tape(plain)
    difference = text.residuals()["plate"] - plate.residuals()["plate"]
    assert sympy.expand(difference) == 0
    assert text.order == 4


def test_a_varying_coefficient_is_differentiated():
    pde = custom_pde(
        lambda u, x, y, k: -D(k * D(u, x), x) - D(k * D(u, y), y) - 1,
        coefficients={"k": "1 + x**2"},
    )
    expected = Poisson(1, "1 + x**2").residuals()["poisson"]
    assert sympy.expand(pde.residuals()["residual"] - expected) == 0


def test_coefficients_may_depend_on_fields_and_on_each_other():
    pde = custom_pde(lambda u, x, k: D(k * D(u, x), x), coefficients={"a": 3, "k": "1 + a*u**2"})
    u = pde.field("u")
    expected = (1 + 3 * u**2) * u.diff(x, 2) + 6 * u * u.diff(x) ** 2
    assert sympy.expand(pde.residuals()["residual"] - expected) == 0


def test_several_fields_of_different_coordinates_and_a_parameter():
    pde = CustomPDE(
        {"a": "u__t - r*u__x__x + p", "b": "p__x - v"},
        "x t r",
        "u, p(x, t) v(x)",
        quantities={"flux": "-r*u__x"},
        si_units={"x": "m", "flux": "W/m^2"},
    )
    assert [str(f) for f in pde.fields] == ["u(x, t, r)", "p(x, t)", "v(x)"]
    assert {"x": "m", "flux": "W/m^2"}.items() <= pde.units().items()
    fields = {
        "u": lambda X: framework.sin(X[:, 0]) * X[:, 1] * X[:, 2],
        "p": lambda X: X[:, 0] ** 2 * X[:, 1],
        "v": lambda X: X[:, 0] ** 3,
    }
    X = np.array([[0.3, 0.5, 2.0], [0.7, 0.1, 1.5]])
    a, b, c = X.T
    values = lower(pde.residuals() | pde.derived(), pde.coordinates, pde.fields)(fields, X)
    expected = np.sin(a) * c + c * np.sin(a) * b * c + a**2 * b
    np.testing.assert_allclose(values["a"], expected, rtol=1e-14)
    np.testing.assert_allclose(values["b"], 2 * a * b - a**3, rtol=1e-14)
    np.testing.assert_allclose(values["flux"], -c * np.cos(a) * b * c, rtol=1e-14)


def test_the_manufactured_fields_are_smooth_and_depend_on_all_coordinates():
    pde = CustomPDE({"r": "u__t - u__x__x + v"}, "x t", "u v(x)")
    assert pde.manufactured() == smooth(pde.fields)


def test_constant_coefficients_may_be_symbols_in_expressions_but_varying_ones_not():
    u = sympy.Function("u")(x)
    k = sympy.Symbol("k")
    pde = CustomPDE({"r": (k * u.diff(x)).diff(x)}, "x", "u", {"k": 2})
    assert pde.residuals() == {"r": 2 * u.diff(x, 2)}
    with pytest.raises(EquationError, match=r"'k' = x \+ 1 is not constant"):
        CustomPDE({"r": (k * u.diff(x)).diff(x)}, "x", "u", {"k": "1 + x"})


def test_texts_may_hold_delays_and_integrals():
    text = "u__t - u(t - tau) + integral(s*u(s), s, 0, t)"
    pde = CustomPDE({"r": text}, "t", "u", {"tau": 0.25})
    T = np.array([[0.5], [1.0]])
    lowered = lower(pde.residuals(), pde.coordinates, pde.fields)
    found = lowered({"u": lambda X: X[:, 0] ** 2}, T)["r"]
    p = T[:, 0]
    np.testing.assert_allclose(found, 2 * p - (p - 0.25) ** 2 + p**4 / 4, rtol=1e-14)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({}, "x", "u"), "no equation"),
        (({"r": "u"}, "x", ""), "no field"),
        (({"r": "u"}, "x x", "u"), "'x' is declared twice"),
        (({"r": "u"}, "x", "u x"), "'x' is declared twice"),
        (({"r": "u"}, "x", "u", {"u": 1}), "'u' is declared twice"),
        (({"r": "u"}, "x", "sin"), "'sin' is a function"),
        (({"r": "u"}, "x", "u__x"), "'u__x' is not a name"),
        (({"r": "u"}, "x", "u v"), r"field v\(x\) is in no equation"),
        (({"r": "u"}, "x", "u", {"k": 1}), "coefficient 'k' is in no equation"),
        (({"r": "u"}, "x t", "u(x)"), "no field depends on the coordinate 't'"),
        (({"r": "u"}, "x t", "u(t, x)"), "in the order x, t"),
        (({"r": "u"}, "x t", "u(x, x)"), "each coordinate once"),
        (({"r": "u"}, "x t", "u(x, tt)"), "'tt', which is not a coordinate; did you mean 't'"),
        (({"r": "u"}, "x", "u+"), r"cannot be read at '\+'"),
        (({"r": sympy.Symbol("uu")}, "x", "u"), "unknown name 'uu'; did you mean 'u'"),
        (({"r": 3.0}, "x", "u"), "expected a text or an expression, got float"),
        (({"r": "u"}, "x", "u", {}, {}, {"w": "m"}), "unit is given for 'w'"),
        (({"r": "k*u"}, "x", "u", {"k": float("nan")}), "coefficient 'k' must be finite"),
    ],
)  # fmt: skip
def test_wrong_declarations_are_refused(arguments, message):
    with pytest.raises(EquationError, match=message):
        CustomPDE(*arguments)


def test_errors_in_texts_show_the_equation_and_the_place():
    message = r"equation 'heat': line 1, column 10: unknown name 'kk'; did you mean 'k'\?"
    with pytest.raises(ParseError, match=message):
        CustomPDE({"heat": "u__x__x -kk"}, "x", "u", {"k": 1})
    with pytest.raises(ParseError, match=r"coefficient 'k': line 1, column 4"):
        CustomPDE({"heat": "k*u"}, "x", "u", {"k": "1 +"})


def test_functions_of_unknown_parameters_are_refused():
    with pytest.raises(EquationError, match="none of the parameters u, s is a coordinate"):
        custom_pde(lambda u, s: u * s)
    with pytest.raises(EquationError, match="parameter 'uu' is not declared; did you mean 'u'"):
        custom_pde(lambda uu, x: uu, over="x", unknowns="u")
    with pytest.raises(EquationError, match="coefficient 'k' is in no equation"):
        custom_pde(lambda u, x, k: u, coefficients={"k": 1})


def test_examples():
    assert doctest.testmod(custom).failed == 0


SCHROEDINGER = {"nls": "I*psi__t + a*laplace + g*abs(psi)^2*psi - V*psi"}


@pytest.mark.parametrize("dimension", [1, 2])
def test_a_complex_text_is_the_equation_split_by_hand(dimension):
    laplace = "(" + " + ".join(f"psi__{c}__{c}" for c in "xy"[:dimension]) + ")"
    text = {"nls": SCHROEDINGER["nls"].replace("laplace", laplace)}
    given = {"a": 0.7, "g": 2.0, "V": "x^2"}
    pde = CustomPDE(
        text, " ".join("xy"[:dimension]) + " t", coefficients=given,
        quantities={"density": "abs(psi)^2", "flux": "conj(psi)*psi__x"},
        si_units={"psi": "V", "density": "V^2"}, complex_unknowns="psi",
    )  # fmt: skip
    known = NonlinearSchroedinger(0.7, 2.0, "x^2", dimension)
    names = dict(zip(known.fields, pde.fields, strict=True))
    for mine, theirs in (("nls_re", "real"), ("nls_im", "imaginary")):
        difference = pde.residuals()[mine] - known.residuals()[theirs].subs(names).doit()
        assert sympy.expand(difference) == 0
    re, im = pde.fields
    assert pde.derived()["density"] == re**2 + im**2
    assert sympy.expand(pde.derived()["flux_im"] - re * im.diff(x) + im * re.diff(x)) == 0
    assert {"psi_re": "V", "psi_im": "V", "density": "V^2"}.items() <= pde.units().items()


def test_a_complex_function_is_the_equation_split_by_hand():
    pde = custom_pde(
        lambda p, x, y, k: D(p, x, 2) + D(p, y, 2) + k**2 * (1 + sympy.I / 5) * p - sympy.I * x,
        coefficients={"k": "3 + x"},
        complex_unknowns="p",
    )
    known = ComplexHelmholtz("3 + x", 0.2, 0, "x")
    names = dict(zip(known.fields, pde.fields, strict=True))
    expected = [r.subs(names).doit() for r in known.residuals().values()]
    found = list(pde.residuals().values())
    assert [sympy.expand(a - b) for a, b in zip(found, expected, strict=True)] == [0, 0]


def test_real_equations_beside_complex_ones_stay_single():
    pde = CustomPDE(
        {"wave": "I*psi__t + psi__x__x - phi*psi", "potential": "phi__x__x - abs(psi)^2"},
        "x t", "phi", complex_unknowns="psi",
    )  # fmt: skip
    assert list(pde.residuals()) == ["wave_re", "wave_im", "potential"]
    assert [f.func.__name__ for f in pde.fields] == ["phi", "psi_re", "psi_im"]


def test_what_is_purely_imaginary_is_named_so():
    pde = CustomPDE(
        {"wave": "I*psi__x__x"}, "x", complex_unknowns="psi",
        quantities={"jump": "psi - conj(psi)", "twice": "psi + conj(psi)", "none": "psi - psi"},
    )  # fmt: skip
    re, im = pde.fields
    assert pde.derived() == {"jump_im": 2 * im, "twice": 2 * re, "none": 0}
    assert pde.residuals() == {"wave_re": -im.diff(x, 2), "wave_im": re.diff(x, 2)}


def test_complex_terms_keep_their_units():
    pde = CustomPDE(
        {"p": "p__x__x + k^2*(1 + 0.1*I)*p"}, "x", coefficients={"k": 2},
        si_units={"x": "m", "p": "Pa", "k": "1/m"}, complex_unknowns="p",
    )  # fmt: skip
    assert check_units(pde) == {"p_re": "kg/(m**3*s**2)", "p_im": "kg/(m**3*s**2)"}


@pytest.mark.parametrize(
    ("equation", "options", "message"),
    [
        ("tan(psi)", {}, "equation 'r': real and imaginary part of tan"),
        ("psi__x + psi_re", {"unknowns": "psi_re"}, "'psi_re' is declared twice"),
        ("I*psi", {"coefficients": {"I": 1.0}}, "'I' is a function or constant"),
        ("1/0*psi", {}, "division by zero"),
    ],
)
def test_wrong_complex_equations_are_refused(equation, options, message):
    with pytest.raises((EquationError, ParseError), match=message):
        CustomPDE({"r": equation}, "x", complex_unknowns="psi", **options)


def test_without_complex_fields_their_words_are_free():
    beam = CustomPDE({"beam": "E*I*w__x__x__x__x - 1"}, "x", "w", {"E": 2, "I": 3})
    assert beam.residuals() == {"beam": 6 * beam.field("w").diff(x, 4) - 1}
    with pytest.raises(ParseError, match="unknown function 'conj'"):
        CustomPDE({"r": "conj(w)"}, "x", "w")


def test_quantities_are_turned_into_declared_units():
    units = {"x": "m", "u": "m", "E": "Pa", "f": "N/m^3"}
    pde = CustomPDE({"bar": "E*u__x__x + f"}, "x", "u", {"E": "210 GPa", "f": 1.0}, si_units=units)
    (u,) = pde.fields
    assert sympy.expand(pde.residuals()["bar"] - 210 * 10**9 * u.diff(x, 2) - 1) == 0
    with pytest.raises(EquationError, match=r"'210 GPa' has a unit, but none is declared"):
        CustomPDE({"bar": "E*u__x__x"}, "x", "u", {"E": "210 GPa"})

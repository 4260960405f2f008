"""Every equation of the table, in every dimension and with every choice it offers."""

import doctest
import importlib
import itertools
import typing

import numpy as np
import pytest
import sympy

from sciml.equations import EQUATIONS, lower
from sciml.equations.declarations import declared
from sciml.equations.unit_check import check_units
from sciml.framework.errors import EquationError

DIMENSIONS = {
    **dict.fromkeys(
        [
            "Boussinesq",
            "Brinkman",
            "KEpsilon",
            "KOmega",
            "MixingLength",
            "NavierStokes",
            "NeoHookean",
            "Stokes",
            "Thermoelasticity",
        ],
        (2, 3),
    ),
    "ShallowWater": (1, 2),
}
"""Dimensions of equations that do not have all of 1, 2 and 3."""
INERTIA = {"EulerBernoulliBeam": {"m"}, "LinearElasticity": {"rho"}, "Thermoelasticity": {"c"}}
"""Coefficients without effect where nothing changes in time."""
VALUES = {"gamma": 1.4}
"""Coefficients by letter that need another value than the one between 0.2 and 0.45."""


def variants():
    """Yield each equation's name with each combination of dimension, flags and kinds."""
    for name, equation in EQUATIONS.items():
        options = {}
        for word, hint in typing.get_type_hints(equation).items():
            if word == "dimension":
                options[word] = DIMENSIONS.get(name, (1, 2, 3))
            elif hint is bool:
                options[word] = (False, True)
            elif typing.get_origin(hint) is typing.Literal:
                options[word] = typing.get_args(hint)
        for chosen in itertools.product(*options.values()):
            yield name, dict(zip(options, chosen, strict=True))


ALL = [pytest.param(n, c, id="-".join([n, *map(str, c.values())])) for n, c in variants()]
every_variant = pytest.mark.parametrize(("name", "chosen"), ALL)
every_equation = pytest.mark.parametrize("name", EQUATIONS)


def letters(pde):
    """Return a value for the symbol of each coefficient of a symbolic equation."""
    found = []
    for value in pde.coefficient_values():
        found += value if isinstance(value, tuple) else [value]
    numbers = np.linspace(0.2, 0.45, len(found) + 1)
    return {str(s): VALUES.get(str(s), float(v)) for s, v in zip(found, numbers, strict=False)}


@every_variant
def test_manufactured_fields_have_the_source_that_sympy_finds(name, chosen):
    """The lowered residual, whose derivatives the framework takes, against sympy's own."""
    pde = EQUATIONS[name].symbolic(**chosen)
    X, known = pde.coordinates, letters(pde)
    manufactured = pde.manufactured()
    assert list(manufactured) == [f.func.__name__ for f in pde.fields]
    points = np.random.default_rng(0).uniform(0.1, 1.0, (7, len(X)))
    expressions = pde.residuals() | pde.derived()
    functions = {}
    for word, expression in manufactured.items():
        field = lower({word: expression}, X, [])
        functions[word] = lambda P, field=field, word=word: field({}, P)[word]
    lowered = lower(expressions, X, pde.fields, list(known))
    values = lowered({f: functions[f] for f in lowered.derivatives}, points, **known)
    by_field = {f: manufactured[f.func.__name__] for f in pde.fields}
    for word, expression in expressions.items():
        source = expression.subs(by_field).doit()
        evaluate = sympy.lambdify((*X, *map(sympy.Symbol, known)), source, "numpy")
        expected = np.broadcast_to(evaluate(*points.T, *known.values()), len(points))
        scale = np.abs(expected).max()
        assert 1e-3 < scale < 1e6, word
        np.testing.assert_allclose(values[word], expected, rtol=0, atol=1e-10 * scale, err_msg=word)


@every_variant
def test_units_and_letters_are_complete_and_distinct(name, chosen):
    pde = EQUATIONS[name].symbolic(**chosen)
    words = [str(x) for x in pde.coordinates] + [f.func.__name__ for f in pde.fields]
    assert set(pde.units()) == {*words, *pde.derived()}
    words += [*pde.derived(), *letters(pde)]
    assert len(words) == len(set(words)), words
    assert all(declaration.unit and declaration.meaning for declaration in declared(pde).values())


@every_variant
def test_all_terms_of_a_residual_have_the_same_unit(name, chosen):
    pde = EQUATIONS[name](**chosen)
    assert list(check_units(pde)) == list(pde.residuals())


@every_variant
def test_formulas_hold_letters_and_one_line_per_residual(name, chosen):
    pde = EQUATIONS[name].symbolic(**chosen)
    used = sympy.Tuple(*pde.residuals().values(), *pde.derived().values()).free_symbols
    idle = INERTIA.get(name, set()) if chosen.get("steady") else set()
    assert set(letters(pde)) - {str(s) for s in used} == idle
    assert pde._repr_latex_().count("= 0") == len(pde.residuals())


@every_equation
def test_each_coefficient_must_be_finite_and_in_its_range(name):
    equation = EQUATIONS[name]
    for word, declaration in declared(equation).items():
        if declaration.vector:
            count = len(equation().spatial)
            for bad in ((float("nan"),) * count, (1.0,) * (count + 1), 1.0, "x"):
                with pytest.raises(EquationError, match=word):
                    equation(**{word: bad})
            continue
        refused = [float("nan"), float("inf"), None]
        refused += [0, -1.0] if declaration.positive else []
        refused += declaration.between or []
        for bad in refused:
            with pytest.raises(EquationError, match=word):
                equation(**{word: bad})


@every_equation
def test_dimensions_out_of_range_are_refused(name):
    if "dimension" in EQUATIONS[name].__dataclass_fields__:
        dimensions = DIMENSIONS.get(name, (1, 2, 3))
        for bad in (min(dimensions) - 1, max(dimensions) + 1, True):
            with pytest.raises(EquationError, match="dimension must be"):
                EQUATIONS[name](dimension=bad)


@pytest.mark.parametrize(
    "module",
    sorted({e.__module__ for e in EQUATIONS.values()})
    + [f"sciml.equations.library.{m}" for m in ("manufactured", "tensors")]
    + ["sciml.equations.declarations", "sciml.equations.pde"],
)
def test_examples(module):
    assert doctest.testmod(importlib.import_module(module)).failed == 0

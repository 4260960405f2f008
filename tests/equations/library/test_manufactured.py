import itertools

import sympy

from sciml.equations.library.manufactured import smooth

X = sympy.symbols("x y z t")
FIELDS = [sympy.Function(name)(*X) for name in "uvwp"]


def test_fields_differ_and_no_derivative_up_to_the_fourth_order_vanishes():
    found = smooth(FIELDS)
    assert list(found) == list("uvwp")
    assert len(set(found.values())) == 4
    for u in found.values():
        for s, n in itertools.product(X, range(1, 5)):
            assert u.diff(s, n) != 0
        assert sympy.simplify(u.diff(X[0], 2) * u.diff(X[1], 2) - u.diff(X[0], X[1]) ** 2) != 0


def test_positive_fields_stay_between_two_and_four():
    u = smooth(FIELDS, positive="v")["v"]
    waves = u.atoms(sympy.sin, sympy.cos)
    for signs in itertools.product((-1, 1), repeat=len(waves)):
        assert 2 < u.subs(dict(zip(waves, signs, strict=True))) < 4
    assert smooth(FIELDS, positive="v")["u"] == smooth(FIELDS)["u"]


def test_fields_of_some_coordinates():
    x, _, _, t = X
    assert smooth([sympy.Function("u")(t)])["u"].free_symbols == {t}
    assert smooth([sympy.Function("u")(x, t)])["u"].free_symbols == {x, t}

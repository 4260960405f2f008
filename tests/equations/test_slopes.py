import sympy

from sciml.equations.slopes import Held, SlopePart, with_slopes

x, y = sympy.symbols("x y")
N = sympy.Function("N")(x, y)


def test_one_straight_edge_by_hand():
    part = SlopePart("left", x, sympy.Integer(2), sympy.sin(y))
    base, free = with_slopes(sympy.Integer(0), N, [part], {}, frozenset(), (x, y))
    assert sympy.expand(base + x * sympy.sin(y)) == 0
    assert sympy.expand(free - (N + x * (2 * N - N.diff(x)))) == 0


def test_what_is_apart_keeps_its_value_and_slope():
    part = SlopePart("left", x, sympy.Integer(0), y)
    held = {"right": Held(1 - x, 2)}
    base, _ = with_slopes(sympy.Integer(0), N, [part], held, frozenset(), (x, y))
    assert base.subs(x, 1) == base.diff(x).subs(x, 1) == 0
    assert base.diff(x).subs(x, 0) == -y


def test_two_edges_that_meet_are_taken_one_after_the_other():
    parts = [SlopePart(n, c, sympy.Integer(0), sympy.Integer(0)) for n, c in (("l", x), ("b", y))]
    _, free = with_slopes(
        sympy.Integer(0), N, parts, {}, frozenset([frozenset(("l", "b"))]), (x, y)
    )
    u = free.subs(N, sympy.exp(x + 2 * y)).doit()
    assert sympy.simplify(u.diff(x).subs(x, 0)) == 0
    assert sympy.simplify(u.diff(y).subs(y, 0)) == 0

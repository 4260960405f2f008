"""Waves that leave satisfy the conditions; waves that come in do not."""

from dataclasses import dataclass
from typing import final

import pytest
import sympy

from sciml.equations import PDE, OpenBoundary, Poisson, Sommerfeld
from sciml.framework.errors import EquationError

x, y, t = sympy.symbols("x y t")
ANGLE = sympy.Rational(7, 10)
DIRECTION = (sympy.cos(ANGLE), sympy.sin(ANGLE))
FRAME = dict(zip(sympy.symbols("n_x n_y"), DIRECTION, strict=True))
ALONG = DIRECTION[0] * x + DIRECTION[1] * y


@final
@dataclass(frozen=True)
class Waves(PDE):
    """Only the names of coordinates and fields matter here."""

    coordinates = property(lambda self: (x, y, t))
    fields = property(lambda self: tuple(sympy.Function(n)(x, y, t) for n in "uv"))

    def residuals(self):
        return {"u": self.fields[0]}

    def derived(self):
        return {}

    def units(self):
        return {}

    def manufactured(self):
        return {}


def put_in(residual, *waves):
    pde = Waves()
    return sympy.simplify(
        residual.subs(FRAME).subs(dict(zip(pde.fields, waves, strict=True))).doit()
    )


@pytest.mark.parametrize("sign", [1, -1])
def test_sommerfeld(sign):
    phase = 3 * sign * ALONG
    for residual in Sommerfeld("edges", wave_number=3).residuals(Waves()).values():
        assert (put_in(residual, sympy.cos(phase), sympy.sin(phase)) == 0) is (sign == 1)


@pytest.mark.parametrize("sign", [1, -1])
def test_open_boundary(sign):
    wave = sympy.exp(-((ALONG - 2 * sign * t) ** 2))
    residual = OpenBoundary("u", "edges", 2).residuals(Waves())["u_open"]
    assert (put_in(residual, wave, wave) == 0) is (sign == 1)


def test_errors():
    with pytest.raises(EquationError, match="needs the time t"):
        OpenBoundary("u", "edges").residuals(Poisson())
    with pytest.raises(EquationError, match="are one field"):
        Sommerfeld("edges", "u", "u")

from dataclasses import dataclass
from typing import final

import pytest
import sympy

from sciml.equations import PDE, Symmetry
from sciml.framework.errors import EquationError

x, y, t = sympy.symbols("x y t")
u, v, p = (sympy.Function(n)(x, y, t) for n in "uvp")


@final
@dataclass(frozen=True)
class Flow(PDE):
    """Only the names of coordinates and fields matter here."""

    coordinates = property(lambda self: (x, y, t))
    fields = property(lambda self: (u, v, p))

    def residuals(self):
        return {"continuity": u.diff(x) + v.diff(y)}

    def derived(self):
        return {}

    def units(self):
        return {}

    def manufactured(self):
        return {}


def test_on_a_line_along_y_the_normal_velocity_and_the_shear_vanish():
    residuals = Symmetry("axis", ("u", "v"), ("p",)).residuals(Flow())
    on_axis = {sympy.Symbol("n_x"): -1, sympy.Symbol("n_y"): 0}
    found = {name: r.subs(on_axis).doit() for name, r in residuals.items()}
    assert found == {
        "normal": -u,
        "u_tangential_n": 0,
        "v_tangential_n": -v.diff(x),
        "p_n": -p.diff(x),
    }


def test_something_must_be_named():
    with pytest.raises(EquationError, match="name a vector field or scalars"):
        Symmetry("axis")

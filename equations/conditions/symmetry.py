"""The plane, or line, of symmetry of a vector field and of scalars."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from sciml.framework.errors import EquationError

from ..operators import dot
from ..pde import PDE, normal_symbols
from .condition import BoundaryCondition, Quantity, normal_derivative, vector
from .forms import HardForm, SlopeForm


@final
@dataclass(frozen=True)
class Symmetry(BoundaryCondition):
    """v . n = 0, the normal derivative of the tangential part of v is zero, and s_n = 0.

    On a straight part with normal n the tangential part is v - (v . n) n, whose derivative along
    n has one component for each of v (of which d - 1 are independent).

    Parameters
    ----------
    part
        Name of a straight or plane boundary part.
    vector
        Names of the components of a vector field, such as the velocity; may be empty.
    scalars
        Names of scalar fields, such as pressure and temperature.
    hard
        Whether a trial function is to satisfy s_n = 0 exactly, as for `Neumann`. By default where
        that is well-conditioned.

    Examples
    --------
    >>> Symmetry("axis", vector=(), scalars=("T",)).names
    ('T_n',)
    """

    part: str
    vector: tuple[str, ...] = ()
    scalars: tuple[str, ...] = ()
    hard: bool | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "vector", tuple(self.vector))
        object.__setattr__(self, "scalars", tuple(self.scalars))
        if not self.fields:
            raise EquationError(f"Symmetry on {self.part!r}: name a vector field or scalars")

    @property
    def fields(self) -> tuple[str, ...]:
        return self.vector + self.scalars

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        across = {"normal": (self.vector[0], Quantity.OTHER)} if self.vector else {}
        along = {f"{v}_tangential_n": (v, Quantity.OTHER) for v in self.vector}
        return across | along | {f"{s}_n": (s, Quantity.SLOPE) for s in self.scalars}

    def hard_form(self, field: str) -> HardForm | None:
        if self.hard is False or field not in self.scalars:
            return None
        return SlopeForm(0.0, 1.0, 0.0, (f"{field}_n",))

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        n = normal_symbols(pde.spatial)
        result = {}
        if self.vector:
            components = vector(self, pde, self.vector)
            across = dot(components, n)
            result["normal"] = across
            for name, component, n_i in zip(self.vector, components, n, strict=True):
                result[f"{name}_tangential_n"] = normal_derivative(component - across * n_i, pde)
        for name in self.scalars:
            result[f"{name}_n"] = normal_derivative(pde.field(name), pde)
        return result

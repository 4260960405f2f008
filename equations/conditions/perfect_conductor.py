"""The wall of a perfect electric conductor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from sciml.framework.errors import EquationError

from ..pde import PDE, normal_symbols
from .condition import BoundaryCondition, Quantity, vector
from .forms import HardForm


@final
@dataclass(frozen=True)
class PerfectConductor(BoundaryCondition):
    """n x E = 0: no electric field along the wall; residuals ``pec_x``, ``pec_y``, ``pec_z``.

    In the plane the one residual is ``pec_z``, n_x E_y - n_y E_x.

    Parameters
    ----------
    part
        Name of a boundary part.
    electric
        Names of the two or three components of E [V/m].

    References
    ----------
    Jackson (1999), Classical Electrodynamics, section 8.1.
    """

    part: str
    electric: tuple[str, ...] = ("E_x", "E_y", "E_z")

    def __post_init__(self) -> None:
        object.__setattr__(self, "electric", tuple(self.electric))
        if len(self.electric) not in (2, 3):
            raise EquationError(
                f"PerfectConductor on {self.part!r}: E has two or three components, got "
                f"{len(self.electric)}; a field along the wall alone is a Dirichlet condition"
            )

    @property
    def fields(self) -> tuple[str, ...]:
        return self.electric

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        axes = "xyz" if len(self.electric) == 3 else "z"
        return {
            f"pec_{axis}": (name, Quantity.OTHER)
            for axis, name in zip(axes, self.electric, strict=False)
        }

    def hard_form(self, field: str) -> HardForm | None:
        return None

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        E, n = vector(self, pde, self.electric), normal_symbols(pde.spatial)
        if len(E) == 2:
            return {"pec_z": n[0] * E[1] - n[1] * E[0]}
        cross = sympy.Matrix(n).cross(sympy.Matrix(E))
        return dict(zip(self.prescribes, cross, strict=True))

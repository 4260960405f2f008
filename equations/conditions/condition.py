"""The interface of a boundary condition."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum

import sympy

from sciml.framework.errors import EquationError

from ..coefficients import Coefficient
from ..library.kirchhoff_plate import KirchhoffPlate
from ..pde import PDE


class Quantity(Enum):
    """What a condition prescribes; value and shear do work together, as do slope and moment."""

    VALUE = "value"
    SLOPE = "normal derivative"
    MOMENT = "normal moment"
    SHEAR = "effective shear"
    CORNER = "corner force"


CONJUGATE = {
    Quantity.VALUE: Quantity.SHEAR,
    Quantity.SHEAR: Quantity.VALUE,
    Quantity.SLOPE: Quantity.MOMENT,
    Quantity.MOMENT: Quantity.SLOPE,
}


@dataclass(frozen=True)
class HardForm:
    """How a trial function can satisfy a condition exactly.

    Parameters
    ----------
    power
        Power of the boundary factor phi in ``w = g + phi^power N``: 1 fixes the value on the part,
        2 also the normal derivative.
    value
        Boundary value of g; with power 2 it must be zero.
    satisfies
        Names of the residuals that are then zero.
    """

    power: int
    value: Coefficient
    satisfies: tuple[str, ...]

    @property
    def ansatz(self) -> str:
        """The trial function in words."""
        return "g + phi*N" if self.power == 1 else f"g + phi**{self.power}*N"


class Condition(ABC):
    """A condition for one field on one named part.

    Residuals are expressions in the field, the coordinates, the outward normal ``n_x``, ``n_y``
    and the curvature ``kappa`` of the boundary.
    """

    part: str
    field: str

    @property
    @abstractmethod
    def prescribes(self) -> dict[Quantity, str]:
        """Quantities the condition prescribes, with the name of the residual of each."""

    @property
    @abstractmethod
    def hard_form(self) -> HardForm | None:
        """The form that satisfies it exactly, or None if it can only be imposed softly."""

    @abstractmethod
    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        """Return the expressions that are zero where the condition holds.

        Raises
        ------
        EquationError
            If the PDE has no such field, or is not of the kind the condition needs.
        """


def plate_of(condition: Condition, pde: PDE) -> KirchhoffPlate:
    """Return the PDE as a plate with the deflection as the field of the condition."""
    if not isinstance(pde, KirchhoffPlate):
        raise EquationError(
            f"{type(condition).__name__} on {condition.part!r} is a condition for a "
            f"KirchhoffPlate, got {type(pde).__name__}; use Dirichlet or Neumann"
        )
    pde.field(condition.field)
    return pde

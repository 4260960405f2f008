"""The interface of a condition: what it asks for, where, and which form satisfies it exactly."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import Enum
from types import MappingProxyType
from typing import final

import sympy

from sciml.framework.errors import EquationError

from ..library.thin_bending import ThinBending
from ..operators import dot, grad
from ..pde import PDE, TIME, normal_symbols
from ..sourced import unsourced
from .forms import HardForm


class Quantity(Enum):
    """What a condition prescribes; value and shear do work together, as do slope and moment."""

    VALUE = "value"
    SLOPE = "normal derivative"
    MOMENT = "normal moment"
    SHEAR = "effective shear"
    CORNER = "corner force"
    ROBIN = "sum of value and normal derivative"
    OTHER = "another combination"


RIVALS: Mapping[Quantity, tuple[Quantity, ...]] = MappingProxyType(
    {
        Quantity.VALUE: (Quantity.VALUE, Quantity.SHEAR, Quantity.ROBIN),
        Quantity.SHEAR: (Quantity.SHEAR, Quantity.VALUE),
        Quantity.SLOPE: (Quantity.SLOPE, Quantity.MOMENT, Quantity.ROBIN),
        Quantity.MOMENT: (Quantity.MOMENT, Quantity.SLOPE),
        Quantity.ROBIN: (Quantity.ROBIN, Quantity.VALUE, Quantity.SLOPE),
        Quantity.CORNER: (Quantity.CORNER,),
        Quantity.OTHER: (),
    }
)
"""Quantities of one field that must not be prescribed together on one part."""


class Condition(ABC):
    """Equations that hold in some place besides the PDE.

    Residuals are expressions in the fields and coordinates, and in symbols that belong to the
    place: the outward normal ``n_x``, ``n_y`` and the curvature ``kappa`` on a boundary.
    """

    @property
    @abstractmethod
    def fields(self) -> tuple[str, ...]:
        """Names of the fields it is about; its residuals count among those of the first."""

    @property
    @abstractmethod
    def where(self) -> str:
        """The place in a word, which names the residuals in records: ``edges: M_n``."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """Names of its residuals."""

    @abstractmethod
    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        """Return the expressions that are zero where the condition holds.

        Raises
        ------
        EquationError
            If the PDE has no such field, or is not of the kind the condition needs.
        """


class BoundaryCondition(Condition):
    """A condition on a named part of the boundary.

    `hard` says whether a trial function satisfies it exactly: None, where a form exists that is
    well-conditioned; True, or an error says why not; False, never.
    """

    part: str
    hard: bool | None = None

    @property
    @abstractmethod
    def prescribes(self) -> Mapping[str, tuple[str, Quantity]]:
        """For each residual the field and the quantity of it that is prescribed."""

    @abstractmethod
    def hard_form(self, field: str) -> HardForm | None:
        """Return the form of a field that satisfies it exactly; None if it is only soft."""

    @final
    @property
    def where(self) -> str:
        return self.part

    @final
    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.prescribes)


class FieldCondition(BoundaryCondition):
    """A condition of one field on a part of the boundary."""

    field: str

    @final
    @property
    def fields(self) -> tuple[str, ...]:
        return (self.field,)


def bending_of(condition: BoundaryCondition, pde: PDE) -> ThinBending:
    """Return the PDE as a thin beam or plate with the deflection as the field of the condition."""
    pde = unsourced(pde)
    if not isinstance(pde, ThinBending) or pde.w != pde.field(condition.fields[0]):
        raise EquationError(
            f"{type(condition).__name__} on {condition.part!r} is a condition for the deflection "
            f"of a thin beam or plate, got {condition.fields[0]!r} of {type(pde).__name__}; use "
            "Dirichlet, Neumann or Operator"
        )
    return pde


def time_of(condition: Condition, pde: PDE) -> sympy.Symbol:
    """Return the time coordinate of a PDE, refusing a steady one."""
    if TIME in pde.coordinates:
        return TIME
    raise EquationError(
        f"{type(condition).__name__} on {condition.where!r} needs the time t, but "
        f"{type(pde).__name__} has the coordinates {', '.join(map(str, pde.coordinates))}"
    )


def normal_derivative(f: sympy.Expr, pde: PDE) -> sympy.Expr:
    """Return n . grad(f) in space, with the outward normal n."""
    return dot(grad(f, pde.spatial), normal_symbols(pde.spatial))


def vector(condition: Condition, pde: PDE, names: Sequence[str]) -> tuple[sympy.Expr, ...]:
    """Return the components of a vector field, as many as there are space coordinates."""
    if len(names) != len(pde.spatial):
        raise EquationError(
            f"{type(condition).__name__} on {condition.where!r}: {type(pde).__name__} has "
            f"{len(pde.spatial)} space coordinates, got the {len(names)} components "
            f"{', '.join(names)}"
        )
    return tuple(pde.field(n) for n in names)

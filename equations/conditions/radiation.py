"""Boundaries that waves leave: Sommerfeld's in frequency, Engquist and Majda's in time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from sciml.framework.errors import EquationError

from ..coefficients import Coefficient
from ..pde import PDE
from .condition import (
    BoundaryCondition,
    FieldCondition,
    Quantity,
    normal_derivative,
    time_of,
)
from .forms import HardForm


@final
@dataclass(frozen=True)
class OpenBoundary(FieldCondition):
    """u_t + c n . grad(u) = 0, exact for waves that leave along the normal; residual ``u_open``.

    Parameters
    ----------
    field
        Name of the field u.
    part
        Name of a boundary part.
    speed
        c, wave speed [m/s].

    References
    ----------
    Engquist and Majda (1977), Absorbing boundary conditions for the numerical simulation of
    waves, first approximation.
    """

    field: str
    part: str
    speed: Coefficient = 1.0

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        return {f"{self.field}_open": (self.field, Quantity.OTHER)}

    def hard_form(self, field: str) -> HardForm | None:
        return None

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        name, u = f"{self.field}_open", pde.field(self.field)
        c = pde.expression(self.speed, name)
        return {name: u.diff(time_of(self, pde)) + c * normal_derivative(u, pde)}


@final
@dataclass(frozen=True)
class Sommerfeld(BoundaryCondition):
    """n . grad(psi) - i k psi = 0 for psi = u + i v; residuals ``sommerfeld_re``, ``_im``.

    It lets waves exp(i k x) leave, with the time factor exp(-i omega t):
    u_n + k v = 0 and v_n - k u = 0.

    Parameters
    ----------
    part
        Name of a boundary part.
    real, imaginary
        Names of the fields u and v.
    wave_number
        k [1/m].

    References
    ----------
    Sommerfeld (1949), Partial Differential Equations in Physics, section 28.
    """

    part: str
    real: str = "u"
    imaginary: str = "v"
    wave_number: Coefficient = 1.0

    def __post_init__(self) -> None:
        if self.real == self.imaginary:
            raise EquationError(f"Sommerfeld on {self.part!r}: real and imaginary are one field")

    @property
    def fields(self) -> tuple[str, ...]:
        return (self.real, self.imaginary)

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        return {
            "sommerfeld_re": (self.real, Quantity.OTHER),
            "sommerfeld_im": (self.imaginary, Quantity.OTHER),
        }

    def hard_form(self, field: str) -> HardForm | None:
        return None

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        k = pde.expression(self.wave_number, "wave_number")
        u, v = pde.field(self.real), pde.field(self.imaginary)
        return {
            "sommerfeld_re": normal_derivative(u, pde) + k * v,
            "sommerfeld_im": normal_derivative(v, pde) - k * u,
        }

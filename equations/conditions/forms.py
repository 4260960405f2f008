"""How a trial function can satisfy a condition exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ..coefficients import Coefficient


@dataclass(frozen=True)
class ValueForm:
    """The value on a part, and with power 2 the normal derivative, by ``u = g + phi**power*N``.

    Parameters
    ----------
    power
        Power of the boundary factor phi, 1 or 2.
    value
        Boundary value of g.
    satisfies
        Names of the residuals that are then zero: of the value, then of the derivative.
    slope
        Outward normal derivative of g, for power 2.
    """

    power: int
    value: Coefficient
    satisfies: tuple[str, ...]
    slope: Coefficient = 0.0

    @property
    def ansatz(self) -> str:
        """The trial function in words."""
        return "g + phi*N" if self.power == 1 else f"g + phi**{self.power}*N"


@dataclass(frozen=True)
class SlopeForm:
    """a u + b u_n = h on a part, by ``u = F + phi*((a*F - h)/b - grad(phi).grad(F))``.

    Parameters
    ----------
    a, b
        Factors of the value and of the outward normal derivative.
    value
        h.
    satisfies
        Name of the residual that is then zero.
    """

    a: Coefficient
    b: Coefficient
    value: Coefficient
    satisfies: tuple[str, ...]

    @property
    def ansatz(self) -> str:
        """The trial function in words."""
        return "F + phi*((a*F - h)/b - grad(phi).grad(F))"


@dataclass(frozen=True)
class PeriodicForm:
    """u(x) = u(x + L) with all derivatives, by ``N(cos(2*pi*x/L), sin(2*pi*x/L))``.

    Parameters
    ----------
    coordinate
        Name of x.
    period
        L.
    satisfies
        Names of the residuals that are then zero.
    """

    coordinate: str
    period: float
    satisfies: tuple[str, ...]

    @property
    def ansatz(self) -> str:
        """The trial function in words."""
        return f"N(cos(2*pi*{self.coordinate}/L), sin(2*pi*{self.coordinate}/L))"


HardForm: TypeAlias = ValueForm | SlopeForm | PeriodicForm

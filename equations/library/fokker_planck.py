"""The Fokker-Planck equation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import div
from ..pde import PDE, TIME, coordinate_units, space_time, unknowns
from .manufactured import smooth


@final
@dataclass(frozen=True)
class FokkerPlanck(PDE):
    """p_t = -div(a p) + laplacian(D p), the density of a diffusing particle.

    The residual ``fokker_planck`` is the left minus the right side, with D in the sense of Ito.

    Parameters
    ----------
    drift
        a, drift [m/s].
    diffusivity
        D, diffusivity [m^2/s]; positive.
    dimension
        1, 2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Risken (1989), The Fokker-Planck Equation.
    """

    drift: tuple[Coefficient, ...] = coefficient("a", "m/s", (), "drift")
    diffusivity: Coefficient = coefficient("D", "m^2/s", 1.0, "diffusivity", positive=True)
    dimension: int = 1

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("p", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        flux = tuple(self.derived().values())
        return {"fokker_planck": self.fields[0].diff(TIME) + div(flux, self.spatial)}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the flux of probability a p - grad(D p) by components."""
        X, (p,), (drift, D) = self.spatial, self.fields, self.coefficient_values()
        return {f"flux_{x}": a * p - (D * p).diff(x) for x, a in zip(X, drift, strict=True)}

    def units(self) -> dict[str, str]:
        return (
            coordinate_units(self.coordinates)
            | {"p": "1/m^d"}
            | dict.fromkeys(self.derived(), "m/s 1/m^d")
        )

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields, positive=("p",))

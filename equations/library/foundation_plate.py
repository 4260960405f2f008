"""The thin plate on an elastic foundation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import laplacian
from ..pde import coordinate_units, space
from .kirchhoff_plate import KirchhoffPlate
from .manufactured import smooth
from .thin_bending import Tensor, ThinBending, uniform


@final
@dataclass(frozen=True)
class FoundationPlate(ThinBending):
    """D biharmonic(w) + k w - G laplacian(w) + N laplacian(w) = q, Winkler's and Pasternak's plate.

    The residual ``plate`` is that of `KirchhoffPlate` with foundation and thrust. N is an equal
    thrust in all directions, positive in compression: with q = 0 it is the buckling of a plate.

    Parameters
    ----------
    rigidity
        D, bending rigidity [N m]; positive.
    poisson_ratio
        nu, Poisson's ratio [-]; a number in (-1, 1); constant.
    load
        q, load per unit area [N/m^2].
    winkler
        k, stiffness of Winkler's springs [N/m^3].
    pasternak
        G, stiffness of Pasternak's shear layer [N/m].
    thrust
        N, thrust per length [N/m].

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Timoshenko and Woinowsky-Krieger (1959), Theory of Plates and Shells, sections 57 and 90.
    """

    rigidity: Coefficient = coefficient("D", "N m", 1.0, "bending rigidity", positive=True)
    poisson_ratio: Coefficient = coefficient(
        "nu", "-", 0.3, "Poisson's ratio", between=(-1, 1), constant=True
    )
    load: Coefficient = coefficient("q", "N/m^2", 1.0, "load per unit area")
    winkler: Coefficient = coefficient("k", "N/m^3", 1.0, "stiffness of Winkler's springs")
    pasternak: Coefficient = coefficient("G", "N/m", 0.0, "stiffness of Pasternak's shear layer")
    thrust: Coefficient = coefficient("N", "N/m", 0.0, "thrust per length")

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return self.plate.fields

    def residuals(self) -> dict[str, sympy.Expr]:
        X, (w,), (*_, k, G, N) = self.coordinates, self.fields, self.coefficient_values()
        support = k * w + (N - G) * laplacian(w, X)
        return {"plate": self.plate.residuals()["plate"] + support}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return moments and shear forces as `KirchhoffPlate` does."""
        return self.plate_quantities()

    def units(self) -> dict[str, str]:
        return coordinate_units(self.coordinates) | self.plate.units()

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)

    def moments(self) -> Tensor:
        return self.plate.moments()

    def membrane_forces(self) -> Tensor:
        """Return the thrust, and the shear layer, which ends with the plate and pulls like one."""
        *_, G, N = self.coefficient_values()
        return uniform(G - N)

    @property
    def plate(self) -> KirchhoffPlate:
        """The plate without foundation and thrust."""
        return KirchhoffPlate(self.rigidity, self.poisson_ratio, self.load)

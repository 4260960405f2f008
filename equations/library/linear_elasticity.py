"""Linear elasticity by displacements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, final

import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..pde import PDE, TIME, coordinate_units, space_time, unknowns
from .manufactured import smooth
from .tensors import Tensor, isotropic_stress, lame, tensor_divergence, upper


@final
@dataclass(frozen=True)
class LinearElasticity(PDE):
    """div(sigma) + f = rho u_tt, sigma = lambda div(u) I + 2 mu e, small deformation of a solid.

    u = (u, v, w) and e is its symmetric gradient. mu = E/(2 (1 + nu)); lambda is
    E nu/((1 + nu)(1 - 2 nu)) in a solid and in plane strain, and E nu/(1 - nu^2) in plane stress.
    The residuals ``equilibrium_x``, ``equilibrium_y``, ``equilibrium_z`` are
    rho u_tt - div(sigma) - f.

    Parameters
    ----------
    modulus
        E, Young's modulus [Pa]; positive.
    poisson_ratio
        nu, Poisson's ratio [-]; a number in (-1, 0.5); constant.
    density
        rho, density, without effect where steady [kg/m^3]; positive.
    force
        f, force per unit volume [N/m^3].
    kind
        Three dimensions, or which stress or strain vanishes across the plane.
    steady
        Whether nothing changes in time and time is no coordinate.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Timoshenko and Goodier (1970), Theory of Elasticity.
    """

    modulus: Coefficient = coefficient("E", "Pa", 1.0, "Young's modulus", positive=True)
    poisson_ratio: Coefficient = coefficient(
        "nu", "-", 0.3, "Poisson's ratio", between=(-1, 0.5), constant=True
    )
    density: Coefficient = coefficient(
        "rho", "kg/m^3", 1.0, "density, without effect where steady", positive=True
    )
    force: tuple[Coefficient, ...] = coefficient("f", "N/m^3", (), "force per unit volume")
    kind: Literal["solid", "plane_strain", "plane_stress"] = "plane_stress"
    steady: bool = True

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        if self.kind not in ("solid", "plane_strain", "plane_stress"):
            raise EquationError(
                "LinearElasticity: kind must be 'solid', 'plane_strain' or 'plane_stress', "
                f"got {self.kind!r}"
            )
        return space_time(3 if self.kind == "solid" else 2, self.steady)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u v w", self.coordinates, 3 if self.kind == "solid" else 2)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, displacement = self.spatial, self.fields
        _, _, rho, force = self.coefficient_values()
        internal = tensor_divergence(self._stress(), X)
        return {
            f"equilibrium_{x}": rho * u.diff(TIME, 2) - s - f
            for x, u, s, f in zip(X, displacement, internal, force, strict=True)
        }

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the stresses sigma_xx, sigma_xy, ..."""
        return upper("sigma", self._stress(), self.spatial)

    def units(self) -> dict[str, str]:
        return (
            coordinate_units(self.coordinates)
            | {f.func.__name__: "m" for f in self.fields}
            | dict.fromkeys(self.derived(), "Pa")
        )

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)

    def _stress(self) -> Tensor:
        E, nu, *_ = self.coefficient_values()
        bulk, shear = lame(E, nu)
        if self.kind == "plane_stress":
            bulk = E * nu / (1 - nu**2)
        return isotropic_stress(self.fields, bulk, shear, self.spatial)

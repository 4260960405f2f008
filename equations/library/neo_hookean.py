"""Elasticity of rubber with large deformation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..pde import PDE, coordinate_units, space, unknowns
from .manufactured import smooth
from .tensors import Tensor, lame, tensor_divergence


@final
@dataclass(frozen=True)
class NeoHookean(PDE):
    """div(P) + f = 0, P = mu (F - F^-T) + lambda log(det F) F^-T, F = I + grad(u), per reference
    volume.

    lambda and mu are those of `LinearElasticity` in a solid, which it is for small deformation; in
    two dimensions it is plane strain. The residuals ``equilibrium_x``, ``equilibrium_y``,
    ``equilibrium_z`` are -div(P) - f.

    Parameters
    ----------
    modulus
        E, Young's modulus [Pa]; positive.
    poisson_ratio
        nu, Poisson's ratio [-]; a number in its range; constant.
    force
        f, force per unit volume [N/m^3].
    dimension
        2 or 3.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Bonet and Wood (2008), Nonlinear Continuum Mechanics for Finite Element Analysis, section 6.4.3.
    """

    modulus: Coefficient = coefficient("E", "Pa", 1.0, "Young's modulus", positive=True)
    poisson_ratio: Coefficient = coefficient(
        "nu", "-", 0.3, "Poisson's ratio", between=(-1, 0.5), constant=True
    )
    force: tuple[Coefficient, ...] = coefficient("f", "N/m^3", (), "force per unit volume")
    dimension: int = 2

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(self.dimension, least=2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return unknowns("u v w", self.coordinates, self.dimension)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, force = self.coordinates, self.coefficient_values()[-1]
        internal = tensor_divergence(self._stress(), X)
        return {f"equilibrium_{x}": -s - f for x, s, f in zip(X, internal, force, strict=True)}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return det F and the first Piola-Kirchhoff stresses P_xx, P_xy, ..."""
        X, stress = self.coordinates, self._stress()
        stresses = {f"P_{x}{y}": stress[i][j] for i, x in enumerate(X) for j, y in enumerate(X)}
        return {"J": self._gradient().det()} | stresses

    def units(self) -> dict[str, str]:
        fields = {f.func.__name__: "m" for f in self.fields}
        stresses = dict.fromkeys(self.derived(), "Pa")
        return coordinate_units(self.coordinates) | fields | stresses | {"J": "-"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        """Return small displacements, for which det F is positive."""
        return {name: u / 10 for name, u in smooth(self.fields).items()}

    def _gradient(self) -> sympy.Matrix:
        slopes = sympy.Matrix([[u.diff(x) for x in self.coordinates] for u in self.fields])
        return slopes + sympy.eye(self.dimension)

    def _stress(self) -> Tensor:
        E, nu, _ = self.coefficient_values()
        bulk, shear = lame(E, nu)
        F = self._gradient()
        J = F.det()
        inverse = F.adjugate().T / J  # F^-T
        P = shear * (F - inverse) + bulk * sympy.log(J) * inverse
        return tuple(tuple(P.row(i)) for i in range(self.dimension))

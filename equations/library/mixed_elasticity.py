"""Linear elasticity by displacements and stresses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..pde import PDE, unknowns
from .linear_elasticity import LinearElasticity
from .manufactured import smooth
from .tensors import tensor_divergence


@final
@dataclass(frozen=True)
class MixedElasticity(PDE):
    """-div(sigma) = f, sigma = lambda div(u) I + 2 mu e, a system of first order.

    The fields are the displacement and the stresses. The residuals are ``equilibrium_x``, ... and
    ``stress_xx``, ``stress_xy``, ..., the stress minus that of the displacement, as
    `LinearElasticity` has it.

    Parameters
    ----------
    modulus
        E, Young's modulus [Pa]; positive.
    poisson_ratio
        nu, Poisson's ratio [-]; a number in its range; constant.
    force
        f, force per unit volume [N/m^3].
    kind
        Three dimensions, or which stress or strain vanishes across the plane.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Boffi, Brezzi and Fortin (2013), Mixed Finite Element Methods and Applications.
    """

    modulus: Coefficient = coefficient("E", "Pa", 1.0, "Young's modulus", positive=True)
    poisson_ratio: Coefficient = coefficient(
        "nu", "-", 0.3, "Poisson's ratio", between=(-1, 0.5), constant=True
    )
    force: tuple[Coefficient, ...] = coefficient("f", "N/m^3", (), "force per unit volume")
    kind: Literal["solid", "plane_strain", "plane_stress"] = "plane_stress"

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return self.solid.coordinates

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return (*self.solid.fields, *unknowns(" ".join(self.solid.derived()), self.coordinates))

    @property
    def solid(self) -> LinearElasticity:
        """The equations by displacements alone."""
        return LinearElasticity(self.modulus, self.poisson_ratio, 1.0, self.force, self.kind)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, force = self.coordinates, self.coefficient_values()[-1]
        stress = {f.func.__name__: f for f in self.fields[len(X) :]}
        rows = [[stress["sigma_" + "".join(sorted(f"{x}{y}"))] for y in X] for x in X]
        balance = {
            f"equilibrium_{x}": -s - f
            for x, s, f in zip(X, tensor_divergence(rows, X), force, strict=True)
        }
        elastic = self.solid.derived()
        law = {n.replace("sigma", "stress"): stress[n] - e for n, e in elastic.items()}
        return balance | law

    def derived(self) -> dict[str, sympy.Expr]:
        return {}

    def units(self) -> dict[str, str]:
        return self.solid.units()

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)

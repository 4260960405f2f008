"""Linear elasticity with heat."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..pde import PDE, TIME, coordinate_units, space_time, unknowns
from .manufactured import smooth
from .tensors import Tensor, diffusion, isotropic_stress, lame, tensor_divergence, upper


@final
@dataclass(frozen=True)
class Thermoelasticity(PDE):
    """div(sigma) + f = 0, sigma = lambda div(u) I + 2 mu e - 3 K alpha theta I, with heat
    conduction.

    3 K = E/(1 - 2 nu), lambda and mu are those of `LinearElasticity` in a solid; in two dimensions
    it is plane strain. theta is the temperature above that without stress. The residuals are
    ``equilibrium_x``, ``equilibrium_y``, ``equilibrium_z``, which are -div(sigma) - f, and
    ``heat``, c theta_t - div(k grad(theta)) - h.

    Parameters
    ----------
    modulus
        E, Young's modulus [Pa]; positive.
    poisson_ratio
        nu, Poisson's ratio [-]; a number in its range; constant.
    expansion
        alpha, thermal expansion [1/K].
    conductivity
        k, conductivity [W/(m K)]; positive.
    heat_capacity
        c, heat capacity per volume, without effect where steady [J/(m^3 K)]; positive.
    heat_source
        h, source of heat [W/m^3].
    force
        f, force per unit volume [N/m^3].
    dimension
        2 or 3.
    steady
        Whether nothing changes in time and time is no coordinate.

    Raises
    ------
    EquationError
        If a coefficient is not finite or out of range.

    References
    ----------
    Boley and Weiner (1960), Theory of Thermal Stresses.
    """

    modulus: Coefficient = coefficient("E", "Pa", 1.0, "Young's modulus", positive=True)
    poisson_ratio: Coefficient = coefficient(
        "nu", "-", 0.3, "Poisson's ratio", between=(-1, 0.5), constant=True
    )
    expansion: Coefficient = coefficient("alpha", "1/K", 1.0, "thermal expansion")
    conductivity: Coefficient = coefficient("k", "W/(m K)", 1.0, "conductivity", positive=True)
    heat_capacity: Coefficient = coefficient(
        "c",
        "J/(m^3 K)",
        1.0,
        "heat capacity per volume, without effect where steady",
        positive=True,
    )
    heat_source: Coefficient = coefficient("h", "W/m^3", 0.0, "source of heat")
    force: tuple[Coefficient, ...] = coefficient("f", "N/m^3", (), "force per unit volume")
    dimension: int = 2
    steady: bool = True

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space_time(self.dimension, self.steady, least=2)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return (*self.displacement, *unknowns("theta", self.coordinates))

    @property
    def displacement(self) -> tuple[AppliedUndef, ...]:
        """Displacement u, v, w [m]."""
        return unknowns("u v w", self.coordinates, self.dimension)

    def residuals(self) -> dict[str, sympy.Expr]:
        X, theta = self.spatial, self.fields[-1]
        *_, k, c, h, force = self.coefficient_values()
        internal = tensor_divergence(self._stress(), X)
        balance = {f"equilibrium_{x}": -s - f for x, s, f in zip(X, internal, force, strict=True)}
        return balance | {"heat": c * theta.diff(TIME) - diffusion(theta, k, X) - h}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the stresses sigma_xx, sigma_xy, ..."""
        return upper("sigma", self._stress(), self.spatial)

    def units(self) -> dict[str, str]:
        displacement = {f.func.__name__: "m" for f in self.displacement}
        stresses = dict.fromkeys(self.derived(), "Pa")
        return coordinate_units(self.coordinates) | displacement | {"theta": "K"} | stresses

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)

    def _stress(self) -> Tensor:
        E, nu, alpha, *_ = self.coefficient_values()
        bulk, shear = lame(E, nu)
        heat = E / (1 - 2 * nu) * alpha * self.fields[-1]
        elastic = isotropic_stress(self.displacement, bulk, shear, self.spatial)
        return tuple(
            tuple(s - (heat if i == j else 0) for j, s in enumerate(row))
            for i, row in enumerate(elastic)
        )

"""The turbulent boundary layer at a wall, bridged by the law of the wall."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from sciml.framework.errors import EquationError

from ..library.k_epsilon import KEpsilon
from ..library.k_omega import KOmega
from ..operators import dot
from ..pde import PDE, normal_symbols
from ..sourced import unsourced
from ..wall_law import INTERCEPT, KARMAN, sublayer, wall_velocity
from .condition import BoundaryCondition, Quantity, normal_derivative, vector
from .forms import HardForm


@final
@dataclass(frozen=True)
class WallFunction(BoundaryCondition):
    """The law of the wall at a distance d: stress rho u* U/u+(y+), k_n = 0, eps = u*^3/(kappa d).

    The part lies in the logarithmic layer. With the velocity scale u* = C_mu^(1/4) k^(1/2), which
    is the friction velocity there, and u+(y+) of `wall_velocity` at y+ = rho u* d/mu: no fluid goes
    through, U . n = 0; the stress is that of the wall, (mu + mu_t) n . grad(U) = -rho u* U/u+; and
    production and dissipation of k balance, n . grad(k) = 0 and eps = u*^3/(kappa d), or
    omega = u*/(sqrt(C_mu) kappa d). The residuals are ``normal``, one ``shear`` for each
    component, ``u_shear``, ``k_n``, and that of eps or omega, named after it.

    Parameters
    ----------
    part
        Name of a straight boundary part.
    distance
        d, distance of the part from the wall [m], positive; y+ should be 30 to 300, though the law
        goes on to the wall by u+ = y+.
    velocity
        Names of the components.
    energy, rate
        Names of k and of eps, or omega for `KOmega`, whose C_k stands for C_mu.
    karman, intercept
        kappa and B of the logarithm, u+ = log(y+)/kappa + B [-].

    Raises
    ------
    EquationError
        If the distance or kappa is not positive, or the logarithm does not meet the sublayer.

    Notes
    -----
    The k of a solution must be positive; while it is not, its absolute value counts here. A flow
    field gives the stress afterwards by `friction_velocity`.

    References
    ----------
    Launder and Spalding (1974), The numerical computation of turbulent flows. Pope (2000),
    Turbulent Flows, chapter 7, for kappa and B.

    Examples
    --------
    >>> WallFunction("edges.bottom", distance=1e-3).names
    ('normal', 'u_shear', 'v_shear', 'k_n', 'eps')
    """

    part: str
    distance: float
    velocity: tuple[str, ...] = ("u", "v")
    energy: str = "k"
    rate: str = "eps"
    karman: float = KARMAN
    intercept: float = INTERCEPT

    def __post_init__(self) -> None:
        object.__setattr__(self, "velocity", tuple(self.velocity))
        if not (self.distance > 0 and self.karman > 0):
            raise EquationError(
                f"WallFunction on {self.part!r}: distance and karman must be positive, got "
                f"{self.distance} and {self.karman}"
            )
        sublayer(self.karman, self.intercept)

    @property
    def fields(self) -> tuple[str, ...]:
        return (*self.velocity, self.energy, self.rate)

    @property
    def prescribes(self) -> dict[str, tuple[str, Quantity]]:
        shear = {f"{name}_shear": (name, Quantity.OTHER) for name in self.velocity}
        turbulence = {
            f"{self.energy}_n": (self.energy, Quantity.SLOPE),
            self.rate: (self.rate, Quantity.VALUE),
        }
        return {"normal": (self.velocity[0], Quantity.OTHER)} | shear | turbulence

    def hard_form(self, field: str) -> HardForm | None:
        return None

    def residuals(self, pde: PDE) -> dict[str, sympy.Expr]:
        model = unsourced(pde)
        if not isinstance(model, KEpsilon | KOmega):
            raise EquationError(
                f"WallFunction on {self.part!r} is a condition for KEpsilon or KOmega, got "
                f"{type(model).__name__}; use NoSlip"
            )
        n, components = normal_symbols(pde.spatial), vector(self, pde, self.velocity)
        k, rate = pde.field(self.energy), pde.field(self.rate)
        rho, mu, C_mu = model.coefficient_values()[:3]
        kappa, d = pde.expression(self.karman, "karman"), pde.expression(self.distance, "distance")
        across = dot(components, n)
        along = [u - across * n_i for u, n_i in zip(components, n, strict=True)]
        scale = sympy.sqrt(sympy.sqrt(C_mu)) * sympy.sqrt(sympy.Abs(k))
        u_plus = wall_velocity(rho * scale * d / mu, self.karman, self.intercept)
        effective = mu + model.derived()["eddy_viscosity"]
        stress = {
            f"{name}_shear": effective * normal_derivative(u, pde) + rho * scale * u / u_plus
            for name, u in zip(self.velocity, along, strict=True)
        }
        balance = {
            KEpsilon: scale**3 / (kappa * d),
            KOmega: scale / (sympy.sqrt(C_mu) * kappa * d),
        }
        turbulence = {
            f"{self.energy}_n": normal_derivative(k, pde),
            self.rate: rate - balance[type(model)],
        }
        return {"normal": across} | stress | turbulence

"""The thin elastic plate of Kirchhoff."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError

from ..coefficients import Coefficient
from ..declarations import coefficient
from ..operators import biharmonic, dot, grad
from ..pde import CURVATURE, PDE, normal_symbols, space
from .manufactured import smooth

Normal = Sequence[sympy.Expr | float]


@final
@dataclass(frozen=True)
class KirchhoffPlate(PDE):
    """D (w_xxxx + 2 w_xxyy + w_yyyy) = q, the bending of a thin plate.

    The residual ``plate`` is D biharmonic(w) - q [N/m^2]. Where D varies it is the equilibrium
    -(M_x,xx + 2 M_xy,xy + M_y,yy) - q, which is the same for constant D.

    Parameters
    ----------
    rigidity
        D = E h^3 / (12 (1 - nu^2)) [N m], positive.
    poisson_ratio
        nu [-], a number in (-1, 1).
    load
        q, positive in the direction of w [N/m^2].

    Raises
    ------
    EquationError
        If a coefficient is not finite, D is not positive or nu is out of range.

    References
    ----------
    Timoshenko and Woinowsky-Krieger (1959), Theory of Plates and Shells, chapter 4.

    Examples
    --------
    >>> KirchhoffPlate(rigidity=1, poisson_ratio=0.3, load="sin(pi*x)").order
    4
    """

    rigidity: Coefficient = coefficient("D", "N m", 1.0, "bending rigidity", positive=True)
    poisson_ratio: Coefficient = coefficient(
        "nu", "-", 0.3, "Poisson's ratio", between=(-1, 1), constant=True
    )
    load: Coefficient = coefficient("q", "N/m^2", 1.0, "load per unit area")

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return space(2)

    @property
    def w(self) -> AppliedUndef:
        """Deflection w(x, y) [m]."""
        return sympy.Function("w")(*self.coordinates)

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return (self.w,)

    def residuals(self) -> dict[str, sympy.Expr]:
        D, _, q = self.coefficient_values()
        if D.has(*self.coordinates):
            x, y = self.coordinates
            m = self._moments()
            equilibrium = m["M_x"].diff(x, 2) + 2 * m["M_xy"].diff(x, y) + m["M_y"].diff(y, 2)
            return {"plate": -equilibrium - q}
        return {"plate": D * biharmonic(self.w, self.coordinates) - q}

    def derived(self) -> dict[str, sympy.Expr]:
        """Return the moments M_x, M_y, M_xy and shear forces Q_x, Q_y per unit length.

        M_x = -D (w_xx + nu w_yy), M_y = -D (w_yy + nu w_xx), M_xy = -D (1 - nu) w_xy,
        Q_x = M_x,x + M_xy,y, Q_y = M_xy,x + M_y,y; for constant D, Q = -D grad(laplacian(w)).
        """
        x, y = self.coordinates
        m = self._moments()
        shear = {
            "Q_x": m["M_x"].diff(x) + m["M_xy"].diff(y),
            "Q_y": m["M_xy"].diff(x) + m["M_y"].diff(y),
        }
        return m | {name: sympy.expand(q) for name, q in shear.items()}

    def units(self) -> dict[str, str]:
        lengths = dict.fromkeys(("x", "y", "w"), "m")
        return lengths | dict.fromkeys(("M_x", "M_y", "M_xy"), "N") | {"Q_x": "N/m", "Q_y": "N/m"}

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)

    def slope(self, normal: Normal | None = None) -> sympy.Expr:
        """Return w_n, the derivative along the outward normal [-]."""
        return dot(grad(self.w, self.coordinates), self._normal(normal))

    def normal_moment(self, normal: Normal | None = None) -> sympy.Expr:
        """Return M_n = M_x n_x^2 + M_y n_y^2 + 2 M_xy n_x n_y [N].

        Parameters
        ----------
        normal
            Outward unit normal; by default the symbols n_x, n_y.
        """
        n, m = self._normal(normal), self._moments()
        return m["M_x"] * n[0] ** 2 + m["M_y"] * n[1] ** 2 + 2 * m["M_xy"] * n[0] * n[1]

    def twisting_moment(self, normal: Normal | None = None) -> sympy.Expr:
        """Return M_ns = (M_y - M_x) n_x n_y + M_xy (n_x^2 - n_y^2) [N], with s = (-n_y, n_x)."""
        n, m = self._normal(normal), self._moments()
        return (m["M_y"] - m["M_x"]) * n[0] * n[1] + m["M_xy"] * (n[0] ** 2 - n[1] ** 2)

    def shear_force(self, normal: Normal | None = None) -> sympy.Expr:
        """Return Q_n = Q_x n_x + Q_y n_y [N/m]."""
        derived = self.derived()
        return dot((derived["Q_x"], derived["Q_y"]), self._normal(normal))

    def effective_shear(
        self, normal: Normal | None = None, curvature: sympy.Expr | float = CURVATURE
    ) -> sympy.Expr:
        """Return V_n = Q_n + dM_ns/ds [N/m].

        Along an edge of curvature kappa the normal turns, dn/ds = kappa s, so that
        dM_ns/ds = s . grad(M_ns) at fixed n - kappa (M_n - M_s), with M_n + M_s = M_x + M_y.

        Parameters
        ----------
        normal
            Outward unit normal; by default the symbols n_x, n_y.
        curvature
            kappa [1/m]: 0 on a straight edge, 1/R on a circle; by default the symbol ``kappa``.
        """
        n, m = self._normal(normal), self._moments()
        along = dot(grad(self.twisting_moment(n), self.coordinates), (-n[1], n[0]))
        turn = curvature * (2 * self.normal_moment(n) - m["M_x"] - m["M_y"])
        return self.shear_force(n) + along - turn

    def corner_force(self, before: Normal, after: Normal) -> sympy.Expr:
        """Return R = M_ns(after) - M_ns(before) [N], the force of a corner.

        Parameters
        ----------
        before, after
            Unit normals of the edges that meet, in counter-clockwise order; at a right corner
            with sides along the axes |R| = 2 |M_xy|.
        """
        return self.twisting_moment(after) - self.twisting_moment(before)

    def _normal(self, normal: Normal | None) -> tuple[sympy.Expr, ...]:
        chosen = normal_symbols(self.coordinates) if normal is None else tuple(normal)
        if len(chosen) != 2:
            raise EquationError(f"a plate's normal has two components, got {len(chosen)}")
        return tuple(map(sympy.sympify, chosen))

    def _moments(self) -> dict[str, sympy.Expr]:
        D, nu, _ = self.coefficient_values()
        (x, y), w = self.coordinates, self.w
        return {
            "M_x": -D * (w.diff(x, 2) + nu * w.diff(y, 2)),
            "M_y": -D * (w.diff(y, 2) + nu * w.diff(x, 2)),
            "M_xy": -D * (1 - nu) * w.diff(x, y),
        }

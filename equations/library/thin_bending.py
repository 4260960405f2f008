"""What thin beams and plates have in common: slopes, moments and forces at an edge."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from itertools import product
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError

from ..operators import dot, grad
from ..pde import CURVATURE, PDE, normal_symbols

Normal = Sequence[sympy.Expr | float]
Tensor = tuple[tuple[sympy.Expr, ...], ...]


class ThinBending(PDE):
    """A beam or plate that bends without shear deformation, with the deflection w as first field.

    An equation states its tensor of moments and that of the forces along it; what edges need
    follows here, for beams too, whose normals are 1 and -1.

    References
    ----------
    Timoshenko and Woinowsky-Krieger (1959), Theory of Plates and Shells, chapter 4.
    """

    @abstractmethod
    def moments(self) -> Tensor:
        """Return the rows of the moment tensor, such as ((M_x, M_xy), (M_xy, M_y)) [N]."""

    @abstractmethod
    def membrane_forces(self) -> Tensor:
        """Return the rows of the tensor of forces along it, positive in tension [N/m]."""

    @final
    @property
    def w(self) -> AppliedUndef:
        """Deflection w [m]."""
        return self.fields[0]

    @final
    def slope(self, normal: Normal | None = None) -> sympy.Expr:
        """Return w_n, the derivative along the outward normal [-]."""
        return dot(grad(self.w, self.spatial), self._normal(normal))

    @final
    def normal_moment(self, normal: Normal | None = None) -> sympy.Expr:
        """Return M_n = M_x n_x^2 + M_y n_y^2 + 2 M_xy n_x n_y [N].

        Parameters
        ----------
        normal
            Outward unit normal; by default the symbols n_x, n_y.
        """
        n, m = self._normal(normal), self.moments()
        return sum(m[i][j] * n[i] * n[j] for i, j in product(range(len(n)), repeat=2))

    @final
    def twisting_moment(self, normal: Normal | None = None) -> sympy.Expr:
        """Return M_ns = (M_y - M_x) n_x n_y + M_xy (n_x^2 - n_y^2) [N], with s = (-n_y, n_x).

        Zero for a beam.
        """
        n, m = self._normal(normal), self.moments()
        if len(n) == 1:
            return sympy.Integer(0)
        return (m[1][1] - m[0][0]) * n[0] * n[1] + m[0][1] * (n[0] ** 2 - n[1] ** 2)

    @final
    def shear_forces(self) -> tuple[sympy.Expr, ...]:
        """Return Q_x = M_x,x + M_xy,y, Q_y = M_xy,x + M_y,y [N/m]."""
        X = self.spatial
        return tuple(
            sympy.expand(sum(m.diff(x) for m, x in zip(row, X, strict=True)))
            for row in self.moments()
        )

    @final
    def shear_force(self, normal: Normal | None = None) -> sympy.Expr:
        """Return Q_n = Q_x n_x + Q_y n_y [N/m]."""
        return dot(self.shear_forces(), self._normal(normal))

    @final
    def effective_shear(
        self, normal: Normal | None = None, curvature: sympy.Expr | float = CURVATURE
    ) -> sympy.Expr:
        """Return V_n = Q_n + dM_ns/ds + n . N grad(w) [N/m], N the tensor of forces along it.

        It is what the edge carries in the direction of w, and natural where w is free. Along an
        edge of curvature kappa the normal turns, dn/ds = kappa s, so that
        dM_ns/ds = s . grad(M_ns) at fixed n - kappa (M_n - M_s), with M_n + M_s = M_x + M_y.

        Parameters
        ----------
        normal
            Outward unit normal; by default the symbols n_x, n_y.
        curvature
            kappa [1/m]: 0 on a straight edge, 1/R on a circle; by default the symbol ``kappa``.
        """
        n, X = self._normal(normal), self.spatial
        slopes = grad(self.w, X)
        forces = dot(n, [dot(row, slopes) for row in self.membrane_forces()])
        shear = self.shear_force(n) + forces
        if len(n) == 1:
            return shear
        m = self.moments()
        along = dot(grad(self.twisting_moment(n), X), (-n[1], n[0]))
        return shear + along - curvature * (2 * self.normal_moment(n) - m[0][0] - m[1][1])

    @final
    def corner_force(self, before: Normal, after: Normal) -> sympy.Expr:
        """Return R = M_ns(after) - M_ns(before) [N], the force of a corner.

        Parameters
        ----------
        before, after
            Unit normals of the edges that meet, in counter-clockwise order; at a right corner
            with sides along the axes |R| = 2 |M_xy|.
        """
        return self.twisting_moment(after) - self.twisting_moment(before)

    @final
    def plate_quantities(self) -> dict[str, sympy.Expr]:
        """Return the moments M_x, M_y, M_xy [N] and shear forces Q_x, Q_y [N/m] of a plate."""
        (M_x, M_xy), (_, M_y) = self.moments()
        Q_x, Q_y = self.shear_forces()
        return {"M_x": M_x, "M_y": M_y, "M_xy": M_xy, "Q_x": Q_x, "Q_y": Q_y}

    @final
    def _normal(self, normal: Normal | None) -> tuple[sympy.Expr, ...]:
        chosen = normal_symbols(self.spatial) if normal is None else tuple(normal)
        if len(chosen) != len(self.spatial):
            raise EquationError(
                f"{type(self).__name__}: a normal has {len(self.spatial)} components, "
                f"got {len(chosen)}"
            )
        return tuple(map(sympy.sympify, chosen))


def isotropic_moments(
    rigidity: sympy.Expr, poisson_ratio: sympy.Expr, w: sympy.Expr, X: Sequence[sympy.Symbol]
) -> Tensor:
    """Return M_x = -D (w_xx + nu w_yy), M_y = -D (w_yy + nu w_xx), M_xy = -D (1 - nu) w_xy."""
    (x, y), D, nu = X, rigidity, poisson_ratio
    M_xy = -D * (1 - nu) * w.diff(x, y)
    M_x = -D * (w.diff(x, 2) + nu * w.diff(y, 2))
    M_y = -D * (w.diff(y, 2) + nu * w.diff(x, 2))
    return (M_x, M_xy), (M_xy, M_y)


def uniform(force: sympy.Expr) -> Tensor:
    """Return the tensor of a force that is equal in all directions of a plate."""
    zero = sympy.Integer(0)
    return (force, zero), (zero, force)


PLATE_UNITS = dict.fromkeys(("M_x", "M_y", "M_xy"), "N") | dict.fromkeys(("Q_x", "Q_y"), "N/m")
"""Units of `ThinBending.plate_quantities`."""

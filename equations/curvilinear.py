"""Vector calculus in orthogonal curvilinear coordinates, by scale factors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import final

import sympy

from sciml.framework.errors import EquationError

from .operators import Vector
from .parser import parse_expression


@final
@dataclass(frozen=True)
class CoordinateSystem:
    """Orthogonal coordinates q_i with scale factors h_i = abs(dx/dq_i), the Lame coefficients.

    Vectors have physical components, along unit vectors e_i = (dx/dq_i)/h_i. With one formula per
    operator, J = h_1 ... h_d, it does not matter which coordinates these are.

    Parameters
    ----------
    coordinates
        Symbols q_1, ..., q_d, d at most 3; they are right-handed.
    scale_factors
        h_1, ..., h_d, positive in the domain.
    position
        Cartesian coordinates of the point.

    Raises
    ------
    EquationError
        If the numbers of coordinates and of scale factors differ, or there are more than three.

    References
    ----------
    Arfken, Weber and Harris (2013), Mathematical Methods for Physicists, section 3.10.
    """

    coordinates: tuple[sympy.Symbol, ...]
    scale_factors: tuple[sympy.Expr, ...]
    position: tuple[sympy.Expr, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.coordinates) <= 3:
            raise EquationError(
                f"a coordinate system has 1 to 3 coordinates, got {len(self.coordinates)}"
            )
        if len(self.scale_factors) != len(self.coordinates):
            raise EquationError(
                f"{len(self.coordinates)} coordinates need as many scale factors, "
                f"got {len(self.scale_factors)}"
            )

    @property
    def volume(self) -> sympy.Expr:
        """J = h_1 ... h_d, the volume per volume of coordinates."""
        return sympy.prod(self.scale_factors)

    def grad(self, f: sympy.Expr) -> Vector:
        """Return the gradient, (df/dq_i)/h_i.

        Examples
        --------
        >>> r, theta = POLAR.coordinates
        >>> POLAR.grad(r**2 * theta)
        (2*r*theta, r)
        """
        return tuple(sympy.diff(f, q) / h for q, h in self._axes())

    def div(self, v: Sequence[sympy.Expr]) -> sympy.Expr:
        """Return the divergence, the sum of d(J v_i/h_i)/dq_i, over J.

        Raises
        ------
        EquationError
            If the vector has another number of components than there are coordinates.
        """
        self._check("div", v)
        J = self.volume
        terms = [sympy.diff(J / h * c, q) for c, (q, h) in zip(v, self._axes(), strict=True)]
        return sympy.Add(*(sympy.expand(term / J) for term in terms))

    def curl(self, v: Sequence[sympy.Expr]) -> Vector:
        """Return the curl; (curl v)_1 = (d(h_3 v_3)/dq_2 - d(h_2 v_2)/dq_3)/(h_2 h_3).

        In two dimensions it is the one component along the normal of the plane.

        Raises
        ------
        EquationError
            If the vector does not fit, or there is one coordinate only.
        """
        self._check("curl", v)
        if len(v) == 1:
            raise EquationError("curl: expected two or three coordinates, got one")
        pairs = ((0, 1),) if len(v) == 2 else ((1, 2), (2, 0), (0, 1))
        return tuple(self._circulation(v, i, j) for i, j in pairs)

    def laplacian(self, f: sympy.Expr) -> sympy.Expr:
        """Return the Laplacian, div(grad(f)).

        Examples
        --------
        >>> r = SPHERICAL.coordinates[0]
        >>> SPHERICAL.laplacian(sympy.Function("u")(r))
        Derivative(u(r), (r, 2)) + 2*Derivative(u(r), r)/r
        """
        return self.div(self.grad(f))

    def vector_laplacian(self, v: Sequence[sympy.Expr]) -> Vector:
        """Return grad(div(v)) - curl(curl(v)), which in Cartesian coordinates acts by components.

        Raises
        ------
        EquationError
            If the vector has another number of components than there are coordinates.
        """
        gradient = self.grad(self.div(v))
        if len(v) == 1:
            twice: Vector = (sympy.Integer(0),)
        elif len(v) == 3:
            twice = self.curl(self.curl(v))
        else:
            # The curl of c e_3, with h_3 = 1.
            (c,) = self.curl(v)
            (p, h), (q, k) = self._axes()
            twice = (sympy.diff(c, q) / k, -sympy.diff(c, p) / h)
        return tuple(sympy.expand(a - b) for a, b in zip(gradient, twice, strict=True))

    def advection(self, v: Sequence[sympy.Expr], f: Sequence[sympy.Expr] | sympy.Expr) -> Vector:
        """Return (v . grad) f by components, of a vector or of a scalar (one component).

        For a vector a it is, in component i, the sum over j of
        v_j/h_j da_i/dq_j + a_j (v_i dh_i/dq_j - v_j dh_j/dq_i)/(h_i h_j).

        Raises
        ------
        EquationError
            If a vector does not fit.
        """
        self._check("advection", v)
        if isinstance(f, sympy.Expr):
            return (self._along(v, f),)
        self._check("advection", f)
        axes = list(self._axes())
        result = []
        for i, (p, h) in enumerate(axes):
            turns = [
                f[j] * (v[i] * sympy.diff(h, q) - v[j] * sympy.diff(k, p)) / (h * k)
                for j, (q, k) in enumerate(axes)
                if j != i
            ]
            result.append(sympy.Add(self._along(v, f[i]), *turns))
        return tuple(result)

    def _along(self, v: Sequence[sympy.Expr], f: sympy.Expr) -> sympy.Expr:
        return sympy.Add(*(a * b for a, b in zip(v, self.grad(f), strict=True)))

    def _circulation(self, v: Sequence[sympy.Expr], i: int, j: int) -> sympy.Expr:
        h, q = self.scale_factors, self.coordinates
        around = sympy.diff(h[j] * v[j], q[i]) - sympy.diff(h[i] * v[i], q[j])
        return sympy.expand(around / (h[i] * h[j]))

    def _axes(self) -> zip[tuple[sympy.Symbol, sympy.Expr]]:
        return zip(self.coordinates, self.scale_factors, strict=True)

    def _check(self, operator: str, v: Sequence[sympy.Expr]) -> None:
        if len(v) != len(self.coordinates):
            raise EquationError(
                f"{operator}: expected {len(self.coordinates)} components, along "
                f"{', '.join(map(str, self.coordinates))}, got {len(v)}"
            )


def _system(words: str, factors: Sequence[str], position: Sequence[str]) -> CoordinateSystem:
    q = sympy.symbols(words, seq=True)
    read = [tuple(parse_expression(text, q) for text in texts) for texts in (factors, position)]
    return CoordinateSystem(q, *read)


CARTESIAN = _system("x y z", ("1", "1", "1"), ("x", "y", "z"))
"""Coordinates x, y, z."""

POLAR = _system("r theta", ("1", "r"), ("r*cos(theta)", "r*sin(theta)"))
"""Distance r > 0 from the origin and angle theta from the x axis, in the plane."""

CYLINDRICAL = _system("r theta z", ("1", "r", "1"), ("r*cos(theta)", "r*sin(theta)", "z"))
"""Distance r > 0 from the z axis, angle theta about it from the x axis, and z."""

SPHERICAL = _system(
    "r theta phi",
    ("1", "r", "r*sin(theta)"),
    ("r*sin(theta)*cos(phi)", "r*sin(theta)*sin(phi)", "r*cos(theta)"),
)
"""Distance r > 0 from the origin, angle 0 < theta < pi from the z axis, longitude phi."""

COORDINATE_SYSTEMS: Mapping[str, CoordinateSystem] = MappingProxyType(
    {
        "cartesian": CARTESIAN,
        "polar": POLAR,
        "cylindrical": CYLINDRICAL,
        "spherical": SPHERICAL,
    }
)

"""Integral terms: all nodes of a quadrature in one evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy

import sciml.framework as framework
from sciml.framework.errors import EquationError

from .tape import Tape

if TYPE_CHECKING:
    from .lowering import LoweredResidual


@dataclass(frozen=True)
class Quadrature:
    """The integral over s from a to b of (b - s)^beta (s - a)^gamma g(s), by Gauss-Jacobi nodes.

    With s = (a + b)/2 + xi (b - a)/2 it is ((b - a)/2)^(1 + beta + gamma) times the sum of
    w_j g(s_j). It is exact if g is a polynomial in s of degree 2 m - 1, and converges faster than
    any power of m if g is smooth.

    Parameters
    ----------
    variable
        Name of s, a parameter of the integrand.
    limits
        Operations from columns and parameters to a and b.
    integrand
        g, evaluated once, at all points and all nodes.
    nodes, weights
        xi_j and w_j on (-1, 1).
    power
        1 + beta + gamma.

    References
    ----------
    Davis and Rabinowitz (1984), Methods of Numerical Integration, section 2.7.
    """

    variable: str
    limits: Tape
    integrand: LoweredResidual
    nodes: tuple[float, ...]
    weights: tuple[float, ...]
    power: float

    def __call__(self, fields: Mapping[str, Any], X: Any, arrays: Mapping[str, Any]) -> Any:
        """Return the integral at each point, shape (n,)."""
        m, n = len(self.nodes), X.shape[0]
        zero = framework.zeros_like(X[:, 0])
        columns = [X[:, i] for i in range(X.shape[1])]
        a, b = (zero + limit for limit in self.limits([*columns, *arrays.values()]))
        half, middle = (b - a) / 2, ((a + b) / 2)[None, :]
        xi = np.array(self.nodes, zero.dtype)[:, None]
        w = np.array(self.weights, zero.dtype)[:, None]
        tiled = {name: self._tile(value, m) for name, value in arrays.items()}
        tiled[self.variable] = framework.reshape(middle + xi * half[None, :], (m * n,))
        (values,) = self.integrand(fields, self._tile(X, m), **tiled).values()
        total = (w * framework.reshape(values, (m, n))).sum(axis=0)
        return total * (half if self.power == 1 else half**self.power)

    @staticmethod
    def _tile(value: Any, m: int) -> Any:
        if isinstance(value, float) or value.shape == ():
            return value
        copies = framework.broadcast_to(value, (m, *value.shape))
        return framework.reshape(copies, (m * value.shape[0], *value.shape[1:]))


def gauss_jacobi(nodes: int, beta: float, gamma: float) -> tuple[tuple[float, ...], ...]:
    """Return nodes and weights on (-1, 1) for the weight (1 - xi)^beta (1 + xi)^gamma.

    Raises
    ------
    EquationError
        If there are no nodes.

    Examples
    --------
    >>> gauss_jacobi(1, 0, 0)
    ((0.0,), (2.0,))
    """
    if nodes < 1:
        raise EquationError(f"an integral needs at least one quadrature node, got nodes={nodes}")
    if beta == gamma == 0:
        xi, w = np.polynomial.legendre.leggauss(nodes)
    else:
        from scipy.special import roots_jacobi

        xi, w = roots_jacobi(nodes, beta, gamma)
    return tuple(map(float, xi)), tuple(map(float, w))


def split_weights(
    name: str, integrand: sympy.Expr, s: sympy.Symbol, a: sympy.Expr, b: sympy.Expr
) -> dict[tuple[sympy.Expr, sympy.Expr], sympy.Expr]:
    """Return the integrand as a sum: from (beta, gamma) to g of the terms with this weight.

    Factors (b - s)^beta and (s - a)^gamma that are not polynomials become weights, also out of
    powers of polynomials that vanish at a limit, such as (b^2 - s^2)^beta.

    Raises
    ------
    EquationError
        If a factor has an exponent of at most -1, so that the integral diverges, or one that is
        not a number, or a power is singular at a limit in another way.

    Examples
    --------
    >>> s, t = sympy.symbols("s t")
    >>> split_weights("r", sympy.sin(s) / sympy.sqrt(t - s), s, 0, t)
    {(-1/2, 0): sin(s)}
    """
    ends = (b - s, s - a)
    found: dict[tuple[sympy.Expr, sympy.Expr], sympy.Expr] = {}
    for term in sympy.Add.make_args(integrand):
        exponents = [sympy.Integer(0), sympy.Integer(0)]
        smooth = []
        for factor in sympy.Mul.make_args(term):
            base, exponent = factor.as_base_exp()
            if not (exponent.is_Integer and exponent > 0) and not isinstance(factor, sympy.exp):
                for i, (end, limit) in enumerate(zip(ends, (b, a), strict=True)):
                    if sympy.expand(base.subs(s, limit)) == 0:
                        base = _divided(name, factor, base, end, s)
                        exponents[i] += _number(name, factor, exponent, s, limit)
            smooth.append(base**exponent)
        if min(exponents) <= -1:
            raise EquationError(
                f"{name!r} holds the integral of {term} in {s}, which diverges at a limit: the "
                f"exponents there must be above -1, got {min(exponents)}"
            )
        key = (exponents[0], exponents[1])
        found[key] = found.get(key, sympy.Integer(0)) + sympy.Mul(*smooth)
    return found


def _divided(
    name: str, factor: sympy.Expr, base: sympy.Expr, end: sympy.Expr, s: sympy.Symbol
) -> sympy.Expr:
    """Return base/end, which must not vanish where end does."""
    quotient = sympy.cancel(base / end) if base.is_polynomial(s) else sympy.Integer(0)
    limit = sympy.solve(end, s)[0]
    if sympy.expand(quotient.subs(s, limit)) == 0:
        raise EquationError(
            f"{name!r} holds the factor {factor} in an integral, singular at {s} = {limit} in a "
            f"way that quadrature misses; expected a power of {end} times a smooth factor"
        )
    return quotient


def _number(
    name: str, factor: sympy.Expr, exponent: sympy.Expr, s: sympy.Symbol, limit: sympy.Expr
) -> sympy.Expr:
    if not exponent.is_number:
        raise EquationError(
            f"{name!r} holds the factor {factor} in an integral, singular at {s} = {limit}; its "
            "exponent must be a number"
        )
    return exponent

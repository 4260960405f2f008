"""Fractional derivatives, as integrals that lowering evaluates by Gauss-Jacobi quadrature."""

from __future__ import annotations

import math
from typing import TypeAlias

import sympy

from sciml.framework.errors import EquationError

_Number: TypeAlias = float | sympy.Expr


def caputo(u: sympy.Expr, t: sympy.Symbol, order: _Number, start: _Number = 0) -> sympy.Expr:
    """Return the Caputo derivative of order alpha in t.

    With n the least integer not below alpha it is the integral over s from the start to t of
    (t - s)^(n - 1 - alpha) d^n u/ds^n, over Gamma(n - alpha); for alpha = n it is d^n u/dt^n.
    Unlike the derivative of Riemann and Liouville it vanishes for constants.

    Parameters
    ----------
    u
        Field or expression.
    t
        Coordinate.
    order
        alpha, positive.
    start
        Where memory begins; points lie beyond it.

    Raises
    ------
    EquationError
        If the order is not a positive number.

    References
    ----------
    Podlubny (1999), Fractional Differential Equations, section 2.4.1.

    Examples
    --------
    >>> t = sympy.Symbol("t")
    >>> caputo(sympy.Function("u")(t), t, 1)
    Derivative(u(t), t)
    """
    alpha, n = _order("caputo", order)
    derivative = sympy.diff(u, t, n)
    if alpha == n:
        return derivative
    s = sympy.Symbol(f"{t}'")
    kernel = (t - s) ** (n - 1 - alpha)
    return sympy.Integral(kernel * derivative.subs(t, s), (s, start, t)) / sympy.gamma(n - alpha)


def riesz(
    u: sympy.Expr, x: sympy.Symbol, order: _Number, interval: tuple[_Number, _Number]
) -> sympy.Expr:
    """Return the Riesz derivative of order alpha in x on an interval, -(-d^2/dx^2)^(alpha/2).

    It is -(L + R)/(2 cos(pi alpha/2)), with L and R the derivatives of Riemann and Liouville from
    the left end a and the right end b; u is taken as zero outside. L is the Caputo derivative from
    a and the sum over k < n of u^(k)(a) (x - a)^(k - alpha)/Gamma(k + 1 - alpha), and R likewise,
    so that it is infinite at an end where u does not vanish.

    Parameters
    ----------
    u
        Field or expression.
    x
        Coordinate.
    order
        alpha in (0, 2], not 1.
    interval
        Ends a and b.

    Raises
    ------
    EquationError
        If the order is not a number in (0, 2], or is 1.

    References
    ----------
    Podlubny (1999), Fractional Differential Equations, sections 2.3 and 2.4. Samko, Kilbas and
    Marichev (1993), Fractional Integrals and Derivatives, section 25.
    """
    alpha, n = _order("riesz", order)
    if alpha > 2 or alpha == 1:
        raise EquationError(f"riesz: the order must be in (0, 2] and not 1, got {order}")
    if alpha == 2:
        return sympy.diff(u, x, 2)
    a, b = interval
    s = sympy.Symbol(f"{x}'")
    mirrored = (
        (-1) ** n
        * sympy.Integral((s - x) ** (n - 1 - alpha) * sympy.diff(u, x, n).subs(x, s), (s, x, b))
        / sympy.gamma(n - alpha)
    )
    ends = sympy.Integer(0)
    for k in range(n):
        derivative = sympy.diff(u, x, k)
        left = derivative.subs(x, a) * (x - a) ** (k - alpha)
        right = (-1) ** k * derivative.subs(x, b) * (b - x) ** (k - alpha)
        ends += (left + right) / sympy.gamma(k + 1 - alpha)
    return -(ends + caputo(u, x, alpha, a) + mirrored) / (2 * sympy.cos(sympy.pi * alpha / 2))


def _order(name: str, order: _Number) -> tuple[sympy.Rational, int]:
    number = sympy.sympify(order)
    if not (number.is_number and number.is_finite and number > 0):
        raise EquationError(f"{name}: the order must be a positive number, got {order}")
    # The shortest decimal is what was meant: 0.3 is 3/10.
    alpha = number if number.is_Rational else sympy.Rational(repr(float(number)))
    return alpha, math.ceil(alpha)

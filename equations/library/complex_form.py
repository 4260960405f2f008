"""A complex equation as two real ones."""

from __future__ import annotations

import sympy

from sciml.framework.errors import EquationError


def parts(expression: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """Return real and imaginary part of a polynomial in i whose other factors are all real.

    Parameters
    ----------
    expression
        Written with ``u + sympy.I * v`` for a complex field of real fields u and v.

    Raises
    ------
    EquationError
        If the imaginary unit remains in either part, for example inside a function.

    Examples
    --------
    >>> u, v = sympy.symbols("u v")
    >>> parts((u + sympy.I * v) ** 2)
    (u**2 - v**2, 2*u*v)
    """
    expanded = sympy.expand(expression.doit())
    imaginary = expanded.coeff(sympy.I)
    real = sympy.expand(expanded - sympy.I * imaginary)
    if real.has(sympy.I) or imaginary.has(sympy.I):
        raise EquationError(
            f"real and imaginary part of {expression} do not separate; expected a polynomial in "
            "the imaginary unit with real coefficients"
        )
    return real, imaginary

"""A complex equation as two real ones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from types import MappingProxyType

import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError

from .functions import over_the_reals

Pair = tuple[sympy.Expr, sympy.Expr]

_ZERO = sympy.Integer(0)


def part_names(name: str) -> tuple[str, str]:
    """Return the names of real and imaginary part.

    Examples
    --------
    >>> part_names("psi")
    ('psi_re', 'psi_im')
    """
    return f"{name}_re", f"{name}_im"


def parts(expression: sympy.Expr, complex_fields: Collection[str] = ()) -> Pair:
    """Return real and imaginary part of an expression in real symbols and fields.

    Parameters
    ----------
    expression
        Sums, products, integer powers, derivatives, integrals, exp, sin, cos, sinh, cosh,
        conjugate, re, im and Abs of complex expressions, and any function of real ones.
    complex_fields
        Names of fields psi that stand for psi_re + i psi_im (`part_names`); all other symbols and
        fields are real.

    Raises
    ------
    EquationError
        If real and imaginary part of a term are not known.

    Examples
    --------
    >>> u, v = sympy.symbols("u v")
    >>> parts((u + sympy.I * v) ** 2)
    (u**2 - v**2, 2*u*v)
    >>> psi = sympy.Function("psi")(u)
    >>> parts(sympy.I * psi.diff(u), ["psi"])
    (-Derivative(psi_im(u), u), Derivative(psi_re(u), u))
    """

    def is_real(e: sympy.Expr) -> bool:
        if any(p.is_number and p.is_extended_real is False for p in sympy.preorder_traversal(e)):
            return False
        return not any(f.func.__name__ in complex_fields for f in e.atoms(AppliedUndef))

    def split(e: sympy.Expr) -> Pair:
        if is_real(e):
            return over_the_reals(e), _ZERO
        if e.is_number:  # also roots such as (-1)**(1/3), which do not show an I
            re, im = e.as_real_imag()
            return re, im
        if isinstance(e, AppliedUndef):
            re, im = (sympy.Function(n)(*e.args) for n in part_names(e.func.__name__))
            return re, im
        if isinstance(e, sympy.Add):
            re, im = zip(*map(split, e.args), strict=True)
            return sympy.Add(*re), sympy.Add(*im)
        if isinstance(e, sympy.Mul):
            return _product([split(a) for a in e.args])
        if isinstance(e, sympy.Pow):
            return power(e)
        if isinstance(e, sympy.Derivative):
            re, im = split(e.expr)
            return re.diff(*e.variable_count), im.diff(*e.variable_count)
        if isinstance(e, sympy.Subs):
            re, im = split(e.expr)
            return sympy.Subs(re, e.variables, e.point), sympy.Subs(im, e.variables, e.point)
        if isinstance(e, sympy.Integral) and all(is_real(a) for limit in e.limits for a in limit):
            re, im = split(e.function)
            return sympy.Integral(re, *e.limits), sympy.Integral(im, *e.limits)
        if len(e.args) == 1:
            a, b = split(e.args[0])
            if b == 0:
                return over_the_reals(e.func(a)), _ZERO
            if e.func in _FUNCTIONS:
                return _FUNCTIONS[e.func](a, b)
        raise unknown(e)

    def power(e: sympy.Pow) -> Pair:
        (a, b), n = split(e.base), e.exp
        if b == 0 and is_real(n):
            return a**n, _ZERO
        if not n.is_Integer:
            if b == 0 and a.is_positive:
                return split(sympy.exp(n * sympy.log(a), evaluate=False))
            raise unknown(e)
        if n.is_negative:
            square = a**2 + b**2
            a, b, n = a / square, -b / square, -n
        terms = [sympy.binomial(n, k) * a ** (n - k) * b**k for k in range(int(n) + 1)]
        signs = [(-1) ** (k // 2) for k in range(int(n) + 1)]
        signed = [s * t for s, t in zip(signs, terms, strict=True)]
        return sympy.Add(*signed[::2]), sympy.Add(*signed[1::2])

    def unknown(e: sympy.Expr) -> EquationError:
        names = ", ".join(sorted(f.__name__ for f in _FUNCTIONS))
        return EquationError(
            f"real and imaginary part of {e} do not separate; expected sums, products, integer "
            f"powers, derivatives and {names} of complex terms"
        )

    real, imaginary = split(sympy.sympify(expression).doit(integrals=False))
    return real, _ZERO if sympy.expand(imaginary) == 0 else imaginary


def _product(factors: list[Pair]) -> Pair:
    plain = sympy.Mul(*(a for a, b in factors if b == 0))
    real, imaginary = sympy.Integer(1), _ZERO
    for a, b in factors:
        if b != 0:
            real, imaginary = real * a - imaginary * b, real * b + imaginary * a
    # Terms, not nested products, so that what cancels does so.
    return sympy.expand_mul(plain * real), sympy.expand_mul(plain * imaginary)


def _modulus(a: sympy.Expr, b: sympy.Expr) -> sympy.Expr:
    return sympy.sqrt(a**2 + b**2)


_FUNCTIONS: Mapping[type, Callable[[sympy.Expr, sympy.Expr], Pair]] = MappingProxyType(
    {
        sympy.Abs: lambda a, b: (_modulus(a, b), _ZERO),
        sympy.conjugate: lambda a, b: (a, -b),
        sympy.re: lambda a, b: (a, _ZERO),
        sympy.im: lambda a, b: (b, _ZERO),
        sympy.sign: lambda a, b: (a / _modulus(a, b), b / _modulus(a, b)),
        sympy.exp: lambda a, b: (sympy.exp(a) * sympy.cos(b), sympy.exp(a) * sympy.sin(b)),
        sympy.sin: lambda a, b: (
            sympy.sin(a) * sympy.cosh(b), sympy.cos(a) * sympy.sinh(b),
        ),
        sympy.cos: lambda a, b: (
            sympy.cos(a) * sympy.cosh(b), -sympy.sin(a) * sympy.sinh(b),
        ),
        sympy.sinh: lambda a, b: (
            sympy.sinh(a) * sympy.cos(b), sympy.cosh(a) * sympy.sin(b),
        ),
        sympy.cosh: lambda a, b: (
            sympy.cosh(a) * sympy.cos(b), sympy.sinh(a) * sympy.sin(b),
        ),
    }
)  # fmt: skip

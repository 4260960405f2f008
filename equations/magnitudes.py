"""Sizes of the terms of an equation, as products of the sizes of what it is written in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import sympy
from sympy.core.function import AppliedUndef

_ONE = sympy.Integer(1)
_ZERO = sympy.Integer(0)


def letter(name: str) -> sympy.Symbol:
    """Return the symbol of the size of a coordinate, field or coefficient."""
    return sympy.Symbol(name, positive=True)


@dataclass(frozen=True)
class Magnitudes:
    """Sizes of expressions by the letters of what they are made of.

    Numbers count as one unless they are asked for, and sines and the like too; of a sum the
    largest term counts.

    Parameters
    ----------
    letters
        Letter of each coordinate, field and coefficient by name; several may share one.
    values
        Positive values of the letters as far as they are known; zero for what is absent.
    numbers
        Whether numbers count with their absolute values.
    """

    letters: Mapping[str, sympy.Symbol]
    values: Mapping[sympy.Symbol, sympy.Expr]
    numbers: bool = False

    @cached_property
    def _absent(self) -> set[sympy.Symbol]:
        return {s for s, value in self.values.items() if value == 0}

    def value(self, size: sympy.Expr) -> float | None:
        """Return the value of a size, None if a letter has none yet."""
        if size.free_symbols - self.values.keys():
            return None
        return float(size.subs(self.values))

    def largest(self, sizes: Iterable[sympy.Expr]) -> sympy.Expr:
        """Return the largest of the sizes whose value is known, else the first that is not zero."""
        present = [s for s in sizes if s != 0]
        known = [(v, s) for s in present if (v := self.value(s)) is not None]
        if known:
            most = max(v for v, _ in known)
            # Equal up to rounding is equal, and then the first counts.
            return next(s for v, s in known if v >= most * (1 - 1e-12))
        return present[0] if present else _ZERO

    def terms(self, expression: sympy.Expr) -> list[sympy.Expr]:
        """Return the different sizes of the terms of an expanded sum, those that are zero left out.

        Examples
        --------
        >>> u, D = sympy.Function("u")(sympy.Symbol("x")), sympy.Symbol("D")
        >>> sizes = Magnitudes({n: letter(n) for n in "xuD"}, {})
        >>> sizes.terms(3 * D * u.diff("x", 2) + u**2 * sympy.sin(u))
        [D*u/x**2, u**2]
        """
        sizes = [self.size(t) for t in expression.as_ordered_terms()]
        return [s for s in dict.fromkeys(sizes) if s != 0]

    def size(self, e: sympy.Expr) -> sympy.Expr:
        """Return the size of an expression as a product of powers of letters, zero if absent."""
        if e.is_number:
            return _ZERO if e.is_zero else abs(e) if self.numbers else _ONE
        if isinstance(e, sympy.Symbol | AppliedUndef):
            name = e.name if isinstance(e, sympy.Symbol) else e.func.__name__
            found = self.letters.get(name, _ONE)
            return _ZERO if found in self._absent else found
        if isinstance(e, sympy.Mul):
            return sympy.Mul(*map(self.size, e.args))
        if isinstance(e, sympy.Pow):
            base = self.size(e.base)
            if not e.exp.is_number:
                return _ONE
            return base**e.exp if base != 0 or e.exp.is_positive else _ZERO
        if isinstance(e, sympy.Derivative):
            return self.size(e.expr) / sympy.Mul(*map(self.size, e.variables))
        if isinstance(e, sympy.Integral):
            lengths = [self.largest(map(self.size, bounds)) for _, *bounds in e.limits]
            return self.size(e.function) * sympy.Mul(*lengths)
        if isinstance(e, sympy.Subs | sympy.Abs):
            return self.size(e.args[0])
        if isinstance(e, sympy.Add | sympy.Max | sympy.Min):
            return self.largest(map(self.size, e.args))
        return _ONE


def balanced(
    unknown: sympy.Symbol, sizes: list[sympy.Expr], magnitudes: Magnitudes
) -> sympy.Expr | None:
    """Return the size at which the terms that hold a letter are as large as the largest other.

    Parameters
    ----------
    unknown
        The letter that is sought.
    sizes
        Sizes of the terms of one equation.
    magnitudes
        Values of the other letters.

    Returns
    -------
    sympy.Expr or None
        Product of powers of letters; None if the terms do not determine it.

    Examples
    --------
    >>> q, D, w, L = map(letter, ["q", "D", "w", "L"])
    >>> values = {q: sympy.Integer(5), D: sympy.Integer(2), L: sympy.Integer(3)}
    >>> balanced(w, [D * w / L**4, q], Magnitudes({}, values))
    L**4*q/D
    """
    others = {s for size in sizes for s in size.free_symbols} - {unknown, *magnitudes.values}
    for other in others:
        shared = {_power(size, other) for size in sizes}
        if len(shared) == 1:  # a factor of all terms
            sizes = [size / other ** next(iter(shared)) for size in sizes]
    powers = [_power(size, unknown) for size in sizes]
    fixed = [s for s, p in zip(sizes, powers, strict=True) if p == 0]
    fixed = [s for s in fixed if magnitudes.value(s) is not None]
    moving = [
        (s / unknown**p, p) for s, p in zip(sizes, powers, strict=True)
        if p != 0 and magnitudes.value(s / unknown**p) is not None
    ]  # fmt: skip
    if not fixed or len({p > 0 for _, p in moving}) != 1:
        return None
    target = magnitudes.largest(fixed)
    found = [((target / factor) ** (1 / p), p > 0) for factor, p in moving]
    candidates = [(magnitudes.value(size) or 0.0, size) for size, _ in found]
    # The smallest size makes no growing term larger than the target, the largest no falling one.
    pick = min if found[0][1] else max
    best = pick(value for value, _ in candidates)
    return next(size for value, size in candidates if value == best)


def _power(size: sympy.Expr, of: sympy.Symbol) -> sympy.Rational:
    return size.as_powers_dict().get(of, _ZERO)

"""Symbolic dimensions: integer polynomials in named sizes, such as ``N`` or ``2*N + 1``.

A dimension of a shape is a Python ``int`` where it is known and a `Dim` where it is not.
Arithmetic returns an ``int`` again as soon as no name is left, so code never meets a
constant `Dim`.

A comparison with another size answers "not equal", which holds for most sizes but not for all.
Inside `assuming` every such answer is noted, so that a program is used only at sizes for which
all of them are true.
"""

from __future__ import annotations

import contextvars
import operator
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from numbers import Real
from typing import NoReturn

from ..errors import ParseError, ShapeError, TraceError

__all__ = [
    "Assumptions", "Dim", "Shape", "assume_not_negative", "assuming", "dim_names", "evaluate_dim",
    "parse_dim", "product", "same_shape",
]  # fmt: skip

Monomial = tuple[str, ...]


class Assumptions:
    """What a trace took for granted about symbolic sizes."""

    def __init__(self) -> None:
        self.nonzero: dict[tuple[object, ...], Dim] = {}
        self.not_negative: dict[tuple[object, ...], Dim] = {}

    def unequal(self, size: Dim, other: Dim | Real) -> None:
        """Note that two sizes were taken to be different."""
        if not isinstance(other, Dim) and not float(other).is_integer():
            return
        difference = size - (other if isinstance(other, Dim) else int(float(other)))
        if isinstance(difference, Dim):
            self.nonzero[difference.terms] = difference

    def hold(self, sizes: Mapping[str, int]) -> bool:
        """Return whether everything is true at these sizes."""
        return all(evaluate_dim(d, sizes) != 0 for d in self.nonzero.values()) and all(
            int(evaluate_dim(d, sizes)) >= 0 for d in self.not_negative.values()
        )


_assumptions: contextvars.ContextVar[Assumptions | None] = contextvars.ContextVar(
    "assumptions", default=None
)


@contextmanager
def assuming() -> Iterator[Assumptions]:
    """Note what code in this context takes for granted about symbolic sizes."""
    found = Assumptions()
    token = _assumptions.set(found)
    try:
        yield found
    finally:
        _assumptions.reset(token)


def assume_not_negative(value: int | Dim) -> None:
    """Note that a symbolic size must not be negative."""
    found = _assumptions.get()
    if found is not None and isinstance(value, Dim):
        found.not_negative[value.terms] = value


class Dim:
    """A polynomial with integer coefficients in named sizes, immutable and hashable.

    Examples
    --------
    >>> n = Dim.named("N")
    >>> 2 * n + 1
    2*N+1
    >>> n - n
    0
    """

    __slots__ = ("_hash", "terms")

    terms: tuple[tuple[Monomial, int], ...]

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        self.terms = tuple(sorted((m, c) for m, c in terms.items() if c))
        self._hash = hash(self.terms)

    @staticmethod
    def named(name: str) -> Dim:
        """Return the dimension that is just ``name``."""
        if not name.isidentifier():
            raise ShapeError(f"a dimension name must be an identifier, got {name!r}")
        return Dim({(name,): 1})

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dim | Real):
            return NotImplemented
        if isinstance(other, Dim) and self.terms == other.terms:
            return True
        found = _assumptions.get()
        if found is not None:
            found.unequal(self, other)
        return False

    def __add__(self, other: int | Dim) -> int | Dim:
        total = dict(self.terms)
        for monomial, coefficient in _terms(other):
            total[monomial] = total.get(monomial, 0) + coefficient
        return _simplify(total)

    __radd__ = __add__

    def __neg__(self) -> int | Dim:
        return self * -1

    def __sub__(self, other: int | Dim) -> int | Dim:
        return self + (other * -1)

    def __rsub__(self, other: int | Dim) -> int | Dim:
        return (self * -1) + other

    def __mul__(self, other: int | Dim) -> int | Dim:
        total: dict[Monomial, int] = {}
        for m1, c1 in self.terms:
            for m2, c2 in _terms(other):
                key = tuple(sorted(m1 + m2))
                total[key] = total.get(key, 0) + c1 * c2
        return _simplify(total)

    __rmul__ = __mul__

    def __floordiv__(self, other: int | Dim) -> int | Dim:
        quotient = _exact_quotient(self, other)
        if quotient is None:
            raise ShapeError(f"cannot divide the symbolic size {self} by {other} exactly")
        return quotient

    def __rfloordiv__(self, other: int | Dim) -> int | Dim:
        if other == self:
            return 1
        raise ShapeError(f"cannot divide the size {other} by the symbolic size {self} exactly")

    def __repr__(self) -> str:
        parts = []
        for monomial, coefficient in reversed(self.terms):
            factors = ([] if coefficient == 1 and monomial else [str(coefficient)]) + list(monomial)
            parts.append("*".join(factors))
        return "+".join(parts).replace("+-", "-")

    def __bool__(self) -> bool:
        raise TraceError(f"the truth value of the symbolic size {self} is not known while tracing")

    def _number(self, *_: object, **__: object) -> NoReturn:
        raise TraceError(
            f"the symbolic size {self} has no value while tracing; "
            "trace with concrete shapes if Python code needs the number"
        )

    # no Python code may take a symbolic size for a number, not even by rounding a product
    __int__ = __index__ = __float__ = __complex__ = __round__ = __trunc__ = _number
    __truediv__ = __rtruediv__ = __mod__ = __rmod__ = __divmod__ = __rdivmod__ = _number
    __pow__ = __rpow__ = __abs__ = __array__ = __array_ufunc__ = _number

    def _compare(self, other: object) -> bool:
        raise TraceError(f"the symbolic size {self} cannot be ordered against {other!r}")

    __lt__ = __le__ = __gt__ = __ge__ = _compare


Shape = tuple[int | Dim, ...]


def _terms(value: int | Dim) -> Iterable[tuple[Monomial, int]]:
    if isinstance(value, Dim):
        return value.terms
    try:
        return (((), operator.index(value)),)
    except TypeError:
        raise TraceError(
            f"a symbolic size and {value!r} do not make a size; "
            "trace with concrete shapes if Python code needs the number"
        ) from None


def _simplify(terms: Mapping[Monomial, int]) -> int | Dim:
    kept = {m: c for m, c in terms.items() if c}
    if not kept:
        return 0
    if set(kept) == {()}:
        return kept[()]
    return Dim(kept)


def _exact_quotient(value: Dim, divisor: int | Dim) -> int | Dim | None:
    if isinstance(divisor, int):
        if divisor == 0 or any(c % divisor for _, c in value.terms):
            return None
        return _simplify({m: c // divisor for m, c in value.terms})
    if len(divisor.terms) != 1:
        return 1 if value == divisor else None
    ((names, coefficient),) = divisor.terms
    total: dict[Monomial, int] = {}
    for monomial, c in value.terms:
        rest = list(monomial)
        for name in names:
            if name not in rest:
                return None
            rest.remove(name)
        if c % coefficient:
            return None
        total[tuple(rest)] = c // coefficient
    return _simplify(total)


def product(shape: Iterable[int | Dim]) -> int | Dim:
    """Return the number of elements of a shape."""
    total: int | Dim = 1
    for size in shape:
        total = total * size
    return total


def same_shape(a: Shape, b: Shape) -> bool:
    """Return whether two shapes are equal in every dimension, symbolic ones by name."""
    return a == b


def dim_names(value: object) -> frozenset[str]:
    """Return the size names that occur in a dimension or (nested) tuple of dimensions."""
    if isinstance(value, Dim):
        return frozenset(name for monomial, _ in value.terms for name in monomial)
    if isinstance(value, tuple):
        return frozenset().union(*(dim_names(v) for v in value))
    return frozenset()


def evaluate_dim(value: int | Dim, sizes: Mapping[str, int | Dim]) -> int | Dim:
    """Replace the names in a dimension by sizes; names that are not given stay."""
    if not isinstance(value, Dim):
        return value
    total: int | Dim = 0
    for monomial, coefficient in value.terms:
        term: int | Dim = coefficient
        for name in monomial:
            term = term * sizes.get(name, Dim({(name,): 1}))
        total = total + term
    return total


def parse_dim(text: str) -> int | Dim:
    """Parse the printed form of a dimension, the inverse of ``str``."""
    total: int | Dim = 0
    if not re.fullmatch(r"-?\w+(\*\w+)*([+-]\w+(\*\w+)*)*", text):
        raise ParseError(f"not a dimension: {text!r}")
    for piece in re.findall(r"[+-]?[^+-]+", text):
        term: int | Dim = -1 if piece.startswith("-") else 1
        for factor in piece.lstrip("+-").split("*"):
            term = term * (int(factor) if factor.isdigit() else Dim.named(factor))
        total = total + term
    return total

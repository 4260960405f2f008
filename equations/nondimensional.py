"""Scales for an equation, given or found from its terms, and the equation divided by them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

import sympy

from sciml.framework.errors import EquationError

from .dimensionless import Dimensionless
from .given import source_of, sources
from .lettered import Lettered, lettered
from .magnitudes import Magnitudes, balanced, letter
from .names import near
from .pde import PDE
from .quantities import converted, is_quantity
from .scaling import Group, Scale, Scaling
from .unknown import UnknownParameter

_NUMBERS: tuple[tuple[str, str, Mapping[str, int]], ...] = (
    ("Reynolds number", "mu", {"kg/m^3": 1, "m/s": 1, "m": 1, "Pa s": -1}),
    ("Reynolds number", "nu", {"m/s": 1, "m": 1, "m^2/s": -1}),
    ("Peclet number", "D", {"m/s": 1, "m": 1, "m^2/s": -1}),
    ("Fourier number", "D", {"m^2/s": 1, "s": 1, "m": -2}),
    ("Strouhal number", "", {"m": 1, "m/s": -1, "s": -1}),
    ("Euler number", "", {"Pa": 1, "kg/m^3": -1, "m/s": -2}),
)
"""Well-known numbers: a letter they hold, and units and powers of what they are products of."""


def nondimensionalise(pde: PDE, scales: Mapping[str, float | str] | None = None) -> Scaling:
    """Return an equation without units, its scales and its dimensionless numbers.

    With x = L x* and u = U u* every residual is divided by its largest term, which then has a
    factor of one. A scale that is not given is that of another coordinate, or another field, of
    the same unit; or one for what has the unit ``-``; or the one at which the terms that hold it
    are as large as the largest other term of the first residual that tells (dominant balance):
    the time of a diffusion is L^2/D, the deflection of a plate q L^4/D. A derived quantity has the
    size of the largest term of all that have its unit.

    Parameters
    ----------
    pde
        An equation of the library or one's own; its coefficients are numbers, or expressions,
        whose sines and the like count as one, tables, or unknown numbers, which count as they
        start.
    scales
        Positive sizes of coordinates and fields by name, as numbers in their units or texts such
        as ``"5 mm"``; of a coefficient, by its letter, if its size is another than it seems.

    Returns
    -------
    Scaling
        ``.pde`` is the new equation; printed, it is a table of scales and numbers.

    Raises
    ------
    EquationError
        If a scale is not positive, names nothing, or is neither given nor determined.

    References
    ----------
    Lin and Segel (1988), Mathematics Applied to Deterministic Problems in the Natural Sciences.

    Examples
    --------
    >>> from sciml.equations import Diffusion
    >>> heat = nondimensionalise(Diffusion(1e-4), {"x": 0.02, "u": 80})
    >>> heat.pde.residuals()
    {'diffusion': Derivative(u(x, t), t) - Derivative(u(x, t), (x, 2))}
    >>> print(heat)
    scale     x          x_ref             0.02 m
    scale     t          x_ref**2/D        4 s
    scale     u          u_ref             80 u
    scale     flux_x     D*u_ref/x_ref     0.4 u m/s
    residual  diffusion  D*u_ref/x_ref**2  20 u/s
    """
    if isinstance(pde, Dimensionless):
        raise EquationError("nondimensionalise: the equation is dimensionless already")
    problem = lettered(pde)
    return _Search(pde, problem, _checked(problem, scales or {})).result()


def _checked(problem: Lettered, scales: Mapping[str, float | str]) -> dict[str, sympy.Expr]:
    """Return the given scales as exact numbers."""
    known = [*problem.coordinates, *problem.fields, *problem.coefficients]
    found = {}
    for name, scale in scales.items():
        where = f"nondimensionalise: the scale of {name!r}"
        if name not in known:
            raise EquationError(f"{where} is given, which is not there{near(name, known)}")
        if is_quantity(scale):
            found[name] = converted(str(scale), problem.units.get(name, "-"), where)
        elif isinstance(scale, bool | str) or not math.isfinite(scale):
            raise EquationError(f"{where} must be a positive number or a quantity, got {scale!r}")
        else:
            found[name] = sympy.Rational(repr(float(scale)))
        if not found[name] > 0:
            raise EquationError(f"{where} must be positive, got {scale!r}")
    return found


class _Search:
    """Finds the scales of an equation one after the other."""

    def __init__(self, pde: PDE, problem: Lettered, given: Mapping[str, sympy.Expr]) -> None:
        self.pde, self.problem = pde, problem
        self.owners = _owners(problem, given)
        self.scales = {name: letter(f"{owner}_ref") for name, owner in self.owners.items()}
        self.coefficients = {name: letter(name) for name in problem.coefficients}
        for name, symbol in self.coefficients.items():
            if symbol in self.scales.values():
                raise EquationError(
                    f"nondimensionalise: the coefficient {name!r} is called like the scale of "
                    f"{name.removesuffix('_ref')!r}; rename it"
                )
        self.values = {s: given[name] for name, s in self.coefficients.items() if name in given}
        self.formulas: dict[sympy.Symbol, sympy.Expr] = {}
        for name, owner in self.owners.items():
            if owner in given:
                self.set(name, self.scales[name], given[owner])
            elif problem.kind(name) == 1:
                self.set(name, sympy.Integer(1), sympy.Integer(1))
        self.measure()
        self.expanded = _expanded(problem.pde.residuals())

    def set(self, name: str, formula: sympy.Expr, value: sympy.Expr) -> None:
        self.formulas[self.scales[name]] = formula
        self.values[self.scales[name]] = value

    @property
    def magnitudes(self) -> Magnitudes:
        return Magnitudes({**self.scales, **self.coefficients}, self.values)

    def exact(self, size: sympy.Expr) -> sympy.Expr:
        """Return the value of a size."""
        return size.subs(self.values)

    def formula(self, size: sympy.Expr) -> sympy.Expr:
        """Return a size by the scales that are given."""
        return sympy.powsimp(sympy.expand_power_base(size.subs(self.formulas, simultaneous=True)))

    def measure(self) -> None:
        """Find the sizes of coefficients in what is known so far."""
        magnitudes = replace(self.magnitudes, numbers=True)
        for name, symbol in self.coefficients.items():
            if symbol not in self.values:
                value = self.problem.coefficients[name]
                size = magnitudes.size(value.xreplace(_source_sizes(value)))
                if magnitudes.value(size) is not None:
                    self.values[symbol] = self.exact(size)

    def balance(self) -> None:
        """Find the scales that are not given, in rounds, since one may need another."""
        while unknown := [n for n, s in self.scales.items() if s not in self.values]:
            if not any(map(self.determine, unknown)):
                units = {n: self.problem.units.get(n, "-") for n in unknown}
                listed = ", ".join(f"{n!r} [{unit}]" for n, unit in units.items())
                raise EquationError(
                    f"nondimensionalise: no term of the equation tells the scale of {listed}; give "
                    f"one, scales={{{unknown[-1]!r}: ...}}, such as the largest value in the "
                    "conditions or the length of the domain"
                )
            self.measure()

    def determine(self, name: str) -> bool:
        """Look for a residual that tells a scale, and return whether there is one."""
        magnitudes = self.magnitudes
        for e in self.expanded.values():
            size = balanced(self.scales[name], magnitudes.terms(e), magnitudes)
            if size is not None:
                self.set(name, self.formula(size), self.exact(size))
                return True
        return False

    def result(self) -> Scaling:
        self.balance()
        found = {
            name: Scale(self.values[s], self.problem.units.get(name, "-"), self.formulas[s])
            for name, s in self.scales.items()
        }
        derived = _expanded(self.problem.pde.derived())
        for name in derived:
            size, _ = self.largest(*(derived[other] for other in self.alike(name, derived)))
            unit = self.problem.units.get(name, "-")
            found[name] = Scale(self.exact(size), unit, self.formula(size))
        residuals: dict[str, Scale] = {}
        groups: dict[sympy.Expr, Group] = {}
        for name, e in self.expanded.items():
            size, sizes = self.largest(e)
            residuals[name] = Scale(self.exact(size), self.unit(size), self.formula(size))
            for ratio in (other / size for other in sizes):
                formula, value = self.formula(ratio), float(self.exact(ratio))
                if formula != 1 and formula not in groups:
                    groups[formula] = Group(name, formula, value, self.called(formula))
        dimensionless = Dimensionless(
            self.pde,
            {name: s.value for name, s in found.items()},
            {name: s.value for name, s in residuals.items()},
        )
        return Scaling(dimensionless, found, residuals, tuple(groups.values()))

    def alike(self, name: str, names: Iterable[str]) -> list[str]:
        """Return a name and those with its unit, so that components of a stress can be added."""
        kind = self.problem.kind(name)
        return [
            n for n in names if n == name or (kind is not None and self.problem.kind(n) == kind)
        ]

    def largest(self, *expressions: sympy.Expr) -> tuple[sympy.Expr, list[sympy.Expr]]:
        """Return the largest size of a term, one where there is none, and all sizes."""
        magnitudes = self.magnitudes
        sizes = [size for e in expressions for size in magnitudes.terms(e)]
        return (magnitudes.largest(sizes) if sizes else sympy.Integer(1)), sizes

    def unit(self, size: sympy.Expr) -> str:
        """Return the unit of a product of letters, ``-`` where one has no known unit."""
        kinds = {s: self.problem.kind(n) for n, s in {**self.scales, **self.coefficients}.items()}
        if any(kinds[s] is None for s in size.free_symbols):
            return "-"
        found = sympy.powsimp(size.xreplace(kinds))
        return "-" if found == 1 else str(found).replace("**", "^").replace("*", " ")

    def called(self, formula: sympy.Expr) -> str:
        """Return the name of a dimensionless number, or of its inverse, by what it is made of."""
        named = {s: n for n, s in {**self.scales, **self.coefficients}.items()}
        powers = formula.as_powers_dict()
        letters = [s for s in powers if s in named]
        kinds = {self.problem.units.get(named[s], ""): powers[s] for s in letters}
        if len(kinds) != len(powers):
            return ""
        for name, needed, expected in _NUMBERS:
            if needed and letter(needed) not in letters:
                continue
            if kinds == expected:
                return name
            if kinds == {unit: -p for unit, p in expected.items()}:
                return f"1/{name}"
        return ""


def _owners(problem: Lettered, given: Mapping[str, sympy.Expr]) -> dict[str, str]:
    """Return whose scale each coordinate and field has: its own, or that of one like it."""
    owners = {}
    for names in (problem.coordinates, problem.fields):
        first: dict[sympy.Expr, str] = {}
        for name in sorted(names, key=lambda n: n not in given):
            kind = problem.kind(name)
            alike = name if kind is None else first.setdefault(kind, name)
            owners[name] = name if name in given else alike
    return {name: owners[name] for name in (*problem.coordinates, *problem.fields)}


def _expanded(expressions: Mapping[str, sympy.Expr]) -> dict[str, sympy.Expr]:
    return {name: sympy.expand(e.doit(integrals=False)) for name, e in expressions.items()}


def _source_sizes(value: sympy.Expr) -> dict[sympy.Expr, sympy.Expr]:
    """Return the sizes of what an expression takes from tables, functions and unknown numbers.

    Raises
    ------
    EquationError
        If a size is not known.
    """
    found = {}
    for name, node in sources(value).items():
        source = source_of(node)
        if isinstance(source, UnknownParameter):
            size = abs(source.start)
        else:
            limits = source.range if source is not None else None
            size = max(map(abs, limits)) if limits is not None else math.inf
        if not math.isfinite(size):
            raise EquationError(
                f"nondimensionalise: the size of the coefficient {name!r} is not known; give it, "
                f"scales={{{name!r}: ...}}"
            )
        found[node] = sympy.Rational(repr(float(size)))
    return found

"""A partial differential equation in the user's own words."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, final

import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError, ParseError

from . import tokens
from .coefficients import Coefficient, as_expression
from .complex_form import part_names, parts
from .functions import COMPLEX_CONSTANTS, COMPLEX_FUNCTIONS, CONSTANTS, FUNCTIONS
from .library.manufactured import smooth
from .names import near
from .parser import parse_expression
from .pde import PDE
from .quantities import converted, is_quantity

Equation: TypeAlias = str | sympy.Expr

_COMMON_COORDINATES = ("x", "y", "z", "t", "r", "theta", "phi")


@final
@dataclass(frozen=True)
class CustomPDE(PDE):
    """A system of equations, residual = 0, given as texts or sympy expressions.

    Parameters
    ----------
    equations
        Residuals by name. In a text ``u__x__x`` is a derivative of the field u, ``k__x`` of a
        coefficient, and coefficients are named as they are declared. In an expression coordinates
        are plain symbols, fields applied functions, and a coefficient is
        ``sympy.Function("k")(*coordinates)``, or a plain symbol if it is constant.
    over
        Coordinates in the order of the columns of the points, ``"x y t r"``. A parameter the
        solution depends on is simply a coordinate.
    unknowns
        Fields, ``"u v p(x, t)"``; a bare name depends on all coordinates.
    coefficients
        Numbers, texts or expressions in coordinates, fields and the coefficients before them; with
        a unit in `si_units` also numbers with one, ``"210 GPa"``.
    quantities
        Derived quantities by name, as the equations.
    si_units
        Units of coordinates, fields, quantities and coefficients; one that is not stated is shown
        as ``-``. Both parts of a complex field have its unit.
    complex_unknowns
        Complex fields, as the unknowns. Texts may then use ``I``, ``conj``, ``re``, ``im`` and
        ``abs``, expressions those of sympy. A field ``psi`` is solved for as the real fields
        ``psi_re`` and ``psi_im``, and an equation or quantity that is complex becomes two, named
        alike, of which one that is zero is left out; all coordinates are real.

    Raises
    ------
    ParseError
        With equation, line and column, if a text is not an expression in the declared names.
    EquationError
        If a name is declared twice, unknown or never used, a field does not have its coordinates
        in the declared order, or a complex term cannot be split.

    Examples
    --------
    >>> heat = CustomPDE({"heat": "u__t - k*u__x__x"}, "x t", "u", {"k": 0.5})
    >>> heat.residuals()
    {'heat': Derivative(u(x, t), t) - Derivative(u(x, t), (x, 2))/2}
    >>> wave = CustomPDE({"free": "I*psi__t + psi__x__x"}, "x t", complex_unknowns="psi")
    >>> wave.residuals()["free_re"]
    -Derivative(psi_im(x, t), t) + Derivative(psi_re(x, t), (x, 2))
    """

    equations: Mapping[str, Equation]
    over: str
    unknowns: str = ""
    coefficients: Mapping[str, Coefficient] = field(default_factory=dict)
    quantities: Mapping[str, Equation] = field(default_factory=dict)
    si_units: Mapping[str, str] = field(default_factory=dict)
    complex_unknowns: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.equations:
            raise EquationError("CustomPDE: no equation is given, expected at least one residual")
        if not self._unsplit:
            raise EquationError("CustomPDE: no field is given, expected names such as 'u v(x, t)'")
        declared = [*map(str, self.coordinates), *(f.func.__name__ for f in self._unsplit)]
        complex_fields = _fields(self.complex_unknowns, self.coordinates)
        split = [name for f in complex_fields for name in part_names(f.func.__name__)]
        reserved = {*FUNCTIONS, *CONSTANTS}
        if split:
            reserved |= {*COMPLEX_FUNCTIONS, *COMPLEX_CONSTANTS}
        _check_names([*declared, *split, *self.coefficients, *self.quantities], reserved)
        declared += self.coefficients
        for name in self.si_units:
            if name not in (*declared, *self.quantities):
                raise EquationError(
                    f"CustomPDE: a unit is given for {name!r}, which is not declared"
                    f"{near(name, [*declared, *self.quantities])}"
                )
        self._check_use(self._everything[2])

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return tuple(map(sympy.Symbol, _listed(self.over)))

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        found = [
            sympy.Function(name)(*f.args)
            for f in _fields(self.complex_unknowns, self.coordinates)
            for name in part_names(f.func.__name__)
        ]
        return (*_fields(self.unknowns, self.coordinates), *found)

    @property
    def _unsplit(self) -> tuple[AppliedUndef, ...]:
        """The fields as they are declared."""
        return _fields(f"{self.unknowns} {self.complex_unknowns}", self.coordinates)

    def residuals(self) -> dict[str, sympy.Expr]:
        return dict(self._everything[0])

    def derived(self) -> dict[str, sympy.Expr]:
        return dict(self._everything[1])

    def units(self) -> dict[str, str]:
        fields = (f.func.__name__ for f in self.fields)
        names = (*map(str, self.coordinates), *fields, *self.quantities)
        return dict.fromkeys(names, "-") | self.stated_units

    def letters(self) -> dict[str, sympy.Expr]:
        """Return the coefficients by their names, the ones before them put in."""
        return dict(self._everything[3])

    @property
    def stated_units(self) -> dict[str, str]:
        """The units that are stated; those of what is complex belong to both parts."""
        known = {*(f.func.__name__ for f in self.fields), *self._everything[1]}
        split = {
            part: unit
            for name, unit in self.si_units.items()
            for part in part_names(name)
            if part in known
        }
        return split | dict(self.si_units)

    def manufactured(self) -> dict[str, sympy.Expr]:
        return smooth(self.fields)

    @functools.cached_property
    def _everything(
        self,
    ) -> tuple[dict[str, sympy.Expr], dict[str, sympy.Expr], set[str], dict[str, sympy.Expr]]:
        """Residuals, derived quantities, the names that occur in them, and coefficients."""
        names: dict[str, sympy.Expr] = {str(c): c for c in self.coordinates}
        names |= {f.func.__name__: f for f in self._unsplit}
        used: set[str] = set()
        for name, value in self.coefficients.items():
            where = f"coefficient {name!r}"
            if is_quantity(value):
                names[name] = self._quantity(str(value), name)
            elif isinstance(value, str):
                names[name] = self._read(value, names, where)
                used |= _words(value)
            else:
                names[name] = as_expression(value, self.coordinates, f"CustomPDE, {where}", name)
                used |= _words_of(names[name]) - {name}
        groups = []
        for kind, group in (("equation", self.equations), ("quantity", self.quantities)):
            found: dict[str, sympy.Expr] = {}
            for name, given in group.items():
                where = f"{kind} {name!r}"
                if isinstance(given, str):
                    found |= self._split(name, self._read(given, names, where), where)
                    used |= _words(given)
                else:
                    found |= self._split(name, self._replace(given, names, where), where)
                    used |= _words_of(given)
            groups.append(found)
        return groups[0], groups[1], used, {name: names[name] for name in self.coefficients}

    def _read(self, text: str, names: Mapping[str, sympy.Expr], where: str) -> sympy.Expr:
        try:
            return parse_expression(text, names, bool(self.complex_unknowns))
        except ParseError as error:
            raise ParseError(f"CustomPDE, {where}: {error}") from None

    def _split(self, name: str, expression: sympy.Expr, where: str) -> dict[str, sympy.Expr]:
        """Return an expression by its name, or its parts that are not zero by theirs."""
        if not self.complex_unknowns:
            return {name: expression}
        complex_fields = _fields(self.complex_unknowns, self.coordinates)
        try:
            real, imaginary = parts(expression, [f.func.__name__ for f in complex_fields])
        except EquationError as error:
            raise EquationError(f"CustomPDE, {where}: {error}") from None
        if imaginary == 0:
            return {name: real}
        found = zip(part_names(name), (real, imaginary), strict=True)
        return {part: value for part, value in found if value != 0}

    def _quantity(self, text: str, name: str) -> sympy.Expr:
        """Return a number with a unit in the declared one, or refuse it where none is."""
        if name not in self.si_units:
            raise EquationError(
                f"CustomPDE, coefficient {name!r}: {text!r} has a unit, but none is declared; give "
                f"si_units={{{name!r}: ...}}"
            )
        return converted(text, self.si_units[name], f"CustomPDE, coefficient {name!r}")

    def _replace(
        self, expression: object, names: Mapping[str, sympy.Expr], where: str
    ) -> sympy.Expr:
        """Put the coefficients into an expression."""
        if not isinstance(expression, sympy.Expr):
            raise EquationError(
                f"CustomPDE, {where}: expected a text or an expression, "
                f"got {type(expression).__name__}"
            )
        table = {}
        for name in self.coefficients:
            symbol, value = sympy.Symbol(name), names[name]
            table[sympy.Function(name)(*self.coordinates)] = value
            if expression.has(symbol) and value.has(*self.coordinates, *self._unsplit):
                # A derivative of a product with it has lost a term before it came here.
                raise EquationError(
                    f"CustomPDE, {where}: the coefficient {name!r} = {value} is not constant, but "
                    f"occurs as a symbol; write sympy.Function({name!r})(*coordinates)"
                )
            table[symbol] = value
        for word in sorted(_words_of(expression)):
            if word not in names:
                raise EquationError(
                    f"CustomPDE, {where}: unknown name {word!r}{near(word, list(names))}"
                )
        replaced = expression.xreplace(table)
        return replaced if replaced == expression else replaced.doit(integrals=False)

    def _check_use(self, used: set[str]) -> None:
        for f in self._unsplit:
            if f.func.__name__ not in used:
                raise EquationError(f"CustomPDE: the field {f} is in no equation; leave it out")
        for name in self.coefficients:
            if name not in used:
                raise EquationError(
                    f"CustomPDE: the coefficient {name!r} is in no equation; leave it out"
                )
        for c in self.coordinates:
            if str(c) not in used and not any(c in f.args for f in self.fields):
                raise EquationError(
                    f"CustomPDE: no field depends on the coordinate {str(c)!r}; leave it out"
                )


def custom_pde(
    function: Callable[..., Any],
    over: str | None = None,
    unknowns: str | None = None,
    coefficients: Mapping[str, Coefficient] | None = None,
    quantities: Mapping[str, Equation] | None = None,
    si_units: Mapping[str, str] | None = None,
    complex_unknowns: str = "",
) -> CustomPDE:
    """Return the equation a Python function states.

    Parameters
    ----------
    function
        Called once with symbols for its parameters: coordinates, fields and coefficients, by
        their names. It returns the residual, which is then named ``residual``, or a dictionary of
        residuals by name.
    over
        Coordinates; by default the parameters named x, y, z, t, r, theta or phi, in their order.
    unknowns
        Real fields; by default the parameters that are nothing else.
    coefficients, quantities, si_units, complex_unknowns
        As for `CustomPDE`. A coefficient may vary: its derivatives are taken.

    Raises
    ------
    EquationError
        If a parameter is not declared, a declared name is not used, or the function returns
        something else than expressions.

    Examples
    --------
    >>> from sciml.equations import D
    >>> pde = custom_pde(lambda u, x, k: -D(k * D(u, x), x), coefficients={"k": "1 + x"})
    >>> pde.residuals()
    {'residual': -(x + 1)*Derivative(u(x), (x, 2)) - Derivative(u(x), x)}
    """
    coefficients = dict(coefficients or {})
    parameters = list(inspect.signature(function).parameters)
    if over is None:
        over = " ".join(p for p in parameters if p in _COMMON_COORDINATES and p not in coefficients)
        if not over:
            raise EquationError(
                f"custom_pde: none of the parameters {', '.join(parameters)} is a coordinate "
                f"({', '.join(_COMMON_COORDINATES)}); name them, over='x t'"
            )
    coordinates = tuple(map(sympy.Symbol, _listed(over)))
    names: dict[str, sympy.Expr] = {str(c): c for c in coordinates}
    names |= {name: sympy.Function(name)(*coordinates) for name in coefficients}
    names |= {f.func.__name__: f for f in _fields(complex_unknowns, coordinates)}
    if unknowns is None:
        unknowns = " ".join(p for p in parameters if p not in names)
    names |= {f.func.__name__: f for f in _fields(unknowns, coordinates)}
    for parameter in parameters:
        if parameter not in names:
            raise EquationError(
                f"custom_pde: the parameter {parameter!r} is not declared"
                f"{near(parameter, list(names))}"
            )
    result = function(**{p: names[p] for p in parameters})
    equations = result if isinstance(result, Mapping) else {"residual": result}
    return CustomPDE(
        dict(equations), over, unknowns, coefficients, dict(quantities or {}),
        dict(si_units or {}), complex_unknowns,
    )  # fmt: skip


def _fields(text: str, coordinates: tuple[sympy.Symbol, ...]) -> tuple[AppliedUndef, ...]:
    found = []
    rest = text.strip()
    while rest:
        match = re.match(r"(\w+)\s*(?:\(([^()]*)\))?[\s,]*", rest)
        if match is None:
            raise EquationError(
                f"CustomPDE: the fields {text!r} cannot be read at {rest!r}, "
                "expected names such as 'u v(x, t)'"
            )
        rest = rest[match.end() :]
        name, listed = match.groups()
        words = _listed(listed) if listed else [str(c) for c in coordinates]
        known = [str(c) for c in coordinates]
        for word in words:
            if word not in known:
                raise EquationError(
                    f"CustomPDE: the field {name!r} depends on {word!r}, which is not a coordinate"
                    f"{near(word, known)}"
                )
        if words != [c for c in known if c in words]:
            raise EquationError(
                f"CustomPDE: the field {name}({', '.join(words)}) must name each coordinate once, "
                f"in the order {', '.join(c for c in known if c in words)}"
            )
        found.append(sympy.Function(name)(*map(sympy.Symbol, words)))
    return tuple(found)


def _listed(text: str) -> list[str]:
    return re.split(r"[,\s]+", text.strip())


def _check_names(names: Iterable[str], reserved: Collection[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if not re.fullmatch(r"[A-Za-z]\w*", name) or "__" in name:
            raise EquationError(
                f"CustomPDE: {name!r} is not a name, expected a letter followed by letters, digits "
                "and single underscores"
            )
        if name in reserved:
            raise EquationError(f"CustomPDE: {name!r} is a function or constant; rename it")
        if name in seen:
            raise EquationError(f"CustomPDE: the name {name!r} is declared twice")
        seen.add(name)


def _words(text: str) -> set[str]:
    return {t.text.split("__")[0] for t in tokens.tokenize(text) if t.kind == "name"}


def _words_of(expression: sympy.Expr) -> set[str]:
    found = {str(s) for s in expression.free_symbols}
    return found | {f.func.__name__ for f in expression.atoms(AppliedUndef)}

"""The form of a trial function that satisfies as many conditions as it can exactly."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import product
from typing import TypeVar

import numpy as np
import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError, GeometryError

from .boundary import Boundary
from .coefficients import Coefficient, as_expression
from .conditions.condition import BoundaryCondition, Condition
from .conditions.forms import PeriodicForm, SlopeForm, ValueForm
from .operators import grad
from .slopes import Held, SlopePart, with_slopes

# Points of each part where a form is tried out, and what its residual may be there.
TRIED = 24
TOLERANCE = 1e-8

Periods = Mapping[sympy.Symbol, float]
Form = TypeVar("Form", ValueForm, SlopeForm, PeriodicForm)
Result = TypeVar("Result")


@dataclass(frozen=True)
class ExactForm:
    """A trial function u = base + free, with what it satisfies for every raw function N.

    Parameters
    ----------
    base, free
        What does not depend on N, and what does.
    factor
        phi in ``free = phi N``, before normal derivatives are added.
    hard
        Conditions with their residuals that are zero.
    """

    base: sympy.Expr
    free: sympy.Expr
    factor: sympy.Expr
    hard: tuple[tuple[BoundaryCondition, str], ...]


@dataclass(frozen=True)
class Builder:
    """Builds the form of one field on one shape.

    Parameters
    ----------
    geometry
        The shape.
    unknown
        The field u(x, ...).
    raw
        N(x, ...).
    conditions
        Conditions on parts of the boundary that concern the field.
    periods
        Periods by coordinate that N has.
    """

    geometry: Boundary
    unknown: AppliedUndef
    raw: AppliedUndef
    conditions: Sequence[BoundaryCondition]
    periods: Periods = field(default_factory=dict)

    def build(self) -> ExactForm:
        """Return the form; a normal derivative is part of it if it holds where it is tried out."""
        values = self._values_by_form()
        sloped = _twice(values)
        base = self._values(values)
        if base != 0 or any(self._expression(values[c].slope, c) != 0 for c in sloped):
            base, sloped = self._tilted(base, values, sloped)
        factor = self._factor(values, sloped)
        hard = [
            (c, name) for c, f in values.items() for name in f.satisfies[: 2 if c in sloped else 1]
        ]
        base, free, slopes = self._slopes(base, factor * self.raw, values, sloped)
        hard += [(c, name) for c, f in slopes.items() for name in f.satisfies]
        for c, periodic in self._forms(PeriodicForm).items():
            if sympy.Symbol(periodic.coordinate) in self.periods:
                hard += [(c, name) for name in periodic.satisfies]
        self._check_asked(hard)
        return ExactForm(base, free, factor, tuple(hard))

    def value_form(self) -> tuple[sympy.Expr, sympy.Expr]:
        """Return extension and factor of the prescribed values alone."""
        values = self._values_by_form()
        return self._values(values), self._factor(values, _twice(values))

    def _forms(self, kind: type[Form]) -> dict[BoundaryCondition, Form]:
        """Return conditions on parts of positive measure with a form of a kind."""
        name = self.unknown.func.__name__
        found = {c: c.hard_form(name) for c in self.conditions if self._wide(c)}
        return {c: form for c, form in found.items() if isinstance(form, kind)}

    def _values_by_form(self) -> dict[BoundaryCondition, ValueForm]:
        """Return the value forms that are asked for, and others as long as the whole is smooth."""
        forms = self._forms(ValueForm)

        def attempt(
            chosen: Sequence[BoundaryCondition],
        ) -> dict[BoundaryCondition, ValueForm] | None:
            values = {c: form for c, form in forms.items() if c.hard or c in chosen}
            try:
                return values if self._smooth(values) else None
            except GeometryError:  # no factor exists, as for a mesh, or values jump at a corner
                return None

        found, _ = _greedy([c for c in forms if not c.hard], attempt)
        return {c: f for c, f in forms.items() if c.hard} if found is None else found

    def _smooth(self, values: Mapping[BoundaryCondition, ValueForm]) -> bool:
        """Return whether factor and extension exist and have bounded derivatives of all orders.

        At a corner, a function that vanishes on two pieces has them if it is a product, a rational
        function; so does a blend of values that differ if its weights are such functions.
        """
        names = self.unknown.args
        if not self._factor(values, _twice(values)).is_rational_function(*names):
            return False
        given = self._by_leaf(values)
        if len(set(given.values())) <= 1:
            return True
        self.geometry.boundary_extension(given, names)  # refuses values that jump at a corner
        letters = {leaf: sympy.Symbol(f"value_{i}") for i, leaf in enumerate(given)}
        if self.geometry.boundary_extension(letters, names).is_rational_function(*names):
            return True
        pairs = self._touching({leaf: self._distance(leaf) for leaf in given})
        return all(len({given[leaf] for leaf in pair & set(given)}) <= 1 for pair in pairs)

    def _check_asked(self, hard: Sequence[tuple[BoundaryCondition, str]]) -> None:
        """Refuse a form that a condition asks for and that was not found."""
        name = self.unknown.func.__name__
        for c in self.conditions:
            form = c.hard_form(name) if c.hard else None
            if form is not None and not all((c, residual) in hard for residual in form.satisfies):
                raise EquationError(
                    f"{type(c).__name__}({c.part!r}): hard=True, but no trial function was found "
                    f"that satisfies it exactly for {name!r} beside the other conditions; leave "
                    "'hard' out to impose it as exactly as can be"
                )

    def _wide(self, condition: BoundaryCondition) -> bool:
        """Return whether a smooth factor exists, which it does not for a corner."""
        leaves = self.geometry.resolve(condition.part)
        return all(self.geometry.boundary_measure(leaf) > 0 for leaf in leaves)

    def _expression(self, value: Coefficient, condition: BoundaryCondition) -> sympy.Expr:
        where = f"{type(condition).__name__}({condition.part!r})"
        return as_expression(value, self.unknown.args, where)

    def _by_leaf(self, values: Mapping[BoundaryCondition, ValueForm]) -> dict[str, sympy.Expr]:
        """Return the value given on each piece of boundary."""
        return {
            leaf: self._expression(form.value, c)
            for c, form in values.items()
            for leaf in self.geometry.resolve(c.part)
        }

    def _values(self, values: Mapping[BoundaryCondition, ValueForm]) -> sympy.Expr:
        by_leaf = self._by_leaf(values)
        if not any(value != 0 for value in by_leaf.values()):
            return sympy.Integer(0)
        return self.geometry.boundary_extension(by_leaf, self.unknown.args)

    def _factor(
        self, values: Mapping[BoundaryCondition, ValueForm], sloped: Set[BoundaryCondition]
    ) -> sympy.Expr:
        powers: dict[int, list[str]] = {1: [], 2: []}
        for c in values:
            powers[2 if c in sloped else 1] += self.geometry.resolve(c.part)
        factor = sympy.Integer(1)
        for power, leaves in powers.items():
            if leaves:
                factor *= self.geometry.boundary_factor(leaves, self.unknown.args) ** power
        return factor

    def _tilted(
        self,
        base: sympy.Expr,
        values: Mapping[BoundaryCondition, ValueForm],
        sloped: set[BoundaryCondition],
    ) -> tuple[sympy.Expr, set[BoundaryCondition]]:
        """Return a base with the slopes of clamped parts too, and on which of them it has them."""

        def attempt(chosen: Sequence[BoundaryCondition]) -> sympy.Expr | None:
            parts = self._clamped(values, chosen)
            if not self._possible(parts):
                return None
            others = {c: f for c, f in values.items() if c not in chosen}
            result, _ = with_slopes(
                base,
                sympy.Integer(0),
                parts,
                self._held(others, frozenset()),
                self._touching({p.leaf: p.factor for p in parts}),
                self.unknown.args,
            )
            return result if self._holds(result, values, parts) else None

        result, accepted = _greedy(_asked_first(c for c in values if c in sloped), attempt)
        return (base if result is None else result), set(accepted)

    def _slopes(
        self,
        base: sympy.Expr,
        free: sympy.Expr,
        values: Mapping[BoundaryCondition, ValueForm],
        sloped: set[BoundaryCondition],
    ) -> tuple[sympy.Expr, sympy.Expr, dict[BoundaryCondition, SlopeForm]]:
        """Return the function with given normal derivatives, and the conditions it satisfies."""
        forms = self._forms(SlopeForm)
        if not forms:
            return base, free, {}
        clamped, held = self._clamped(values, sloped), self._held(values, sloped)

        def attempt(
            chosen: Sequence[BoundaryCondition],
        ) -> tuple[sympy.Expr, sympy.Expr] | None:
            try:
                parts = [p for c in chosen for p in self._parts(c, forms[c])]
            except GeometryError:  # the shape has no factor, as a mesh
                return None
            if not self._possible(parts):
                return None
            new = with_slopes(
                base,
                free,
                parts,
                held,
                self._touching({p.leaf: p.factor for p in parts}),
                self.unknown.args,
            )
            whole = (new[0] + new[1]).subs(self.raw, self._test_function()).doit()
            return new if self._holds(whole, values, [*parts, *clamped]) else None

        result, accepted = _greedy(_asked_first(forms), attempt)
        base, free = (base, free) if result is None else result
        return base, free, {c: forms[c] for c in accepted}

    def _clamped(
        self, values: Mapping[BoundaryCondition, ValueForm], chosen: Iterable[BoundaryCondition]
    ) -> list[SlopePart]:
        """Return the pieces of chosen conditions with the slope of their value form."""
        return [p for c in chosen for p in self._parts(c, SlopeForm(0, 1, values[c].slope, ()))]

    def _parts(self, condition: BoundaryCondition, form: SlopeForm) -> list[SlopePart]:
        a, b, value = (self._expression(v, condition) for v in (form.a, form.b, form.value))
        return [
            SlopePart(leaf, self._distance(leaf), a / b, value / b)
            for leaf in self.geometry.resolve(condition.part)
        ]

    def _distance(self, leaf: str) -> sympy.Expr:
        """Return the factor of one piece of boundary."""
        return self.geometry.boundary_factor(leaf, self.unknown.args)

    def _known(self, function: sympy.Expr) -> bool:
        """Return whether a function holds coordinates only, so that it has numbers as values."""
        plain = function.free_symbols <= set(self.unknown.args)
        return bool(plain and not function.atoms(AppliedUndef))

    def _possible(self, parts: Sequence[SlopePart]) -> bool:
        """Return whether all functions are smooth and known up to their derivatives."""
        return all(
            p.factor.is_polynomial(*self.unknown.args)
            and all(self._known(e) and e.is_finite is not False for e in (p.ratio, p.value))
            for p in parts
        )

    def _held(
        self, values: Mapping[BoundaryCondition, ValueForm], sloped: Set[BoundaryCondition]
    ) -> dict[str, Held]:
        return {
            leaf: Held(self._distance(leaf), 2 if c in sloped else 1)
            for c in values
            for leaf in self.geometry.resolve(c.part)
        }

    def _touching(self, factors: Mapping[str, sympy.Expr]) -> frozenset[frozenset[str]]:
        """Return the pairs of leaves that meet, one of them at least among those with a factor."""
        lower, upper = map(np.array, self.geometry.bounding_box)
        near = 1e-9 * float((upper - lower).max())
        rims = {leaf: self.geometry.rim(leaf).T for leaf in self.geometry.resolve("boundary")}
        evaluate = {leaf: sympy.lambdify(self.unknown.args, f) for leaf, f in factors.items()}
        return frozenset(
            frozenset((leaf, other))
            for leaf, other in product(evaluate, rims)
            if leaf != other and np.abs(evaluate[leaf](*rims[other])).min() < near
        )

    def _holds(
        self,
        function: sympy.Expr,
        values: Mapping[BoundaryCondition, ValueForm],
        slopes: Sequence[SlopePart],
    ) -> bool:
        """Return whether a function has the values and slopes on points of the parts."""
        names = self.unknown.args
        if not self._known(function):
            return False
        slope = grad(function, names)
        evaluate = sympy.lambdify(names, [function, *slope], cse=True)
        asked = [(leaf, 1, 0, value) for leaf, value in self._by_leaf(values).items()]
        asked += [(s.leaf, s.ratio, 1, s.value) for s in slopes]
        for leaf, a, b, expected in asked:
            sample = self.geometry.sample_boundary(leaf, TRIED)
            X, n = sample.points.T, sample.normals.T
            ratio, target = sympy.lambdify(names, [a, expected])(*X)
            with np.errstate(all="ignore"):
                u, *du = evaluate(*X)
                terms = [ratio * u, b * sum(map(np.multiply, du, n)), -target]
            size = 1 + max(float(np.max(np.abs(t))) for t in terms)
            if not float(np.max(np.abs(sum(terms)))) <= TOLERANCE * size:
                return False
        return self.repeats(function)

    def repeats(self, *functions: sympy.Expr) -> bool:
        """Return whether functions have the periods."""
        names = self.unknown.args
        lower, upper = map(np.array, self.geometry.bounding_box)
        shares = np.linspace(0.05, 0.95, 13)[:, None]
        X = (lower + (upper - lower) * ((shares * np.sqrt([2, 3, 5, 7][: len(names)])) % 1)).T
        for c, period in self.periods.items():
            there = X + period * np.array([[float(c == name)] for name in names])
            for function in functions:
                if not self._known(function):
                    return False
                evaluate = sympy.lambdify(names, function, cse=True)
                u, v = evaluate(*X), evaluate(*there)
                if not np.max(np.abs(u - v)) <= TOLERANCE * (1 + np.max(np.abs(u))):
                    return False
        return True

    def _test_function(self) -> sympy.Expr:
        """Return a smooth function with the periods in the place of N."""
        result = sympy.Rational(1, 2)
        lower, upper = self.geometry.bounding_box
        for i, (c, a, b) in enumerate(zip(self.unknown.args, lower, upper, strict=True)):
            width = self.periods[c] / (2 * np.pi) if c in self.periods else (b - a) / 2
            s = (c - sympy.Rational(repr(a))) / sympy.Rational(repr(float(width)))
            result *= 1 + sympy.sin(s + sympy.Rational(i + 1, 3)) / 2
        return result


def common_periods(
    geometry: Boundary, conditions: Iterable[Condition], fields: Sequence[AppliedUndef]
) -> dict[sympy.Symbol, float]:
    """Return the periods that all fields have by their conditions and that their values have."""
    given: dict[sympy.Symbol, dict[str, float]] = {}
    listed = [c for c in conditions if isinstance(c, BoundaryCondition)]
    for c in listed:
        for name in c.fields:
            form = c.hard_form(name)
            if isinstance(form, PeriodicForm):
                given.setdefault(sympy.Symbol(form.coordinate), {})[name] = form.period
    names = {f.func.__name__ for f in fields}
    found = {
        x: next(iter(periods.values()))
        for x, periods in given.items()
        if set(periods) == names and len(set(periods.values())) == 1
    }
    for x, period in list(found.items()):
        for f in fields:
            own = [c for c in listed if f.func.__name__ in c.fields]
            builder = Builder(geometry, f, f, own, {x: period})
            if x in found and not (x in f.args and builder.repeats(*builder.value_form())):
                del found[x]
    return found


def _twice(values: Mapping[BoundaryCondition, ValueForm]) -> set[BoundaryCondition]:
    """Return the conditions that fix the normal derivative as well."""
    return {c for c, form in values.items() if form.power == 2}


def _asked_first(conditions: Iterable[BoundaryCondition]) -> list[BoundaryCondition]:
    """Return conditions, those that must be exact before others that might stand in their way."""
    return sorted(conditions, key=lambda c: not c.hard)


def _greedy(
    conditions: Sequence[BoundaryCondition],
    attempt: Callable[[Sequence[BoundaryCondition]], Result | None],
) -> tuple[Result | None, list[BoundaryCondition]]:
    """Return the result for all conditions, or for as many as can be added one after another."""
    if not conditions:
        return None, []
    whole = attempt(conditions)
    if whole is not None:
        return whole, list(conditions)
    best: Result | None = None
    accepted: list[BoundaryCondition] = []
    for c in conditions:
        if len(conditions) > 1 and (result := attempt([*accepted, c])) is not None:
            best, accepted = result, [*accepted, c]
    return best, accepted

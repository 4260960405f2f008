"""Patterns of operations, and rules that replace what a pattern matches by another one.

A pattern is a small tree: ``op("mul", x, full(1.0))`` with ``x = var("x")``. In a source,
variables are bound, the same variable twice wants the same value, and attributes that are not
mentioned may be anything. In a result, an attribute may be a function of the match.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..ir.compare import same_attribute
from ..ir.program import Value
from ..ir.types import Attribute, Attributes, Literal, TensorType

__all__ = [
    "AttributePattern", "Filled", "Match", "OperationPattern", "Pattern", "Rule", "Variable",
    "attr", "bind_attributes", "bind_value", "full", "number_of", "op", "orders", "resolve", "var",
    "variables",
]  # fmt: skip


@dataclass(frozen=True)
class Variable:
    """Any value; in a result, the value that the source bound."""

    name: str


@dataclass(frozen=True)
class AttributeVariable:
    """Any attribute; in a result, the attribute that the source bound."""

    name: str


@dataclass(frozen=True)
class Filled:
    """An array filled with a number; in a result, of the type of the whole result."""

    number: float


class Match:
    """What a source has bound: values, attributes, and the type of the matched result."""

    __slots__ = ("attributes", "type", "values")

    def __init__(self, type: TensorType) -> None:
        self.type = type
        self.values: dict[str, Value] = {}
        self.attributes: dict[str, Attribute] = {}

    def __getitem__(self, name: str) -> Attribute:
        return self.attributes[name]

    def type_of(self, name: str) -> TensorType:
        """Return the type of a bound value."""
        return self.values[name].type

    def axes(self, name: str) -> tuple[int, ...]:
        """Return a bound attribute that is a tuple of integers."""
        value = self.attributes[name]
        assert isinstance(value, tuple)
        return tuple(v for v in value if isinstance(v, int))

    def number(self, name: str) -> float:
        """Return a bound attribute that is a literal with one number."""
        literal = self.attributes[name]
        assert isinstance(literal, Literal)
        number: float = literal.array.item()
        return number


Computed = Callable[[Match], Attribute]
AttributePattern = Attribute | AttributeVariable | Computed


@dataclass(frozen=True)
class OperationPattern:
    """An operation by name, with patterns for operands and attributes."""

    name: str
    operands: tuple[Pattern, ...]
    attributes: Mapping[str, AttributePattern] = field(default_factory=dict)


Pattern = Variable | Filled | OperationPattern


@dataclass(frozen=True)
class Rule:
    """Replace what `source` matches, where `constraint` holds, by `result`.

    Parameters
    ----------
    name
        Named in errors.
    source
        An operation pattern.
    result
        A pattern over the variables of the source; its type must be the type of what it replaces.
    constraint
        Predicate on the match; none means always.
    """

    name: str
    source: OperationPattern
    result: Pattern
    constraint: Callable[[Match], bool] | None = None


def var(name: str) -> Variable:
    """Return a variable for a value."""
    return Variable(name)


def attr(name: str) -> AttributeVariable:
    """Return a variable for an attribute."""
    return AttributeVariable(name)


def full(number: float) -> Filled:
    """Return the pattern of an array filled with a number; -0.0 is not 0.0."""
    return Filled(number)


def op(name: str, /, *operands: Pattern, **attributes: AttributePattern) -> OperationPattern:
    """Return the pattern of an operation."""
    return OperationPattern(name, operands, attributes)


def orders(pattern: Pattern, commutative: Callable[[str], bool]) -> Iterator[Pattern]:
    """Yield the pattern with the operands of commutative operations in every order."""
    if not isinstance(pattern, OperationPattern):
        yield pattern
        return
    inner = [list(orders(o, commutative)) for o in pattern.operands]
    for operands in itertools.product(*inner):
        yield OperationPattern(pattern.name, operands, pattern.attributes)
        swapped = operands[::-1]
        if len(operands) == 2 and commutative(pattern.name) and _differ(*operands):
            yield OperationPattern(pattern.name, swapped, pattern.attributes)


def _differ(a: Pattern, b: Pattern) -> bool:
    """Whether exchanging two patterns can make a difference: not for two free variables."""
    return not (isinstance(a, Variable) and isinstance(b, Variable))


def bind_value(pattern: Pattern, value: Value, match: Match) -> bool:
    """Match a value against a pattern, binding variables; return whether it fits."""
    if isinstance(pattern, Variable):
        return match.values.setdefault(pattern.name, value) is value
    operation = value.operation
    if operation is None:
        return False
    if isinstance(pattern, Filled):
        return operation.name == "full" and _is_number(number_of(value), pattern.number)
    return (
        operation.name == pattern.name
        and len(operation.operands) == len(pattern.operands)
        and all(map(bind_value, pattern.operands, operation.operands, itertools.repeat(match)))
        and bind_attributes(pattern.attributes, operation.attributes, match)
    )


def number_of(value: Value) -> float | None:
    """Return the number that an array is filled with, if it is made by `full`."""
    operation = value.operation
    if operation is None or operation.name != "full":
        return None
    literal = operation.attributes["value"]
    assert isinstance(literal, Literal)
    number: float = literal.array.item()
    return number


def _is_number(got: float | None, expected: float) -> bool:
    """Equal numbers; zeros of floating type must have equal signs."""
    if got is None or got != expected:
        return False
    return not isinstance(got, float) or math.copysign(1.0, got) == math.copysign(1.0, expected)


def bind_attributes(
    patterns: Mapping[str, AttributePattern], attributes: Attributes, match: Match
) -> bool:
    """Match the mentioned attributes, binding variables; return whether they fit."""
    for key, pattern in patterns.items():
        value = attributes[key]
        if isinstance(pattern, AttributeVariable):
            known = match.attributes.setdefault(pattern.name, value)
            if known is not value and not same_attribute(known, value):
                return False
        elif callable(pattern) or not same_attribute(pattern, value):
            return False
    return True


def resolve(patterns: Mapping[str, AttributePattern], match: Match) -> Attributes:
    """Return the attributes of a result."""
    found: Attributes = {}
    for key, pattern in patterns.items():
        if isinstance(pattern, AttributeVariable):
            found[key] = match.attributes[pattern.name]
        else:
            found[key] = pattern(match) if callable(pattern) else pattern
    return found


def variables(pattern: Pattern) -> Sequence[str]:
    """Return the names of the value variables of a pattern."""
    if isinstance(pattern, Variable):
        return [pattern.name]
    if isinstance(pattern, Filled):
        return []
    return [name for operand in pattern.operands for name in variables(operand)]

"""The driver of rewrites: one walk over a program, rules to a fixed point at every operation.

The new program is built operation by operation, so equal operations are shared and a rule sees
operands that are already simplified. Rules are looked up by the names of an operation and of the
operations of its operands, so that a program pays for the rules that can match, not for all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..errors import RegistryError, VerifyError
from ..ir.builder import Builder
from ..ir.dead_code import drop_dead
from ..ir.program import Operation, Program, Value
from ..ir.types import Attributes, Literal, TensorType
from ..ops.primitive import Primitive
from .constants import fold_constant
from .patterns import (
    Filled,
    Match,
    OperationPattern,
    Pattern,
    Rule,
    Variable,
    bind_attributes,
    bind_value,
    orders,
    resolve,
    variables,
)

__all__ = ["RuleSet", "rewrite"]

# More applications of rules than this at one operation of the source mean that rules undo each
# other.
_MOST_STEPS = 200


@dataclass(frozen=True)
class _Candidate:
    rule: Rule
    source: OperationPattern

    def may_match(self, below: Sequence[str | None]) -> bool:
        """Whether the names of the operations of the operands allow a match."""
        return len(below) == len(self.source.operands) and all(
            isinstance(pattern, Variable)
            or name == ("full" if isinstance(pattern, Filled) else pattern.name)
            for pattern, name in zip(self.source.operands, below, strict=True)
        )


class RuleSet:
    """Rules by the name of the operation they replace, checked once.

    Parameters
    ----------
    rules
        Tried in this order; the first that matches is applied.
    registry
        The records of the primitives that the rules name.

    Raises
    ------
    RegistryError
        If a rule names an unknown primitive, or its result a variable its source does not bind.
    """

    def __init__(self, rules: Iterable[Rule], registry: Mapping[str, Primitive]) -> None:
        self.registry = registry
        self._by_root: dict[str, list[_Candidate]] = {}
        self._by_names: dict[tuple[str | None, ...], list[_Candidate]] = {}
        for rule in rules:
            self._check(rule, rule.source)
            self._check(rule, rule.result)
            unbound = set(variables(rule.result)) - set(variables(rule.source))
            if unbound:
                raise RegistryError(
                    f"rule {rule.name!r}: the result uses {sorted(unbound)}, "
                    "which the source does not bind"
                )
            for source in orders(rule.source, lambda name: registry[name].commutative):
                assert isinstance(source, OperationPattern)
                self._by_root.setdefault(source.name, []).append(_Candidate(rule, source))

    def _check(self, rule: Rule, pattern: Pattern) -> None:
        if not isinstance(pattern, OperationPattern):
            return
        if pattern.name not in self.registry:
            raise RegistryError(f"rule {rule.name!r}: no primitive is called {pattern.name!r}")
        for operand in pattern.operands:
            self._check(rule, operand)

    def candidates(self, name: str, operands: Sequence[Value]) -> list[_Candidate]:
        """Return the rules that may match an operation, judged by names alone."""
        below = [None if o.operation is None else o.operation.name for o in operands]
        key = (name, *below)
        found = self._by_names.get(key)
        if found is None:
            found = [c for c in self._by_root.get(name, ()) if c.may_match(below)]
            self._by_names[key] = found
        return found


def rewrite(
    program: Program,
    rules: RuleSet | Iterable[Rule],
    registry: Mapping[str, Primitive],
    *,
    fold: bool = True,
) -> Program:
    """Return an equal program to which no rule applies any more.

    Parameters
    ----------
    program
        A verified program; operations that are not primitives are copied with their regions.
    rules
        Rules, or a `RuleSet` made of them once.
    registry
        The records of primitives.
    fold
        Whether operations on small constants are evaluated.

    Returns
    -------
    Program
        With equal operations shared and unused ones dropped.

    Raises
    ------
    VerifyError
        If rules go on for ever, or a rule changes the type of what it replaces; names the rule.

    Notes
    -----
    Linear in the number of operations, for a bounded number of rule applications at each.
    """
    prepared = rules if isinstance(rules, RuleSet) else RuleSet(rules, registry)
    builder = Builder()
    mapping: dict[Value, Value] = {v: builder.argument(v.type, v.hint) for v in program.inputs}
    driver = _Driver(builder, prepared, registry, fold)
    for operation in program.operations:
        operands = [mapping[v] for v in operation.operands]
        if operation.name in registry:
            mapping[operation.result] = driver.start(operation, operands)
        else:
            types = [r.type for r in operation.results]
            copy = Operation(
                operation.name, operands, operation.attributes, types, operation.regions
            )
            builder.append(copy)
            mapping.update(zip(operation.results, copy.results, strict=True))
    return drop_dead(builder.finish(program.name, [mapping[v] for v in program.outputs]))


class _Driver:
    def __init__(
        self, builder: Builder, rules: RuleSet, registry: Mapping[str, Primitive], fold: bool
    ) -> None:
        self.builder = builder
        self.rules = rules
        self.registry = registry
        self.fold = fold
        self.steps = 0

    def start(self, operation: Operation, operands: Sequence[Value]) -> Value:
        """Bring one operation of the source program into the new one."""
        self.steps = 0
        return self.emit(operation.name, operands, operation.attributes, operation.result.type)

    def emit(
        self, name: str, operands: Sequence[Value], attributes: Attributes, type: TensorType
    ) -> Value:
        """Emit an operation, or what the rules make of it."""
        for candidate in self.rules.candidates(name, operands):
            match = Match(type)
            source, constraint = candidate.source, candidate.rule.constraint
            if (
                all(map(bind_value, source.operands, operands, [match] * len(operands)))
                and bind_attributes(source.attributes, attributes, match)
                and (constraint is None or constraint(match))
            ):
                return self._apply(candidate.rule, match)
        record = self.registry[name]
        if self.fold:
            folded = fold_constant(record, operands, attributes, type)
            if folded is not None:
                name, attributes = folded
                operands, record = (), self.registry[name]
        return self.builder.emit(name, operands, attributes, [type], record.commutative).result

    def _apply(self, rule: Rule, match: Match) -> Value:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise VerifyError(
                f"rule {rule.name!r} was applied without end ({_MOST_STEPS} applications at one "
                "operation); two rules undo each other, give one of them a constraint"
            )
        result = self._build(rule.result, match, match.type)
        if result.type != match.type:
            raise VerifyError(
                f"rule {rule.name!r} must give {match.type}, the type of what it replaces, "
                f"got {result.type}"
            )
        return result

    def _build(self, pattern: Pattern, match: Match, type: TensorType | None = None) -> Value:
        if isinstance(pattern, Variable):
            return match.values[pattern.name]
        if isinstance(pattern, Filled):
            literal = Literal.of(np.asarray(pattern.number, match.type.dtype))
            return self.emit("full", (), {"value": literal, "shape": match.type.shape}, match.type)
        operands = [self._build(o, match) for o in pattern.operands]
        attributes = resolve(pattern.attributes, match)
        inferred = self.registry[pattern.name].infer([v.type for v in operands], attributes)
        if type is not None and inferred != type:
            # reported by the caller, which knows the rule
            return self.builder.emit(pattern.name, operands, attributes, [inferred]).result
        return self.emit(pattern.name, operands, attributes, inferred)

"""Simplification: the declared rules, constants, shared and unused operations."""

from __future__ import annotations

import functools

from ..ir.program import Program
from ..ops.primitive import primitives
from .patterns import Rule
from .rewriter import RuleSet, rewrite
from .rules.arithmetic import ARITHMETIC
from .rules.movement import MOVEMENT
from .rules.one_hot import ONE_HOT
from .rules.orientation import ORIENTATION
from .rules.outer_products import OUTER_PRODUCTS
from .rules.products import PRODUCTS

__all__ = ["RULES", "simplify"]

RULES: tuple[Rule, ...] = (
    *ARITHMETIC, *MOVEMENT, *PRODUCTS, *OUTER_PRODUCTS, *ONE_HOT, *ORIENTATION,
)  # fmt: skip


@functools.cache
def _rule_set() -> RuleSet:
    return RuleSet(RULES, primitives)


def simplify(program: Program) -> Program:
    """Return an equal program with less work.

    Elementwise rules and movements give the same bits; the square of an `integer_pow`, products
    with a repeated operand and sums over outer products are equal up to rounding. A program is
    simplified before it is tiled; derivatives are taken of programs as traced.

    Examples
    --------
    >>> from sciml.framework.ir.parser import parse_program
    >>> print(simplify(parse_program('''
    ... program @f(%0: f64[3]) -> (f64[3]) {
    ...   %1 = tensor.neg(%0) : f64[3]
    ...   %2 = tensor.sub(%0, %1) : f64[3]
    ...   return %2
    ... }''')))
    program @f(%0: f64[3]) -> (f64[3]) {
      %1 = tensor.add(%0, %0) : f64[3]
      return %1
    }
    """
    return rewrite(program, _rule_set(), primitives)

"""Expressions flattened to a list of operations on arrays, each computed once."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import sympy

import sciml.framework as framework
from sciml.framework.errors import EquationError

from .functions import FUNCTIONS

# A slot is a position among the inputs and results; another number stands for itself.
Operand = int | float | complex


@dataclass(frozen=True)
class Step:
    """One operation; its result takes the next slot."""

    name: str
    operands: tuple[Operand, ...]
    power: int = 1


@dataclass(frozen=True)
class Tape:
    """Operations in order, from inputs to outputs.

    Parameters
    ----------
    inputs
        Number of inputs; they take the first slots.
    steps
        Operations.
    outputs
        Slot or number of each result.
    """

    inputs: int
    steps: tuple[Step, ...]
    outputs: tuple[Operand, ...]

    def __call__(self, values: Sequence[Any]) -> list[Any]:
        """Return the outputs for arrays (NumPy or traced) in the order of the inputs."""
        slots = list(values)
        for step in self.steps:
            operands = [slots[o] if isinstance(o, int) else o for o in step.operands]
            if step.name == "power":
                slots.append(operands[0] ** step.power)
            else:
                slots.append(_EVALUATE[step.name](*operands))
        return [slots[o] if isinstance(o, int) else o for o in self.outputs]


_EVALUATE: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        "add": operator.add,
        "sub": operator.sub,
        "mul": operator.mul,
        "div": operator.truediv,
        "neg": operator.neg,
        "pow": operator.pow,
        **{f.evaluate: getattr(framework, f.evaluate) for f in FUNCTIONS.values()},
        "conj": framework.conj,
        "real": framework.real,
        "imag": framework.imag,
    }
)

_EVALUATE_NAME = {
    **{f.symbol: f.evaluate for f in FUNCTIONS.values() if isinstance(f.symbol, type)},
    sympy.conjugate: "conj",
    sympy.re: "real",
    sympy.im: "imag",
}


def record(
    expressions: Sequence[sympy.Expr],
    inputs: Sequence[sympy.Symbol],
    complex_valued: bool = False,
) -> Tape:
    """Return the tape of expressions in the input symbols, with common subexpressions shared.

    Complex numbers occur in it only if `complex_valued`.

    Raises
    ------
    EquationError
        If an expression holds a function or a number with no evaluation over the reals, or over
        the complex numbers if `complex_valued`.
    """
    shared, reduced = sympy.cse(list(expressions), symbols=sympy.numbered_symbols("@"))
    recorder = _Recorder(inputs, complex_valued)
    for symbol, value in shared:
        recorder.known[symbol] = recorder.visit(value)
    outputs = tuple(recorder.visit(e) for e in reduced)
    return Tape(len(inputs), tuple(recorder.steps), outputs)


class _Recorder:
    """Walks expressions and appends steps, reusing a step that was taken before."""

    def __init__(self, inputs: Sequence[sympy.Symbol], complex_valued: bool) -> None:
        self.complex_valued = complex_valued
        self.offset = len(inputs)
        self.known: dict[sympy.Expr, Operand] = {s: i for i, s in enumerate(inputs)}
        self.steps: list[Step] = []
        self.taken: dict[tuple[Step, tuple[type, ...]], int] = {}

    def emit(self, name: str, *operands: Operand, power: int = 1) -> int:
        step = Step(name, operands, power)
        # With the types, since the slot 2 and the number 2.0 are equal as keys.
        key = (step, tuple(map(type, operands)))
        if key not in self.taken:
            self.taken[key] = self.offset + len(self.steps)
            self.steps.append(step)
        return self.taken[key]

    def visit(self, e: sympy.Expr) -> Operand:
        if e not in self.known:
            self.known[e] = self._visit(e)
        return self.known[e]

    def _visit(self, e: sympy.Expr) -> Operand:
        if e.is_number:
            return self._number(e)
        if e.is_Add:
            return self._add(e)
        if e.is_Mul:
            return self._mul(e)
        if e.is_Pow:
            return self._pow(e.base, e.exp)
        name = _EVALUATE_NAME.get(e.func)
        if name is None:
            raise EquationError(
                f"{e} cannot be evaluated: {type(e).__name__} is not among the functions "
                f"{', '.join(FUNCTIONS)}"
            )
        arguments = [self.visit(a) for a in e.args]
        if len(arguments) == 1 or name == "atan2":
            return self.emit(name, *arguments)
        result = arguments[0]
        for argument in arguments[1:]:
            result = self.emit(name, result, argument)
        return result

    def _add(self, e: sympy.Expr) -> Operand:
        # Numbers last and positive terms first, so that the sum starts with an array and no term
        # is negated on its own.
        terms = sorted(e.args, key=lambda t: (t.is_number, t.could_extract_minus_sign()))
        result = self.visit(terms[0])
        for term in terms[1:]:
            if term.is_number:
                result = self.emit("add", result, self._number(term))
            elif term.could_extract_minus_sign():
                result = self.emit("sub", result, self.visit(-term))
            else:
                result = self.emit("add", result, self.visit(term))
        return result

    def _mul(self, e: sympy.Expr) -> Operand:
        numbers = sympy.Mul(*(f for f in e.args if f.is_number))
        factors = [f for f in e.args if not f.is_number]
        below = [f for f in factors if f.is_Pow and f.exp.is_Rational and f.exp.is_negative]
        above = [f for f in factors if f not in below]
        result = self._product(above)
        if below:
            divisor = self._product([f.base ** (-f.exp) for f in below])
            result, numbers = self._divide(result, divisor, numbers)
        assert result is not None
        factor = self._number(numbers)
        if factor == 1.0:
            return result
        return self.emit("neg", result) if factor == -1.0 else self.emit("mul", result, factor)

    def _divide(
        self, result: Operand | None, divisor: Operand | None, numbers: sympy.Expr
    ) -> tuple[Operand, sympy.Expr]:
        assert divisor is not None
        if result is None:  # the number is the numerator
            return self.emit("div", self._number(numbers), divisor), sympy.Integer(1)
        return self.emit("div", result, divisor), numbers

    def _product(self, factors: Sequence[sympy.Expr]) -> Operand | None:
        result: Operand | None = None
        for factor in factors:
            value = self.visit(factor)
            result = value if result is None else self.emit("mul", result, value)
        return result

    def _pow(self, base: sympy.Expr, exponent: sympy.Expr) -> Operand:
        if exponent.is_Rational and exponent.is_negative:
            return self.emit("div", 1.0, self.visit(base**-exponent))
        if exponent.is_Integer:
            return self.emit("power", self.visit(base), power=int(exponent))
        if exponent.is_Rational and exponent.q == 2:
            root = self.emit("sqrt", self.visit(base))
            return root if exponent.p == 1 else self.emit("power", root, power=int(exponent.p))
        return self.emit("pow", self.visit(base), self.visit(exponent))

    def _number(self, e: sympy.Expr) -> float | complex:
        if e.is_Rational:
            return int(e.p) / int(e.q)
        value = e.evalf(30)
        if value.is_real and value.is_finite:
            return float(value)
        if self.complex_valued and value.is_finite:
            return complex(value)
        raise EquationError(f"{e} is not a finite real number")

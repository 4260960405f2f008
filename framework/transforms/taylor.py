"""Taylor mode: truncated multivariate Taylor polynomials pushed through a program.

A value is replaced by a `Series`: its coefficient for a multi-index a is the normalised
derivative (1/a!) d^|a| y / dx^a. Coefficients are made when asked for, so that exactly the
downward-closed set below the requested multi-indices is computed.

The rules follow from the records, none is written by hand:

- jointly linear operations act on each coefficient;
- products convolve: (x y)_a = sum over b <= a of x_b y_(a-b);
- every other y = f(x) obeys dy/dx_i = J(x, y) dx/dx_i with J given by its JVP, so
  a_i y_a = [J(x, y)(dx/dx_i)]_(a - e_i), a program in series one order lower. Equal series are
  shared, which closes recurrences such as tanh' = 1 - tanh^2 or sin' = cos, cos' = -sin.

References
----------
Griewank, Walther: Evaluating Derivatives (2nd ed., 2008), chapter 13.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence

from ..errors import DifferentiationError
from ..ir.builder import Builder
from ..ir.dead_code import drop_dead
from ..ir.program import Program
from ..ir.types import Attributes, TensorType
from ..ops.elementwise import add, filled, mul
from ..ops.primitive import Interpreted, Operand, Primitive, bind, building, owned, type_of
from .trace import inline

__all__ = [
    "MultiIndex", "Series", "TaylorContext", "below", "coefficient", "taylor_program",
]  # fmt: skip

MultiIndex = tuple[int, ...]


def below(a: MultiIndex) -> Iterator[MultiIndex]:
    """Yield every multi-index b <= a."""
    return itertools.product(*(range(n + 1) for n in a))


def _minus(a: MultiIndex, b: MultiIndex) -> MultiIndex:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _unit(variables: int, i: int) -> MultiIndex:
    return tuple(int(k == i) for k in range(variables))


class TaylorContext:
    """The variables of an expansion, and the series already made, by their definition."""

    def __init__(self, variables: int) -> None:
        self.variables = variables
        self.known: dict[object, Operand] = {}
        self.kept: list[Sequence[Operand]] = []
        self.zero: MultiIndex = (0,) * variables

    def input(self, value: Operand, coefficients: Mapping[MultiIndex, Operand]) -> Series:
        """Return the series of an input from its coefficients above order zero."""
        table = {self.zero: value, **coefficients}
        return Series(self, type_of(value), table.get)


class Series(Interpreted):
    """A value as a polynomial in the expansion variables; coefficient None means zero."""

    __slots__ = ("_compute", "_memo", "context", "type")

    def __init__(
        self,
        context: TaylorContext,
        type: TensorType,
        compute: Callable[[MultiIndex], Operand | None],
    ) -> None:
        self.context = context
        self.type = type
        self._compute = compute
        self._memo: dict[MultiIndex, Operand | None] = {}

    def coefficient(self, a: MultiIndex) -> Operand | None:
        """Return the normalised coefficient of a multi-index."""
        if a not in self._memo:
            self._memo[a] = self._compute(a)
        return self._memo[a]

    def interpret(
        self, primitive: Primitive, operands: Sequence[Operand], attributes: Attributes
    ) -> Operand:
        context = self.context
        key = (primitive.name, *(id(o) for o in operands), *attributes.items())
        if key not in context.known:
            context.known[key] = _apply(context, primitive, tuple(operands), attributes)
            # the operands are kept alive with the entry, since the key holds only their identities
            context.kept.append(operands)
        return context.known[key]


def coefficient(x: Operand, a: MultiIndex) -> Operand | None:
    """Return the normalised coefficient of a series, or of a constant: None above order zero."""
    if isinstance(x, Series):
        return x.coefficient(a)
    return x if not any(a) else None


def _constant_part(context: TaylorContext, x: Operand) -> Operand:
    part = coefficient(x, context.zero)
    if part is None:
        raise DifferentiationError("a series without a value of order zero")
    return part


def _apply(
    context: TaylorContext,
    primitive: Primitive,
    operands: tuple[Operand, ...],
    attributes: Attributes,
) -> Operand:
    bases = [_constant_part(context, o) for o in operands]
    base = bind(primitive, bases, attributes)
    if primitive.linearity == "constant":
        return base
    rule: Callable[[MultiIndex], Operand | None]
    if primitive.linearity == "joint":

        def rule(a: MultiIndex) -> Operand | None:
            parts = [coefficient(o, a) for o in operands]
            return primitive.jvp(base, bases, parts, attributes)

    elif primitive.linearity == "multi":

        def rule(a: MultiIndex) -> Operand | None:
            return _convolve(primitive, operands[0], operands[1], a, attributes)

    else:
        slopes: dict[int, Operand | None] = {}

        def rule(a: MultiIndex) -> Operand | None:
            # the variable with the smallest order gives the fewest terms
            i = min((n, k) for k, n in enumerate(a) if n)[1]
            if i not in slopes:
                moved = [_derivative(o, i) for o in operands]
                slopes[i] = primitive.jvp(series, operands, moved, attributes)
            slope = slopes[i]
            if slope is None:
                return None
            part = coefficient(slope, _minus(a, _unit(context.variables, i)))
            if part is None or a[i] == 1:
                return part
            return mul(part, filled(1.0 / a[i], part))

    def compute(a: MultiIndex) -> Operand | None:
        return rule(a) if any(a) else base

    series = Series(context, type_of(base), compute)
    return series


def _derivative(x: Operand, i: int) -> Operand | None:
    """Return the series of dx/dx_i."""
    if not isinstance(x, Series):
        return None
    context = x.context
    key = ("derivative", id(x), i)
    if key not in context.known:

        def compute(b: MultiIndex) -> Operand | None:
            raised = tuple(n + (k == i) for k, n in enumerate(b))
            part = x.coefficient(raised)
            if part is None or raised[i] == 1:
                return part
            return mul(part, filled(float(raised[i]), part))

        context.known[key] = Series(context, x.type, compute)
    return context.known[key]


def _convolve(
    primitive: Primitive, x: Operand, y: Operand, a: MultiIndex, attributes: Attributes
) -> Operand | None:
    """Return the sum over b <= a of x_b y_(a-b); a square takes each pair once, doubled."""
    square = x is y and primitive.commutative
    total: Operand | None = None
    middle: Operand | None = None
    for b in below(a):
        c = _minus(a, b)
        if square and b > c:
            break
        left, right = coefficient(x, b), coefficient(y, c)
        if left is None or right is None:
            continue
        term = bind(primitive, (left, right), attributes)
        if square and b == c:
            middle = term
            continue
        total = term if total is None else add(total, term)
    if square and total is not None:
        total = mul(total, filled(2.0, total))
    if middle is None or total is None:
        return total if middle is None else middle
    return add(total, middle)


def taylor_program(
    program: Program,
    seeds: Sequence[Sequence[MultiIndex]],
    wanted: Sequence[MultiIndex],
) -> Program:
    """Expand a program.

    Parameters
    ----------
    program
        The function to expand.
    seeds
        For each input the multi-indices of the coefficients that are given; the result takes,
        after each input, one input for each of them.
    wanted
        The multi-indices of the coefficients to return.

    Returns
    -------
    Program
        (input, its coefficients, next input, ...) -> for each output the wanted coefficients.
    """
    variables = len(wanted[0])
    builder = Builder()
    context = TaylorContext(variables)
    with building(builder):
        operands: list[Operand] = []
        for value, indices in zip(program.inputs, seeds, strict=True):
            base = builder.argument(value.type)
            given: dict[MultiIndex, Operand] = {
                tuple(a): builder.argument(value.type) for a in indices
            }
            operands.append(context.input(base, given) if given else base)
        results = []
        for output in inline(program, operands):
            zero = _constant_part(context, output)
            for a in wanted:
                part = coefficient(output, tuple(a))
                results.append(owned(builder, filled(0.0, zero) if part is None else part))
    return drop_dead(builder.finish(f"{program.name}_taylor", results))

"""From symbolic residuals to functions of arrays: one propagation of derivatives per field."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

import sciml.framework as framework
from sciml.framework.errors import EquationError
from sciml.framework.ops.tensor import is_complex

from .functions import over_the_reals
from .tape import Tape, record

MultiIndex = tuple[int, ...]
FieldFunction = Callable[[Any], Any]


@dataclass(frozen=True)
class LoweredResidual:
    """Named expressions ready to be evaluated at points.

    Parameters
    ----------
    names
        Names of the expressions.
    coordinates, parameters
        Names of the columns of X and of the further arrays.
    derivatives
        Multi-indices each field is needed at, sorted by order; (0, ..., 0) is the value.
    tape
        Operations from columns, parameters and derivatives, in this order, to the expressions.
    """

    names: tuple[str, ...]
    coordinates: tuple[str, ...]
    parameters: tuple[str, ...]
    derivatives: Mapping[str, tuple[MultiIndex, ...]]
    tape: Tape

    @property
    def order(self) -> int:
        """Order of the highest derivative needed."""
        return max((sum(a) for indices in self.derivatives.values() for a in indices), default=0)

    def __call__(
        self, field_functions: Mapping[str, FieldFunction], X: Any, **arrays: Any
    ) -> dict[str, Any]:
        """Evaluate the expressions at points.

        Parameters
        ----------
        field_functions
            For each field a function from X to values of shape (n,), each from its own row.
        X
            Points, shape (n, d); a NumPy array or a traced tensor.
        **arrays
            A number or an array of shape (n,) for each parameter.

        Returns
        -------
        dict
            Array of shape (n,) for each name.

        Raises
        ------
        EquationError
            If a field or parameter is missing or not known, or a shape does not fit.
        """
        if len(X.shape) != 2 or X.shape[1] != len(self.coordinates):
            raise EquationError(
                f"points must have shape (n, {len(self.coordinates)}) for the coordinates "
                f"{', '.join(self.coordinates)}, got {tuple(X.shape)}"
            )
        _match("field function", self.derivatives, field_functions)
        _match("parameter", self.parameters, arrays)
        values = [X[:, i] for i in range(len(self.coordinates))]
        values += [_column(name, arrays[name]) for name in self.parameters]
        for field, indices in self.derivatives.items():
            values += _field_values(field, field_functions[field], indices, X)
        outputs = self.tape(values)
        zero = None
        for i, output in enumerate(outputs):
            if is_complex(output):
                output = framework.Complex(output)
            if isinstance(output, float) or output.shape == ():
                zero = framework.zeros_like(X[:, 0]) if zero is None else zero
                output = zero + output
            outputs[i] = output
        return dict(zip(self.names, outputs, strict=True))


def lower(
    expressions: Mapping[str, sympy.Expr],
    coordinates: Sequence[sympy.Symbol],
    fields: Iterable[AppliedUndef | str],
    parameters: Iterable[sympy.Symbol | str] = (),
    complex_valued: bool = False,
) -> LoweredResidual:
    """Lower expressions to a function of points.

    Parameters
    ----------
    expressions
        Named expressions in coordinates, fields, their derivatives and parameters.
    coordinates
        Symbols of the columns of X, in order.
    fields
        Applied functions such as ``w(x, y)``; a bare name depends on all coordinates.
    parameters
        Further symbols, whose values are given with the points: normals, unknown coefficients.
    complex_valued
        Keep the imaginary unit, conjugate, re and im, which are otherwise refused or, since all
        symbols and fields are taken as real, simplified away.

    Returns
    -------
    LoweredResidual
        Callable with field functions and points.

    Raises
    ------
    EquationError
        If an expression names a field, coordinate or parameter that is not declared, or a
        function that cannot be evaluated.

    Notes
    -----
    Common subexpressions are computed once, and each field is differentiated once for all the
    derivatives it is needed at.

    Examples
    --------
    >>> x, y = sympy.symbols("x y")
    >>> w = sympy.Function("w")(x, y)
    >>> lower({"r": w.diff(x, 2) + w}, (x, y), [w]).derivatives
    {'w': ((0, 0), (2, 0))}
    """
    coordinates = tuple(coordinates)
    known = _fields(fields, coordinates)
    symbols = tuple(sympy.Symbol(p) if isinstance(p, str) else p for p in parameters)
    collector = _Collector(coordinates, known, complex_valued)
    plain = [collector.replace(name, sympy.sympify(e)) for name, e in expressions.items()]
    declared = set(coordinates) | set(symbols) | collector.placeholders
    for name, expression in zip(expressions, plain, strict=True):
        for symbol in sorted(expression.free_symbols - declared, key=str):
            raise EquationError(
                f"{name!r} names {str(symbol)!r}, which is neither a coordinate nor a parameter"
                f"{near(str(symbol), [str(s) for s in (*coordinates, *symbols)])}"
            )
    derivatives, inputs = collector.result()
    return LoweredResidual(
        tuple(expressions),
        tuple(map(str, coordinates)),
        tuple(map(str, symbols)),
        derivatives,
        record(plain, (*coordinates, *symbols, *inputs), complex_valued),
    )


class _Collector:
    """Replaces fields and their derivatives by symbols, and keeps the list of them."""

    def __init__(
        self,
        coordinates: Sequence[sympy.Symbol],
        fields: Mapping[str, AppliedUndef],
        complex_valued: bool,
    ) -> None:
        self.complex_valued = complex_valued
        self.coordinates = coordinates
        self.fields = fields
        self.found: dict[str, dict[MultiIndex, sympy.Symbol]] = {name: {} for name in fields}

    @property
    def placeholders(self) -> set[sympy.Symbol]:
        return {symbol for table in self.found.values() for symbol in table.values()}

    def result(self) -> tuple[dict[str, tuple[MultiIndex, ...]], list[sympy.Symbol]]:
        derivatives, inputs = {}, []
        for field, table in self.found.items():
            ordered = sorted(table, key=lambda a: (sum(a), a))
            if ordered:
                derivatives[field] = tuple(ordered)
                inputs += [table[a] for a in ordered]
        return derivatives, inputs

    def replace(self, name: str, expression: sympy.Expr) -> sympy.Expr:
        if not isinstance(expression, sympy.Expr):
            raise EquationError(f"{name!r} must be an expression, got {expression!r}")
        expression = (expression if self.complex_valued else over_the_reals(expression)).doit()
        table = {}
        for d in expression.atoms(sympy.Derivative):
            table[d] = self.symbol(name, d.expr, d.variables)
        # Derivatives first: their inner fields must not be replaced.
        plain = expression.xreplace(table)
        return plain.xreplace({f: self.symbol(name, f, ()) for f in plain.atoms(AppliedUndef)})

    def symbol(
        self, name: str, field: sympy.Expr, variables: Sequence[sympy.Symbol]
    ) -> sympy.Symbol:
        if not isinstance(field, AppliedUndef):
            raise EquationError(f"{name!r} holds a derivative of {field}, which is not a field")
        word = field.func.__name__
        if word not in self.fields:
            raise EquationError(
                f"{name!r} names the field {word!r}, which is not declared"
                f"{near(word, list(self.fields))}"
            )
        if field != self.fields[word]:
            raise EquationError(
                f"{name!r} names {field}, but the field was declared as {self.fields[word]}"
            )
        for variable in variables:
            if variable not in field.args:
                raise EquationError(
                    f"{name!r} holds a derivative of {word!r} in {str(variable)!r}, but {word!r} "
                    f"depends on {', '.join(map(str, field.args))}"
                )
        index = tuple(variables.count(c) for c in self.coordinates)
        text = f"{word}@{','.join(map(str, index))}"
        return self.found[word].setdefault(index, sympy.Symbol(text))


def _fields(
    fields: Iterable[AppliedUndef | str], coordinates: Sequence[sympy.Symbol]
) -> dict[str, AppliedUndef]:
    known = {}
    for field in fields:
        if isinstance(field, str):
            field = sympy.Function(field)(*coordinates)
        word = field.func.__name__
        for argument in field.args:
            if argument not in coordinates:
                raise EquationError(
                    f"the field {word!r} depends on {str(argument)!r}, which is not a coordinate"
                    f"{near(str(argument), [str(c) for c in coordinates])}"
                )
        if word in known:
            raise EquationError(f"the field {word!r} is declared twice")
        known[word] = field
    return known


def _field_values(
    name: str, function: FieldFunction, indices: Sequence[MultiIndex], X: Any
) -> list[Any]:
    if any(any(a) for a in indices):
        found = framework.derivatives(function, indices)(X)
    else:
        found = [function(X)]
    for value in found:
        if len(value.shape) != 1:
            raise EquationError(
                f"the function of field {name!r} must return shape (n,), "
                f"got {tuple(value.shape)}; take one column, for example values[:, 0]"
            )
    return list(found)


def _column(name: str, value: Any) -> Any:
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, complex):
        return value
    if not hasattr(value, "shape"):
        raise EquationError(
            f"parameter {name!r} must be a number or an array, got {type(value).__name__}"
        )
    if len(value.shape) > 1:
        raise EquationError(
            f"parameter {name!r} must be a number or have shape (n,), got {tuple(value.shape)}"
        )
    return value


def _match(kind: str, expected: Iterable[str], given: Iterable[str]) -> None:
    expected, given = list(expected), list(given)
    missing = [name for name in expected if name not in given]
    if missing:
        raise EquationError(f"no {kind} is given for {missing[0]!r}; given are {given}")
    if kind == "parameter":
        for name in given:
            if name not in expected:
                raise EquationError(f"unknown parameter {name!r}{near(name, expected)}")


def near(name: str, known: Sequence[str]) -> str:
    """Return the end of a message about an unknown name: the nearest known one, or all of them."""
    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; declared are {', '.join(known)}"

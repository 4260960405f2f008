"""From symbolic residuals to functions of arrays: one propagation of derivatives per field."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy
from sympy.core.function import AppliedUndef

import sciml.framework as framework
from sciml.framework.errors import EquationError
from sciml.framework.ops.tensor import is_complex

from .functions import over_the_reals
from .given import CoefficientFunction, GivenFunction, sources
from .integrals import Quadrature, gauss_jacobi, split_weights
from .names import near
from .places import MultiIndex, Place, locate
from .tape import Tape, record
from .unknown import UnknownParameter

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
        Multi-indices each field is needed at, sorted by order; (0, ..., 0) is the value. A field
        that is needed elsewhere only has none.
    tape
        Operations from columns, parameters, derivatives, what is needed elsewhere and integrals,
        in this order, to the expressions.
    places
        What is needed of fields at other places, such as u(x, t - tau).
    integrals
        Integral terms.
    functions
        Coefficients that are functions of the coordinates; they are among the fields.
    unknowns
        Coefficients that are unknown numbers; they come after the parameters.
    """

    names: tuple[str, ...]
    coordinates: tuple[str, ...]
    parameters: tuple[str, ...]
    derivatives: Mapping[str, tuple[MultiIndex, ...]]
    tape: Tape
    places: tuple[Place, ...] = ()
    integrals: tuple[Quadrature, ...] = ()
    functions: Mapping[str, CoefficientFunction] = dataclasses.field(default_factory=dict)
    unknowns: Mapping[str, UnknownParameter] = dataclasses.field(default_factory=dict)

    @property
    def order(self) -> int:
        """Order of the highest derivative needed."""
        needed = [*self.derivatives.values(), *(place.indices for place in self.places)]
        orders = [sum(a) for indices in needed for a in indices]
        return max([*orders, *(i.integrand.order for i in self.integrals)], default=0)

    def __call__(
        self, field_functions: Mapping[str, FieldFunction], X: Any, **arrays: Any
    ) -> dict[str, Any]:
        """Evaluate the expressions at points.

        Parameters
        ----------
        field_functions
            For each field a function from X to values of shape (n,), each from its own row. A
            coefficient that is not among them has the parameters it starts from.
        X
            Points, shape (n, d); a NumPy array or a traced tensor.
        **arrays
            A number or an array of shape (n,) for each parameter. An unknown number that is not
            among them has the value it starts from.

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
        field_functions = {
            name: self.function(name, source.initialise())
            for name, source in self.functions.items()
        } | dict(field_functions)
        arrays = {name: source.start for name, source in self.unknowns.items()} | arrays
        wanted = (*self.parameters, *self.unknowns)
        _match("field function", self.derivatives, field_functions)
        _match("parameter", wanted, arrays)
        values = [X[:, i] for i in range(len(self.coordinates))]
        parameters = {name: _column(name, arrays[name]) for name in wanted}
        values += parameters.values()
        here = list(values)
        for field, indices in self.derivatives.items():
            if indices:
                values += _field_values(field, field_functions[field], indices, X)
        for place in self.places:
            there = place.points(X, here)
            function = field_functions[place.field]
            values += _field_values(place.field, function, place.indices, there)
        for integral in self.integrals:
            fields = {name: field_functions[name] for name in integral.integrand.derivatives}
            values.append(integral(fields, X, parameters))
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

    def function(self, name: str, parameters: Any) -> FieldFunction:
        """Return a coefficient as a function of points in all coordinates."""
        source = self.functions[name]
        return lambda X: source(parameters, source.columns(X, self.coordinates))

    def check(self, X: Any) -> None:
        """Refuse points, shape (n, d), at which a coefficient has no value."""
        for name, source in self.functions.items():
            source.check(np.asarray(source.columns(np.asarray(X), self.coordinates)), name)


def lower(
    expressions: Mapping[str, sympy.Expr],
    coordinates: Sequence[sympy.Symbol],
    fields: Iterable[AppliedUndef | str],
    parameters: Iterable[sympy.Symbol | str] = (),
    complex_valued: bool = False,
    nodes: int = 32,
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
    nodes
        Number of quadrature nodes of each integral term.

    Returns
    -------
    LoweredResidual
        Callable with field functions and points.

    Raises
    ------
    EquationError
        If an expression names a field, coordinate or parameter that is not declared, or a
        function that cannot be evaluated, or an integral is not over a finite interval.

    Notes
    -----
    Common subexpressions are computed once, and each field is differentiated once for all the
    derivatives it is needed at, and once more at each other place: ``u(x, t - tau)`` is a delay,
    ``u(0, y)`` a value at a wall, and a derivative there is that of the field at that place.

    ``sympy.Integral`` terms, of Fredholm or Volterra type, are Gauss quadratures; factors
    (b - s)^beta and (s - a)^gamma with limits a and b are integrated exactly (`Quadrature`). The
    rest of the integrand should be smooth in s.

    Examples
    --------
    >>> x, y = sympy.symbols("x y")
    >>> w = sympy.Function("w")(x, y)
    >>> lower({"r": w.diff(x, 2) + w}, (x, y), [w]).derivatives
    {'w': ((0, 0), (2, 0))}
    """
    coordinates = tuple(coordinates)
    named = sources(*map(sympy.sympify, expressions.values()))
    functions = {n: node for n, node in named.items() if isinstance(node, GivenFunction)}
    numbers = {n: node for n, node in named.items() if n not in functions}
    fields = list(fields)
    known = _fields([*fields, *(n for n in functions.values() if n not in fields)], coordinates)
    symbols = tuple(sympy.Symbol(p) if isinstance(p, str) else p for p in parameters)
    plain_symbols = (*coordinates, *symbols, *(n for n in numbers.values() if n not in symbols))
    collector = _Collector(plain_symbols, len(coordinates), known, complex_valued, nodes)
    plain = [collector.replace(name, sympy.sympify(e)) for name, e in expressions.items()]
    derivatives, places, inputs = collector.result()
    for name, index in _indices(derivatives, places):
        if name in functions:
            _check_smoothness(name, functions[name].func.source, index)
    return LoweredResidual(
        tuple(expressions),
        tuple(map(str, coordinates)),
        tuple(map(str, symbols)),
        derivatives,
        record(plain, (*collector.symbols, *inputs), complex_valued),
        places,
        tuple(collector.integrals.values()),
        {name: node.func.source for name, node in functions.items()},
        {name: node.source for name, node in numbers.items() if node not in symbols},
    )


class _Collector:
    """Replaces fields, their derivatives and integrals by symbols, and keeps lists of them."""

    def __init__(
        self,
        symbols: Sequence[sympy.Symbol],
        dimension: int,
        fields: Mapping[str, AppliedUndef],
        complex_valued: bool,
        nodes: int,
    ) -> None:
        self.symbols = symbols
        self.coordinates = symbols[:dimension]
        self.fields = fields
        self.complex_valued = complex_valued
        self.nodes = nodes
        self.found: dict[str, dict[tuple[sympy.Expr, ...], dict[MultiIndex, sympy.Symbol]]] = {
            name: {} for name in fields
        }
        self.integrals: dict[sympy.Symbol, Quadrature] = {}
        self.known: dict[sympy.Integral, sympy.Expr] = {}

    def result(
        self,
    ) -> tuple[dict[str, tuple[MultiIndex, ...]], tuple[Place, ...], list[sympy.Symbol]]:
        derivatives: dict[str, tuple[MultiIndex, ...]] = {}
        places: list[Place] = []
        here, there = [], []
        inner = {name for i in self.integrals.values() for name in i.integrand.derivatives}
        for field, tables in self.found.items():
            if tables or field in inner:
                derivatives[field] = ()
            for arguments in sorted(tables, key=str):
                table = tables[arguments]
                ordered = tuple(sorted(table, key=lambda a: (sum(a), a)))
                if arguments == self.fields[field].args:
                    derivatives[field] = ordered
                    here += [table[a] for a in ordered]
                else:
                    moved = dict(zip(self.fields[field].args, arguments, strict=True))
                    columns = record([moved.get(c, c) for c in self.coordinates], self.symbols)
                    places.append(Place(field, columns, ordered))
                    there += [table[a] for a in ordered]
        return derivatives, tuple(places), [*here, *there, *self.integrals]

    def replace(self, name: str, expression: sympy.Expr) -> sympy.Expr:
        if not isinstance(expression, sympy.Expr):
            raise EquationError(f"{name!r} must be an expression, got {expression!r}")
        expression = expression if self.complex_valued else over_the_reals(expression)
        expression = expression.doit(integrals=False)
        nodes = []
        walk = sympy.preorder_traversal(expression)
        for node in walk:
            if isinstance(node, sympy.Integral | sympy.Subs | sympy.Derivative | AppliedUndef):
                nodes.append(node)
                walk.skip()  # what is inside belongs to it
        table = {}
        for node in sorted(nodes, key=sympy.default_sort_key):
            if isinstance(node, sympy.Integral):
                table[node] = self.integral(name, node)
            else:
                table[node] = self.symbol(name, node)
        plain = expression.xreplace(table)
        self.check(name, plain, set(table.values()))
        return plain

    def check(self, name: str, expression: sympy.Expr, inputs: set[sympy.Expr]) -> None:
        known = [str(s) for s in self.symbols]
        inner = {s for value in inputs for s in value.free_symbols}
        for symbol in sorted(expression.free_symbols - set(self.symbols) - inner, key=str):
            raise EquationError(
                f"{name!r} names {str(symbol)!r}, which is neither a coordinate nor a parameter"
                f"{near(str(symbol), known)}"
            )

    def symbol(self, name: str, node: sympy.Expr) -> sympy.Symbol:
        located = locate(name, node, self.fields)
        for argument in located.arguments:
            self.check(name, argument, set())
        orders = dict(zip(self.fields[located.field].args, located.orders, strict=True))
        index = tuple(orders.get(c, 0) for c in self.coordinates)
        tables = self.found[located.field]
        place = ",".join(map(str, located.arguments))
        text = f"{located.field}({place})@{','.join(map(str, index))}"
        return tables.setdefault(located.arguments, {}).setdefault(index, sympy.Symbol(text))

    def integral(self, name: str, node: sympy.Integral) -> sympy.Expr:
        if node in self.known:
            return self.known[node]
        *within, (s, *limits) = node.limits
        self.check_limits(name, node, limits)
        # Its own name, since it may be called as a coordinate is.
        bound = sympy.Symbol(f"{s}@{len(self.symbols)}")
        function = sympy.Integral(node.function, *within) if within else node.function
        outside, inside = function.subs(s, bound).as_independent(bound, as_Add=False)
        total = sympy.Integer(0)
        for (beta, gamma), smooth in split_weights(name, inside, bound, *limits).items():
            xi, w = gauss_jacobi(self.nodes, float(beta), float(gamma))
            integrand = lower(
                {name: smooth},
                self.coordinates,
                self.fields.values(),
                (*self.symbols[len(self.coordinates) :], bound),
                nodes=self.nodes,
            )
            symbol = sympy.Symbol(f"integral@{len(self.integrals)}")
            tape = record(limits, self.symbols)
            power = float(1 + beta + gamma)
            self.integrals[symbol] = Quadrature(bound.name, tape, integrand, xi, w, power)
            total += symbol
        self.known[node] = self.replace(name, outside) * total
        return self.known[node]

    def check_limits(self, name: str, node: sympy.Expr, limits: Sequence[sympy.Expr]) -> None:
        if self.complex_valued:
            raise EquationError(f"{name!r} holds {node}; integrals are of real expressions")
        if len(limits) != 2 or any(e.has(sympy.oo, -sympy.oo) for e in limits):
            raise EquationError(f"{name!r} holds {node}; expected two finite limits")
        for limit in limits:
            if limit.atoms(AppliedUndef, sympy.Integral):
                raise EquationError(
                    f"{name!r} holds {node}, whose limit {limit} depends on a field; limits are "
                    "expressions in coordinates and parameters"
                )
            self.check(name, limit, set())


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


def _indices(
    derivatives: Mapping[str, Sequence[MultiIndex]], places: Iterable[Place]
) -> Iterable[tuple[str, MultiIndex]]:
    """Yield each field with each multi-index it is needed at."""
    for field, indices in derivatives.items():
        yield from ((field, a) for a in indices)
    for place in places:
        yield from ((place.field, a) for a in place.indices)


def _check_smoothness(name: str, source: CoefficientFunction, index: MultiIndex) -> None:
    if source.smoothness is not None and max(index) > source.smoothness:
        raise EquationError(
            f"the coefficient {name!r} is differentiated {max(index)} times in one coordinate, "
            f"but is smooth up to order {source.smoothness} only; give a table with a higher "
            "degree"
        )


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

"""Differential operators in symbolic form: from an expression to an operator on functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError

from .lowering import FieldFunction, LoweredResidual, lower
from .parser import parse_expression

__all__ = ["DifferentialOperator", "differential_operator"]

Expression: TypeAlias = sympy.Expr | str
Names: TypeAlias = str | Sequence[sympy.Expr | str]


@dataclass(frozen=True)
class DifferentialOperator:
    """An operator on fields; ``L(u)`` is a function of points, a field as u is.

    Attributes
    ----------
    expressions
        What is computed, by name; one expression without a name has the name "".
    fields
        Names of the fields, in the order in which functions are given.
    lowered
        The evaluation.
    """

    expressions: Mapping[str, sympy.Expr]
    fields: tuple[str, ...]
    lowered: LoweredResidual

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the columns of the points."""
        return self.lowered.coordinates

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters."""
        return self.lowered.parameters

    @property
    def order(self) -> int:
        """Order of the highest derivative."""
        return self.lowered.order

    def __repr__(self) -> str:
        texts = [f"{n}: {e}" if n else str(e) for n, e in self.expressions.items()]
        return f"<operator {'; '.join(texts)} on {', '.join(self.fields)}>"

    def __call__(self, *functions: FieldFunction, **values: Any) -> Callable[[Any], Any]:
        """Return the function of points that the operator makes of field functions.

        Parameters
        ----------
        *functions
            For each field a function from X of shape (n, d) to (n,), each value from its own row.
            They may be given by name instead.
        **values
            A number or an array of shape () or (n,) for each parameter, traced or not.

        Returns
        -------
        callable
            X to an array of shape (n,), or to a dictionary of them for named expressions.

        Raises
        ------
        EquationError
            If a field or parameter is missing, unknown or given twice.
        """
        if len(functions) > len(self.fields):
            raise EquationError(
                f"{self!r} takes {len(self.fields)} functions, got {len(functions)}"
            )
        given = dict(zip(self.fields, functions, strict=False))
        twice = [name for name in given if name in values]
        if twice:
            raise EquationError(f"the field {twice[0]!r} is given twice")
        given |= values
        self._check(given)
        fields = {name: given[name] for name in self.fields}
        parameters = {name: given[name] for name in self.parameters}

        def evaluate(X: Any) -> Any:
            results = self.lowered(fields, X, **parameters)
            return results.get("", results)

        return evaluate

    def _check(self, given: Mapping[str, Any]) -> None:
        for name in self.fields:
            if not callable(given.get(name)):
                raise EquationError(
                    f"the field {name!r} needs a function of points, "
                    f"for example L({', '.join(self.fields)}), got {given.get(name)!r}"
                )
        for name in self.parameters:
            if name not in given:
                raise EquationError(
                    f"the parameter {name!r} has no value; give L(..., {name}=value). "
                    f"Coordinates are {', '.join(self.coordinates)}, all other symbols parameters"
                )
        for name in given:
            if name not in (*self.fields, *self.parameters):
                known = ", ".join(self.parameters) or "none"
                raise EquationError(f"unknown parameter {name!r}; the parameters are {known}")


def differential_operator(
    expression: Expression | Mapping[str, Expression],
    coordinates: Names | None = None,
    fields: Names | None = None,
    parameters: Names | None = None,
) -> DifferentialOperator:
    """Return the operator that an expression in fields and their derivatives stands for.

    Parameters
    ----------
    expression
        A sympy expression such as ``w(x, y).diff(x, 4) + x**2 * w(x, y)``, linear in the fields
        or not; or text such as ``"w__x__x__x__x + x^2 * w"`` in the grammar of
        `parse_expression`; or several by name. With the imaginary unit, ``conjugate``, ``re`` or
        ``im`` it is evaluated with complex numbers.
    coordinates
        Names or symbols of the columns of X, in order. Text needs them; for sympy expressions
        they are by default the arguments of the fields.
    fields
        Names or applied functions, in the order of the functions. Text needs them; for sympy
        expressions they are by default all fields that occur, by name.
    parameters
        Further names; for sympy expressions by default all other symbols.

    Returns
    -------
    DifferentialOperator
        ``L(u, nu=0.1)(X)``. Each field is propagated once for all its derivatives. L(u) is again
        a field, so operators nest; a value given for a parameter is constant in X, however, and
        a coefficient that varies belongs into the expression or among the fields.

    Raises
    ------
    EquationError
        If coordinates cannot be told from the fields, a field or coordinate is not declared, or a
        declared field does not occur.
    ParseError
        If text does not follow the grammar or holds an unknown name.

    Examples
    --------
    >>> import numpy as np
    >>> t, x, nu = sympy.symbols("t x nu")
    >>> u = sympy.Function("u")(t, x)
    >>> burgers = differential_operator(u.diff(t) + u * u.diff(x) - nu * u.diff(x, 2))
    >>> burgers(lambda X: X[:, 1] / (1 + X[:, 0]), nu=0.1)(np.array([[1.0, 3.0]]))
    array([0.])
    >>> plate = differential_operator("w__x__x__x__x + x^2*w", coordinates="x y", fields="w")
    >>> plate(lambda X: X[:, 0] ** 4 * X[:, 1])(np.array([[2.0, 3.0]]))
    array([264.])
    """
    given = expression if isinstance(expression, Mapping) else {"": expression}
    if not given:
        raise EquationError("differential_operator: at least one expression is needed")
    if any(isinstance(e, str) for e in given.values()) and (coordinates is None or fields is None):
        raise EquationError(
            "an operator from text needs coordinates and fields, "
            'for example differential_operator("u__t - u__x__x", coordinates="t x", fields="u")'
        )
    axes = None if coordinates is None else tuple(_symbol(c) for c in _listed(coordinates))
    known = None if fields is None else _applied(_listed(fields), axes)
    named = None if parameters is None else tuple(_symbol(p) for p in _listed(parameters))
    names = (*(axes or ()), *(known or ()), *(named or ()))
    expressions = {
        name: parse_expression(e, names) if isinstance(e, str) else sympy.sympify(e)
        for name, e in given.items()
    }
    found = {f for e in expressions.values() for f in e.atoms(AppliedUndef)}
    chosen = sorted(found, key=str) if known is None else known
    if not found:
        raise EquationError(
            "the expression holds no field; write one as an applied function, "
            'for example sympy.Function("u")(x, t)'
        )
    axes = _arguments(chosen) if axes is None else axes
    if named is None:
        free = {s for e in expressions.values() for s in e.free_symbols}
        text = any(isinstance(e, str) for e in given.values())
        named = () if text else tuple(sorted(free - set(axes), key=str))
    words = [f.func.__name__ for f in chosen]
    clash = sorted({*words} & {*map(str, axes), *map(str, named)})
    if clash:
        raise EquationError(f"{clash[0]!r} names a field and a symbol; rename one of them")
    lowered = lower(expressions, axes, chosen, named, _is_complex(expressions.values()))
    for word in words:
        if word not in lowered.derivatives:
            raise EquationError(
                f"the field {word!r} does not occur in the expression; leave it out of fields"
            )
    return DifferentialOperator(expressions, tuple(words), lowered)


def _listed(names: Names) -> list[sympy.Expr | str]:
    return list(names.replace(",", " ").split()) if isinstance(names, str) else list(names)


def _symbol(name: sympy.Expr | str) -> sympy.Symbol:
    symbol = sympy.Symbol(name) if isinstance(name, str) else name
    if not isinstance(symbol, sympy.Symbol):
        raise EquationError(f"coordinates and parameters must be symbols or names, got {name!r}")
    return symbol


def _applied(
    fields: Sequence[sympy.Expr | str], coordinates: Sequence[sympy.Symbol] | None
) -> list[AppliedUndef]:
    result = []
    for field in fields:
        if isinstance(field, str):
            if coordinates is None:
                raise EquationError(
                    f"the field {field!r} is a bare name; give its coordinates too, "
                    f'or the applied function, for example sympy.Function("{field}")(x, y)'
                )
            field = sympy.Function(field)(*coordinates)
        if not isinstance(field, AppliedUndef):
            raise EquationError(
                f"fields must be names or applied functions, got {field!r}; "
                'write for example sympy.Function("u")(x, y)'
            )
        result.append(field)
    return result


def _arguments(fields: Sequence[AppliedUndef]) -> tuple[sympy.Symbol, ...]:
    """Return the arguments of the field that depends on most, if it settles the order."""
    widest: tuple[sympy.Expr, ...] = max((f.args for f in fields), key=len)
    for field in fields:
        inside = [a for a in widest if a in field.args]
        if tuple(inside) != field.args:
            raise EquationError(
                f"the fields {', '.join(map(str, fields))} do not settle the columns of the "
                'points; give coordinates, for example coordinates="t x"'
            )
    for argument in widest:
        if not isinstance(argument, sympy.Symbol):
            raise EquationError(
                f"the fields must depend on coordinates, got {argument} in "
                f"{', '.join(map(str, fields))}"
            )
    return widest


def _is_complex(expressions: Iterable[sympy.Expr]) -> bool:
    return any(e.has(sympy.I, sympy.conjugate, sympy.re, sympy.im) for e in expressions)

"""Fields at other places than the point itself: delays, walls, shifts by a period."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

import sciml.framework as framework
from sciml.framework.errors import EquationError

from .names import near
from .tape import Tape

MultiIndex = tuple[int, ...]


@dataclass(frozen=True)
class Place:
    """Points made from the points of a residual, and what is needed of a field there.

    Parameters
    ----------
    field
        Name of the field.
    arguments
        Operations from columns and parameters to the columns of the new points.
    indices
        Multi-indices of the derivatives needed.
    """

    field: str
    arguments: Tape
    indices: tuple[MultiIndex, ...]

    def points(self, X: Any, values: Sequence[Any]) -> Any:
        """Return the new points, shape (n, d), from the values of columns and parameters."""
        zero = framework.zeros_like(X[:, 0])
        return framework.stack([zero + column for column in self.arguments(values)], axis=1)


@dataclass(frozen=True)
class Located:
    """A derivative of a field, with its order in each argument, and the arguments there."""

    field: str
    orders: tuple[int, ...]
    arguments: tuple[sympy.Expr, ...]


def locate(name: str, node: sympy.Expr, fields: Mapping[str, AppliedUndef]) -> Located:
    """Return what an applied function, a Derivative or a Subs of one means.

    Parameters
    ----------
    name
        Name of the expression, shown in errors.
    node
        ``u(x, t - tau)``, ``Derivative(u(x, t - tau), x)`` or
        ``Subs(Derivative(u(x, y), x), x, 0)``.
    fields
        Declared fields by name.

    Raises
    ------
    EquationError
        If it is not a declared field with all its arguments, an argument depends on a field, or
        the derivative is not in one of the arguments.
    """
    there: dict[sympy.Symbol, sympy.Expr] = {}
    inner = node
    variables: tuple[sympy.Symbol, ...] = ()
    if isinstance(inner, sympy.Subs):
        there = dict(zip(inner.variables, inner.point, strict=True))
        inner = inner.expr
    if isinstance(inner, sympy.Derivative):
        inner, variables = inner.expr, inner.variables
    if not isinstance(inner, AppliedUndef):
        raise EquationError(f"{name!r} holds a derivative of {inner}, which is not a field")
    word = inner.func.__name__
    if word not in fields:
        raise EquationError(
            f"{name!r} names the field {word!r}, which is not declared{near(word, list(fields))}"
        )
    if len(inner.args) != len(fields[word].args):
        raise EquationError(f"{name!r} names {inner}, but the field was declared as {fields[word]}")
    orders = [0] * len(inner.args)
    for variable in variables:
        if [a for a in inner.args if a.has(variable)] != [variable]:
            raise EquationError(
                f"{name!r} holds a derivative of {word!r} in {str(variable)!r}, but {word!r} "
                f"depends on {', '.join(map(str, inner.args))}"
            )
        orders[inner.args.index(variable)] += 1
    arguments = tuple(a.subs(there, simultaneous=True) for a in inner.args)
    for argument in arguments:
        if argument.atoms(AppliedUndef, sympy.Integral):
            raise EquationError(
                f"{name!r} has the field {word!r} at {argument}, which depends on a field; places "
                "are expressions in coordinates and parameters"
            )
    return Located(word, tuple(orders), arguments)

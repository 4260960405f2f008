"""The interface of a known solution, and evaluation of all its fields."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

import numpy as np
import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError

from ..lowering import lower
from ..pde import PDE

Array = np.ndarray


class ExactSolution(ABC):
    """A solution with the equation it solves."""

    @property
    @abstractmethod
    def pde(self) -> PDE:
        """The equation with its coefficients."""

    @abstractmethod
    def __call__(self, X: Array) -> dict[str, Array]:
        """Return the fields and derived quantities at points.

        Parameters
        ----------
        X
            Points, shape (n, d) [m].

        Returns
        -------
        dict
            Array of shape (n,) for each field and derived quantity of the PDE.
        """


def from_expressions(
    pde: PDE, fields: Mapping[AppliedUndef, sympy.Expr], X: Array
) -> dict[str, Array]:
    """Return the fields and derived quantities of a solution in closed form."""
    known = {f.func.__name__: f for f in pde.fields} | pde.derived()
    values = {name: substituted(e, fields) for name, e in known.items()}
    return lower(values, pde.coordinates, [])({}, checked(X, len(pde.coordinates)))


def substituted(expression: sympy.Expr, fields: Mapping[AppliedUndef, sympy.Expr]) -> sympy.Expr:
    """Return an expression with fields in closed form, also where it takes them elsewhere.

    Examples
    --------
    >>> t = sympy.Symbol("t")
    >>> u = sympy.Function("u")
    >>> substituted(u(t).diff(t) + u(t - 1), {u(t): t**2})
    2*t + (t - 1)**2
    """
    for field, value in fields.items():
        # One after the other is right, since no value holds a field.
        expression = expression.replace(field.func, sympy.Lambda(field.args, value))
    return expression.doit(integrals=False)


def from_derivatives(pde: PDE, derivative: Callable[..., Array], X: Array) -> dict[str, Array]:
    """Return the one field and the derived quantities from derivatives of the field.

    Parameters
    ----------
    pde
        Equation with one field and numbers as coefficients.
    derivative
        Called with the orders in each coordinate; returns shape (n,).
    X
        Points, shape (n, d).
    """
    (field,) = pde.fields
    lowered = lower({field.func.__name__: field} | pde.derived(), pde.coordinates, [field])
    (indices,) = lowered.derivatives.values()
    outputs = lowered.tape([*X.T, *(derivative(*a) for a in indices)])
    return dict(zip(lowered.names, outputs, strict=True))


def checked(X: Array, dimension: int) -> Array:
    """Return points as float64, refusing another shape than (n, dimension)."""
    points = np.asarray(X, dtype=float)
    if points.ndim != 2 or points.shape[1] != dimension:
        raise EquationError(f"points must have shape (n, {dimension}), got {points.shape}")
    return points


def positive(where: str, **sizes: float) -> None:
    """Refuse sizes that are not positive finite numbers."""
    for name, size in sizes.items():
        if not (isinstance(size, int | float) and 0 < size < math.inf):
            raise EquationError(f"{where}: {name} must be a positive number, got {size!r}")


def decimal(value: float) -> sympy.Rational:
    """Return the decimal number a float stands for."""
    return sympy.Rational(repr(float(value)))

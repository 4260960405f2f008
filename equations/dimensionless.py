"""An equation in dimensionless coordinates and fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError

from .given import CoefficientFunction, GivenFunction
from .pde import PDE
from .rescaled import Rescaled


@final
@dataclass(frozen=True)
class Dimensionless(PDE):
    """An equation for u* = u/U in the coordinates x* = x/L, with residuals of order one.

    The names of coordinates, fields, residuals and derived quantities stay; none has a unit.

    Parameters
    ----------
    equation
        The equation with units.
    scales
        Size of each coordinate, field and derived quantity, in its unit.
    residual_scales
        Size of each residual, by which it is divided.
    """

    equation: PDE
    scales: Mapping[str, sympy.Expr]
    residual_scales: Mapping[str, sympy.Expr]

    @property
    def coordinates(self) -> tuple[sympy.Symbol, ...]:
        return self.equation.coordinates

    @property
    def fields(self) -> tuple[AppliedUndef, ...]:
        return self.equation.fields

    def residuals(self) -> dict[str, sympy.Expr]:
        return self._divided(self.equation.residuals(), self.residual_scales)

    def derived(self) -> dict[str, sympy.Expr]:
        return self._divided(self.equation.derived(), self.scales)

    def units(self) -> dict[str, str]:
        return dict.fromkeys(self.equation.units(), "-")

    def manufactured(self) -> dict[str, sympy.Expr]:
        return self.equation.manufactured()

    def rewritten(self, e: sympy.Expr) -> sympy.Expr:
        """Return an expression with units in the dimensionless coordinates and fields."""
        if not e.args:
            return e * self.scales[str(e)] if e in self.coordinates else e
        if isinstance(e, GivenFunction):
            return _rescaled(e, self.scales)
        if isinstance(e, AppliedUndef):
            field = self.equation.field(e.func.__name__)
            places = [
                self.rewritten(a) / self.scales[str(c)]
                for a, c in zip(e.args, field.args, strict=True)
            ]
            return self.scales[field.func.__name__] * e.func(*map(sympy.expand, places))
        if isinstance(e, sympy.Derivative):
            return self.rewritten(e.expr).diff(*e.variable_count) / self._of(*e.variables)
        if isinstance(e, sympy.Subs):
            places = [self.rewritten(p) / self._of(v) for v, p in zip(*e.args[1:], strict=True)]
            return sympy.Subs(self.rewritten(e.expr), e.variables, places)
        if isinstance(e, sympy.Integral):
            limits = [
                (s, *(self.rewritten(bound) / self._of(s) for bound in bounds))
                for s, *bounds in e.limits
            ]
            return sympy.Integral(self.rewritten(e.function), *limits) * self._of(*e.variables)
        return e.func(*map(self.rewritten, e.args))

    def _of(self, *variables: sympy.Symbol) -> sympy.Expr:
        return sympy.Mul(*(self.scales.get(str(v), 1) for v in variables))

    def _divided(
        self, expressions: Mapping[str, sympy.Expr], sizes: Mapping[str, sympy.Expr]
    ) -> dict[str, sympy.Expr]:
        return {
            name: sympy.expand_mul(self.rewritten(e.doit(integrals=False)) / sizes[name])
            for name, e in expressions.items()
        }


def _rescaled(node: GivenFunction, scales: Mapping[str, sympy.Expr]) -> sympy.Expr:
    """Return a coefficient that is a function of the coordinates in dimensionless ones."""
    source, names = node.func.source, tuple(map(str, node.args))
    assert isinstance(source, CoefficientFunction)
    if not set(names) <= scales.keys():
        raise EquationError(
            f"nondimensionalise: the coefficient {node} is taken at another place than the "
            "equation holds, which tables and functions cannot be"
        )
    factors = tuple(float(scales[name]) for name in names)
    moved = Rescaled(source, factors, names)
    return moved.node(node.func.__name__, node.args, node.func.__name__)

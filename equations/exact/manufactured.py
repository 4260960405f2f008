"""Solutions that are chosen, and the equation and conditions they solve exactly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np
import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError

from ..boundary import Boundary
from ..complex_form import part_names, parts
from ..conditions.condition import BoundaryCondition, Condition
from ..conditions.data import Data, PointValue
from ..given import sources
from ..names import near
from ..parser import parse_expression
from ..pde import PDE
from ..sourced import Sourced
from .right_sides import filled
from .solution import Array, ExactSolution, from_expressions, substituted


@final
@dataclass(frozen=True)
class ManufacturedSolution(ExactSolution):
    """Chosen fields, which solve an equation exactly once it has the sources they need.

    The source of a residual is what the residual is for the fields, and the right side of a
    condition likewise. `manufacture` reads the fields from texts.

    Parameters
    ----------
    equation
        The equation without these sources.
    chosen
        Each field with its expression in the coordinates.

    References
    ----------
    Roache (2002), Code verification by the method of manufactured solutions.
    """

    equation: PDE
    chosen: tuple[tuple[AppliedUndef, sympy.Expr], ...]

    @cached_property
    def sources(self) -> dict[str, sympy.Expr]:
        """What each residual is for the chosen fields, in its unit."""
        fields = dict(self.chosen)
        return {n: substituted(r, fields) for n, r in self.equation.residuals().items()}

    @property
    def pde(self) -> Sourced:
        """The equation with the sources."""
        return Sourced(self.equation, self.sources)

    def conditions(self, geometry: Boundary, conditions: Iterable[Condition]) -> list[Condition]:
        """Return conditions with the right sides they have for the chosen fields.

        Parameters
        ----------
        geometry
            The shape whose parts are named.
        conditions
            What is prescribed where, such as ``Neumann("u", "edges.left")``; values they have are
            replaced. Each becomes one for every straight piece of its part.

        Raises
        ------
        EquationError
            If a condition has no right side that could be given, as an integral or a period.

        Notes
        -----
        On a straight part the right side is written by the coordinates along it alone, so that its
        extension into the domain does not hold the solution already. On a curved part it cannot,
        and the condition is imposed by the loss unless it says hard=True. Where two free edges of
        a plate meet, `FreeCorner` is a condition like any other here.
        """
        found: list[Condition] = []
        for condition in conditions:
            if isinstance(condition, Data):
                known = self._values(condition.field, condition.points)
                found.append(replace(condition, values=known))
            elif isinstance(condition, PointValue):
                (value,) = self._values(condition.field, [condition.at])
                found.append(replace(condition, value=value))
            elif isinstance(condition, BoundaryCondition):
                found += filled(condition, geometry, self.equation, dict(self.chosen))
            else:
                raise EquationError(
                    f"{type(condition).__name__} over {condition.where!r} has no right side that "
                    "could be computed here; give it its value and add it to the others"
                )
        return found

    def __call__(self, X: Array) -> dict[str, Array]:
        return from_expressions(self.equation, dict(self.chosen), X)

    def _values(self, field: str, points: Sequence[tuple[float, ...]]) -> tuple[float, ...]:
        self.equation.field(field)
        return tuple(map(float, self(np.array(points))[field]))


def manufacture(
    pde: PDE, fields: Mapping[str, str | float | sympy.Expr] | None = None
) -> ManufacturedSolution:
    """Return the problem data for which chosen fields are the exact solution.

    Parameters
    ----------
    pde
        The equation.
    fields
        A smooth number, text or expression in its coordinates for each field, in its unit; for
        the complex field ``psi`` of a `CustomPDE` either ``psi`` with ``I`` or its two parts. By
        default those the equation is tested with (`PDE.manufactured`).

    Returns
    -------
    ManufacturedSolution
        ``.pde`` has the sources, ``.conditions(geometry, [...])`` the right sides, and
        ``solution.errors`` takes it as the reference.

    Raises
    ------
    EquationError
        If a field is missing or unknown, an expression depends on something else than the
        coordinates of its field, or the equation has coefficients that are not known.

    Examples
    --------
    >>> from sciml.equations import Poisson
    >>> case = manufacture(Poisson(0, dimension=1), {"u": "sin(pi*x)"})
    >>> case.sources
    {'poisson': pi**2*sin(pi*x)}
    """
    expressions = dict(pde.manufactured() if fields is None else fields)
    known = {f.func.__name__: f for f in pde.fields}
    found: dict[AppliedUndef, sympy.Expr] = {}
    for name, given in expressions.items():
        split = part_names(name)
        if name not in known and known.keys() >= set(split):
            value = _read(given, name, known[split[0]], complex_valued=True)
            found |= dict(zip((known[n] for n in split), parts(value), strict=True))
        elif name in known:
            found[known[name]] = _read(given, name, known[name])
        else:
            raise EquationError(f"manufacture: no field {name!r}{near(name, list(known))}")
    for field in pde.fields:
        if field not in found:
            raise EquationError(
                f"manufacture: no expression is given for the field {field}; give one for each of "
                f"{', '.join(known)}"
            )
    for name, node in sources(*pde.residuals().values()).items():
        if isinstance(node, sympy.Symbol) or node.func.source.trainable:
            raise EquationError(
                f"manufacture: the coefficient {name!r} is to be found by training; give the value "
                "it has in the manufactured problem"
            )
    return ManufacturedSolution(pde, tuple((f, found[f]) for f in pde.fields))


def _read(
    given: object, name: str, field: AppliedUndef, complex_valued: bool = False
) -> sympy.Expr:
    where = f"manufacture: the field {name!r}"
    if isinstance(given, str):
        return parse_expression(given, field.args, complex_valued)
    try:
        value = sympy.sympify(given, strict=True)
    except sympy.SympifyError:
        raise EquationError(
            f"{where} must be a number, a text or an expression, got {type(given).__name__}"
        ) from None
    others = value.free_symbols - set(field.args)
    if others or value.atoms(AppliedUndef) or value.has(sympy.nan, sympy.oo, sympy.zoo):
        raise EquationError(
            f"{where} must be a finite expression in {', '.join(map(str, field.args))}, got {value}"
        )
    return value

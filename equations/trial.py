"""Trial functions that satisfy boundary conditions exactly, and what is left to impose."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from .boundary import Boundary
from .conditions.condition import BoundaryCondition, Condition
from .consistency import check_parts, known, missing_corners
from .embedding import Embedding
from .exact_forms import Builder, common_periods
from .lowering import lower
from .pde import PDE


@dataclass(frozen=True)
class SoftResidual:
    """One residual of a condition that training has to bring to zero."""

    condition: Condition
    name: str

    @property
    def where(self) -> str:
        """Boundary part or other place it holds in."""
        return self.condition.where

    def expression(self, pde: PDE) -> sympy.Expr:
        """Return the residual for a PDE."""
        return self.condition.residuals(pde)[self.name]


@dataclass(frozen=True)
class Ansatz:
    """The trial function w = g + phi N of a raw function N, such as a network.

    Parameters
    ----------
    field
        The field w(x, y).
    raw
        The raw function N(x, y).
    expression
        g + phi N.
    factor, extension
        phi and g; where normal derivatives are exact too, the expression has more terms.
    hard
        Conditions with the residuals that are zero for every N.
    soft
        Residuals that are not.
    embedding
        The coordinates as N sees them, periodic ones as points of a circle.
    """

    field: AppliedUndef
    raw: AppliedUndef
    expression: sympy.Expr
    factor: sympy.Expr
    extension: sympy.Expr
    hard: tuple[tuple[BoundaryCondition, str], ...]
    soft: tuple[SoftResidual, ...]
    embedding: Embedding

    def bind(self, raw: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Return the field as a function from X, shape (n, d), to values, shape (n,).

        Parameters
        ----------
        raw
            N as a function from the images of X under `embedding`, shape (n, d) where nothing is
            periodic, to values, shape (n,).
        """
        word, name = self.field.func.__name__, self.raw.func.__name__
        lowered = lower({word: self.expression}, self.field.args, [self.raw])

        def field(X: Any) -> Any:
            return lowered({name: lambda Y: raw(self.embedding(Y))}, X)[word]

        return field


def ansatz(
    geometry: Boundary,
    conditions: Iterable[Condition],
    field: AppliedUndef,
    fields: Iterable[AppliedUndef] = (),
) -> Ansatz:
    """Return the trial function for a field that satisfies what it can exactly.

    The factor phi vanishes to the power each part needs: once for a prescribed value, twice for a
    clamped edge. The values are extended inside by g. The corner force between two free edges is
    added to the soft residuals if no condition names that corner.

    Parameters
    ----------
    geometry
        The shape whose parts are named.
    conditions
        Conditions of this field; those of other declared fields are passed over.
    field
        Applied function, for example ``KirchhoffPlate().w``.
    fields
        Further fields that conditions may name.

    Returns
    -------
    Ansatz
        The trial function, with the residuals that are left.

    Raises
    ------
    GeometryError
        If a part is unknown, or the values given on edges that meet jump at their corner.
    EquationError
        If a field is unknown, or two conditions contradict each other on a part.

    Notes
    -----
    Normal derivatives (Neumann, Robin, clamped edges with values of their own or beside others) are
    exact where a smooth form exists: on straight or round parts that are apart or meet at right
    angles, with values that fit there. Each form is tried out on points of the parts with a smooth
    function for N; what does not hold stays soft.

    References
    ----------
    Sukumar and Srivastava (2022), Exact imposition of boundary conditions with distance functions
    in physics-informed deep neural networks.
    """
    name = field.func.__name__
    fields = list(dict.fromkeys([field, *fields]))
    conditions = known(conditions, {f.func.__name__ for f in fields})
    own = [c for c in conditions if isinstance(c, BoundaryCondition) and name in c.fields]
    own += missing_corners(geometry, own)
    check_parts(geometry, own, name)
    periods = common_periods(geometry, conditions, fields)
    raw = sympy.Function("N")(*field.args)
    form = Builder(geometry, field, raw, own, periods).build()
    soft = [
        SoftResidual(c, residual)
        for c in own
        for residual, (owner, _) in c.prescribes.items()
        if owner == name and (c, residual) not in form.hard
    ]
    elsewhere = [c for c in conditions if not isinstance(c, BoundaryCondition)]
    soft += [SoftResidual(c, r) for c in elsewhere if c.fields[0] == name for r in c.names]
    return Ansatz(
        field, raw, form.base + form.free, form.factor, form.base, form.hard, tuple(soft),
        Embedding(field.args, periods),
    )  # fmt: skip

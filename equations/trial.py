"""Trial functions that satisfy boundary conditions exactly, and what is left to impose."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import sympy
from sympy.core.function import AppliedUndef

from sciml.framework.errors import EquationError

from .coefficients import as_expression
from .conditions.condition import RIVALS, BoundaryCondition, Condition, HardForm, Quantity
from .conditions.free import Free
from .conditions.free_corner import FreeCorner
from .lowering import lower
from .pde import PDE


class Boundary(Protocol):
    """What the conditions need of a geometry."""

    @property
    def corners(self) -> Mapping[str, tuple[str, str]]: ...

    def resolve(self, part: str) -> tuple[str, ...]: ...

    def boundary_measure(self, part: str) -> float: ...

    def boundary_factor(
        self, part: str | Iterable[str], coordinates: Sequence[sympy.Symbol] | None
    ) -> sympy.Expr: ...

    def boundary_extension(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol] | None
    ) -> sympy.Expr: ...


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
        phi and g.
    hard
        Conditions with the residuals that are zero for every N.
    soft
        Residuals that are not.
    """

    field: AppliedUndef
    raw: AppliedUndef
    expression: sympy.Expr
    factor: sympy.Expr
    extension: sympy.Expr
    hard: tuple[tuple[BoundaryCondition, str], ...]
    soft: tuple[SoftResidual, ...]

    def bind(self, raw: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """Return the field as a function from X, shape (n, d), to values, shape (n,).

        Parameters
        ----------
        raw
            N as a function from X, shape (n, d), to values, shape (n,).
        """
        word, name = self.field.func.__name__, self.raw.func.__name__
        lowered = lower({word: self.expression}, self.field.args, [self.raw])

        def field(X: Any) -> Any:
            return lowered({name: raw}, X)[word]

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
    Next to a value that is not zero, a clamped edge keeps w = 0 exactly and w_n = 0 softly.

    References
    ----------
    Sukumar and Srivastava (2022), Exact imposition of boundary conditions with distance functions
    in physics-informed deep neural networks, sections 3 and 4.
    """
    name = field.func.__name__
    conditions = _known(conditions, {name, *(f.func.__name__ for f in fields)})
    own = [c for c in conditions if isinstance(c, BoundaryCondition) and name in c.fields]
    own += _missing_corners(geometry, own)
    _check_parts(geometry, own, name)
    forms = {c: form for c in own if (form := _possible(geometry, c, name)) is not None}
    values = {
        leaf: as_expression(form.value, field.args, f"{type(c).__name__}({c.part!r}).value")
        for c, form in forms.items()
        for leaf in geometry.resolve(c.part)
    }
    moved = any(value != 0 for value in values.values())
    powers: dict[int, list[str]] = {1: [], 2: []}
    hard: list[tuple[BoundaryCondition, str]] = []
    for c, form in forms.items():
        power = 1 if moved else form.power
        powers[power] += geometry.resolve(c.part)
        hard += [(c, residual) for residual in form.satisfies[:power]]
    extension = geometry.boundary_extension(values, field.args) if moved else sympy.Integer(0)
    factor = sympy.Integer(1)
    for power, leaves in powers.items():
        if leaves:
            factor *= geometry.boundary_factor(leaves, field.args) ** power
    soft = [
        SoftResidual(c, residual)
        for c in own
        for residual, (owner, _) in c.prescribes.items()
        if owner == name and (c, residual) not in hard
    ]
    elsewhere = [c for c in conditions if not isinstance(c, BoundaryCondition)]
    soft += [SoftResidual(c, r) for c in elsewhere if c.fields[0] == name for r in c.names]
    raw = sympy.Function("N")(*field.args)
    return Ansatz(field, raw, extension + factor * raw, factor, extension, tuple(hard), tuple(soft))


def _known(conditions: Iterable[Condition], fields: set[str]) -> list[Condition]:
    """Return the conditions, refusing a field that is not declared."""
    listed = list(conditions)
    for condition in listed:
        for name in condition.fields:
            if name not in fields:
                raise EquationError(
                    f"{type(condition).__name__} on {condition.where!r} names the field "
                    f"{name!r}, expected one of {sorted(fields)}"
                )
    return listed


def _missing_corners(
    geometry: Boundary, conditions: Sequence[BoundaryCondition]
) -> list[BoundaryCondition]:
    """Return the corner conditions between free edges that nobody gave."""
    free = {leaf: c for c in conditions if isinstance(c, Free) for leaf in geometry.resolve(c.part)}
    given = {
        leaf
        for c in conditions
        if not isinstance(c, Free)
        for leaf in geometry.resolve(c.part)
        if leaf in geometry.corners
    }
    return [
        FreeCorner(corner, free[before].field)
        for corner, (before, after) in geometry.corners.items()
        if before in free and after in free and corner not in given
    ]


def _check_parts(geometry: Boundary, conditions: Sequence[BoundaryCondition], field: str) -> None:
    taken: dict[tuple[str, Quantity], BoundaryCondition] = {}
    for condition in conditions:
        prescribed = [q for owner, q in condition.prescribes.values() if owner == field]
        for leaf in geometry.resolve(condition.part):
            if isinstance(condition, FreeCorner) != (leaf in geometry.corners):
                if isinstance(condition, FreeCorner):
                    raise EquationError(f"FreeCorner on {leaf!r}: that part is not a corner")
                if set(prescribed) != {Quantity.VALUE}:
                    raise EquationError(
                        f"{type(condition).__name__} on {leaf!r}: a corner has no normal of an "
                        "edge; name an edge"
                    )
            for quantity in prescribed:
                for other in RIVALS[quantity]:
                    rival = taken.get((leaf, other))
                    if rival is not None:
                        raise EquationError(
                            f"{type(condition).__name__}({condition.part!r}) prescribes the "
                            f"{quantity.value} on {leaf!r}, where {type(rival).__name__}"
                            f"({rival.part!r}) prescribes the {other.value}; keep one of them"
                        )
            taken |= {(leaf, quantity): condition for quantity in prescribed}


def _possible(geometry: Boundary, condition: BoundaryCondition, field: str) -> HardForm | None:
    """Return the hard form where a smooth factor exists, which it does not for a corner."""
    leaves = geometry.resolve(condition.part)
    wide = all(geometry.boundary_measure(leaf) > 0 for leaf in leaves)
    return condition.hard_form(field) if wide else None

"""What conditions on one field must not do: name what is unknown, or contradict each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sciml.framework.errors import EquationError

from .boundary import Boundary
from .conditions.condition import RIVALS, BoundaryCondition, Condition, Quantity
from .conditions.forced import Forced, unforced
from .conditions.free import Free
from .conditions.free_corner import FreeCorner


def known(conditions: Iterable[Condition], fields: set[str]) -> list[Condition]:
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


def missing_corners(
    geometry: Boundary, conditions: Sequence[BoundaryCondition]
) -> list[BoundaryCondition]:
    """Return the corner conditions between free edges that nobody gave.

    Raises
    ------
    EquationError
        If such a corner has a force that nobody gave, since its edges have moments of their own.
    """
    free = {
        leaf: c
        for c in conditions
        if isinstance(unforced(c), Free)
        for leaf in geometry.resolve(c.part)
    }
    given = {
        leaf
        for c in conditions
        if not isinstance(unforced(c), Free)
        for leaf in geometry.resolve(c.part)
        if leaf in geometry.corners
    }
    found: list[BoundaryCondition] = []
    for corner, (before, after) in geometry.corners.items():
        if before in free and after in free and corner not in given:
            if isinstance(free[before], Forced) or isinstance(free[after], Forced):
                raise EquationError(
                    f"the free edges {before!r} and {after!r} have moments of their own, so the "
                    f"force at {corner!r} is not zero; add FreeCorner({corner!r}) to the "
                    "conditions that are given right sides"
                )
            found.append(FreeCorner(corner, free[before].fields[0]))
    return found


def check_parts(geometry: Boundary, conditions: Sequence[BoundaryCondition], field: str) -> None:
    """Refuse conditions on corners that need an edge, and two that prescribe rivals on a part."""
    taken: dict[tuple[str, Quantity], BoundaryCondition] = {}
    for condition in conditions:
        if condition.hard not in (None, True, False):
            raise EquationError(
                f"{type(condition).__name__}({condition.part!r}): hard must be None, True or "
                f"False, got {condition.hard!r}"
            )
        prescribed = [q for owner, q in condition.prescribes.values() if owner == field]
        for leaf in geometry.resolve(condition.part):
            if isinstance(unforced(condition), FreeCorner) != (leaf in geometry.corners):
                if isinstance(unforced(condition), FreeCorner):
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

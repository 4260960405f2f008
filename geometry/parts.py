"""Names of boundary parts: dotted leaves, and groups that are their prefixes."""

from __future__ import annotations

import difflib
from collections.abc import Mapping

from sciml.framework.errors import GeometryError

from .pieces import Piece

BOUNDARY = "boundary"


def groups(pieces: Mapping[str, Piece]) -> dict[str, tuple[str, ...]]:
    """Return every valid name with the leaves it stands for.

    A leaf stands for itself, a prefix such as ``edges`` for all leaves below it, ``boundary`` for
    all leaves of positive measure.
    """
    names: dict[str, tuple[str, ...]] = {
        BOUNDARY: tuple(name for name, piece in pieces.items() if piece.measure > 0)
    }
    for leaf in pieces:
        words = leaf.split(".")
        for depth in range(1, len(words) + 1):
            name = ".".join(words[:depth])
            names[name] = (*names.get(name, ()), leaf)
    return names


def resolve(part: str, pieces: Mapping[str, Piece], shape: str) -> tuple[str, ...]:
    """Return the leaves a name stands for.

    Raises
    ------
    GeometryError
        If the shape has no such part; the message names the nearest valid one.
    """
    names = groups(pieces)
    if part in names:
        return names[part]
    # First a bare last word, such as 'left' for 'edges.left'.
    near = [name for name in names if name.split(".")[-1] == part]
    near = near or difflib.get_close_matches(str(part), names, n=1, cutoff=0.4)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise GeometryError(f"{shape} has no part {part!r}, expected one of {list(names)}{hint}")

"""Names of boundary parts: dotted leaves, and groups that are their prefixes."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Mapping, Sequence

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


def distinct(first: Sequence[str], second: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the leaves of two shapes under names that differ.

    A name of both becomes a group, with the number 0 in the first and 1 in the second. A number is
    counted on: where the first ends with ``edges.3``, the second goes on with ``edges.4``.

    Examples
    --------
    >>> distinct(["circle", "edges.0", "edges.1"], ["circle", "edges.0", "top"])
    (['circle.0', 'edges.0', 'edges.1'], ['circle.1', 'edges.2', 'top'])
    """
    wanted = {prefix for name in second for prefix in _prefixes(name)}
    renamed = [f"{name}.0" if name in wanted and not _number(name) else name for name in first]
    highest = {prefix: -1 for name in renamed for prefix in _prefixes(name) if prefix != name}
    for name in renamed:
        if found := _number(name):
            highest[found[1]] = max(highest[found[1]], int(found[2]))
    counted = []
    for name in second:
        found = _number(name)
        stem, number, rest = (found[1], int(found[2]), found[3]) if found else (name, 0, "")
        counted.append(f"{stem}.{number + highest[stem] + 1}{rest}" if stem in highest else name)
    return renamed, counted


def numbered(names: Sequence[str]) -> list[str]:
    """Return names in which equal ones, those of a piece cut apart, are numbered as a group.

    Examples
    --------
    >>> numbered(["circle", "edges.left", "circle"])
    ['circle.0', 'edges.left', 'circle.1']
    """
    count, seen = Counter(names), Counter[str]()
    result = []
    for name in names:
        result.append(f"{name}.{seen[name]}" if count[name] > 1 else name)
        seen[name] += 1
    return result


def _number(name: str) -> re.Match[str] | None:
    """Match what stands before the first number in a name, the number, and the rest."""
    return re.fullmatch(r"(.*?)\.(\d+)(|\..*)", name)


def _prefixes(name: str) -> list[str]:
    words = name.split(".")
    return [".".join(words[:depth]) for depth in range(1, len(words) + 1)]

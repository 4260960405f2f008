"""Shapes whose parts have other names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import final

from sciml.framework.errors import GeometryError

from .geometry import Geometry
from .named_shape import NamedShape
from .parts import BOUNDARY

NAME = re.compile(r"[^\W\d]\w*(\.\w+)*")


@final
@dataclass(frozen=True)
class Renamed(NamedShape):
    """A shape with other names for some of its parts.

    Parameters
    ----------
    shape
        The shape.
    renaming
        New name by part. That of a group renames the beginning of all its members: with
        ``{"edges": "walls"}`` the part ``edges.left`` becomes ``walls.left``.

    Raises
    ------
    GeometryError
        If a part is unknown, a new name is not made of dotted words, or two parts would have one
        name.

    Examples
    --------
    >>> from sciml.geometry import Rectangle
    >>> channel = Rectangle((0, 0), (4, 1)).rename({"edges": "walls", "edges.left": "inlet"})
    >>> channel.resolve("boundary")
    ('inlet', 'walls.bottom', 'walls.right', 'walls.top')
    """

    shape: Geometry
    renaming: Mapping[str, str]

    def __post_init__(self) -> None:
        object.__setattr__(self, "renaming", dict(self.renaming))
        for part, name in self.renaming.items():
            self.shape.resolve(part)
            if part == BOUNDARY:
                raise GeometryError(f"rename: {BOUNDARY!r} is all of the boundary; name its parts")
            check_name("rename", name)
        names = [self._name(leaf) for leaf in self.shape.pieces]
        for name, leaf in zip(names, self.shape.pieces, strict=True):
            if names.count(name) > 1 or any(other.startswith(f"{name}.") for other in names):
                raise GeometryError(
                    f"rename: {leaf!r} would be {name!r}, a name that another part has as well; "
                    "choose one for each, such as 'walls.0' and 'walls.1' for the group 'walls'"
                )

    def __hash__(self) -> int:
        return hash((self.shape, tuple(sorted(self.renaming.items()))))

    @property
    def built(self) -> Geometry:
        return self.shape

    @cached_property
    def names(self) -> Mapping[str, str]:
        return {self._name(leaf): leaf for leaf in self.shape.pieces}

    def _name(self, leaf: str) -> str:
        """Return the new name of a leaf, by the longest of its prefixes that has one."""
        fits = [part for part in self.renaming if f"{leaf}.".startswith(f"{part}.")]
        if not fits:
            return leaf
        longest = max(fits, key=len)
        return self.renaming[longest] + leaf[len(longest) :]


def check_name(where: str, name: str) -> None:
    """Refuse a name for a part that is not made of words joined by dots, or is taken by all.

    Raises
    ------
    GeometryError
        If so; the message begins with `where`.
    """
    if not isinstance(name, str) or not NAME.fullmatch(name) or name == BOUNDARY:
        raise GeometryError(
            f"{where}: a part needs a name of words joined by dots, other than {BOUNDARY!r}, got "
            f"{name!r}"
        )

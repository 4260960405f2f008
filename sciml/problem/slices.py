"""Which coordinates of a problem are drawn, and where the others stand still."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sciml.framework.errors import EquationError

from .constraint import Array

Box = tuple[Sequence[float], Sequence[float]]
MOST = 2


@dataclass(frozen=True)
class Slice:
    """A line or plane along axes, through a domain.

    Parameters
    ----------
    drawn : tuple of int
        Numbers of the coordinates that vary, one or two.
    fixed : tuple of float
        Value of every coordinate; those that vary have any.
    """

    drawn: tuple[int, ...]
    fixed: tuple[float, ...]

    def lift(self, Y: Array) -> Array:
        """Return points of the domain, shape (n, d), from those of the slice, (n, 1 or 2)."""
        X = np.tile(np.asarray(self.fixed, dtype=float), (len(Y), 1))
        X[:, list(self.drawn)] = Y
        return X

    def box(self, box: Box) -> Box:
        """Return the slice of a box."""
        lower, upper = ([side[i] for i in self.drawn] for side in box)
        return lower, upper


def slice_of(names: Sequence[str], box: Box, at: Mapping[str, float]) -> Slice:
    """Return the slice where coordinates have given values.

    Where more than two are left, the first two vary; of the others, time is at its end and each
    of the rest in the middle.

    Parameters
    ----------
    names : sequence of str
        Names of the coordinates.
    box : pair of sequences of float
        Lower and upper corner of the domain.
    at : Mapping of str to float
        Values by name.

    Raises
    ------
    EquationError
        If a name is none of the coordinates, a value lies outside, or nothing is left to vary.

    Examples
    --------
    >>> slice_of(("x", "y", "z", "t"), ((0, 0, 0, 0), (1, 1, 1, 5)), {"z": 0.25})
    Slice(drawn=(0, 1), fixed=(0.5, 0.5, 0.25, 5.0))
    """
    for name, value in at.items():
        if name not in names:
            raise EquationError(f"at: no coordinate {name!r}; these are {', '.join(names)}")
        low, high = (side[names.index(name)] for side in box)
        if not low <= value <= high:
            raise EquationError(f"at: {name} = {value:g} lies outside {low:g} to {high:g}")
    free = [i for i, name in enumerate(names) if name not in at]
    if not free:
        raise EquationError("at: every coordinate has a value; leave one or two out to draw along")
    fixed = [
        float(at[name]) if name in at else float(high if name == "t" else (low + high) / 2)
        for name, low, high in zip(names, *box, strict=True)
    ]
    return Slice(tuple(free[:MOST]), tuple(fixed))

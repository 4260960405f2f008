"""A problem of the scoreboard: how it is solved, what it is measured against and what is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

Errors = Mapping[str, float]


@dataclass(frozen=True)
class Case:
    """One line of the scoreboard.

    Parameters
    ----------
    name : str
        What it is called.
    target : Mapping of str to float
        The relative L2 errors asked for, by quantity.
    solve : function
        Returns a solution for a seed.
    errors : function
        Returns the relative L2 errors of a solution by quantity, from the folder of references.
    within : float or None
        The time asked for [s].
    """

    name: str
    target: Errors
    solve: Callable[[int], Any]
    errors: Callable[[Any, Path], Errors]
    within: float | None = None


def relative(got: np.ndarray, expected: np.ndarray) -> float:
    """Return the relative L2 error."""
    return float(np.linalg.norm(got - expected) / np.linalg.norm(expected))


def at(solution: Any, X: np.ndarray, expected: Mapping[str, np.ndarray]) -> Errors:
    """Return the errors of quantities at points of shape (n, d)."""
    got = solution.evaluate(list(expected), X)
    return {name: relative(got[name], np.ravel(value)) for name, value in expected.items()}


def from_file(
    file: str, names: Mapping[str, str], columns: str = "x y", until: float = np.inf
) -> Callable[..., Errors]:
    """Return the errors against a file of arrays over points.

    Its coordinates are arrays of the same shape, or one row each, of which the values are a table
    with the last coordinate first; or one array of points. Of complex values a name ends in
    ``.real`` or ``.imag``. Points at later times than `until` do not count.
    """

    def errors(solution: Any, data: Path) -> Errors:
        stored = np.load(data / file)
        rows = [np.asarray(stored[c], dtype=float) for c in columns.split()]
        shape = stored[next(iter(names.values())).split(".")[0]].shape
        if len(rows) > 1 and rows[0].shape != shape:
            rows = [a.T for a in np.meshgrid(*rows, indexing="ij")]
        X = np.reshape(rows[0], (len(rows[0]), -1)) if len(rows) == 1 else np.stack(
            [np.ravel(r) for r in rows], axis=1
        )  # fmt: skip
        kept = X[:, -1] <= until
        expected = {}
        for own, theirs in names.items():
            name, _, part = theirs.partition(".")
            values = stored[name]
            expected[own] = np.ravel(getattr(values, part) if part else values)[kept]
        return at(solution, X[kept], expected)

    return errors


def against(reference: Any, names: str, size: int = 61) -> Callable[..., Errors]:
    """Return the errors against a closed form, on a grid."""

    def errors(solution: Any, data: Path) -> Errors:
        found = solution.errors(reference, size)
        return {name: found[name].relative_l2 for name in names.split()}

    return errors

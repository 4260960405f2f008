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


def from_file(file: str, names: Mapping[str, str], columns: str = "x y") -> Callable[..., Errors]:
    """Return the errors against a file of arrays over points of all its arrays of coordinates."""

    def errors(solution: Any, data: Path) -> Errors:
        stored = np.load(data / file)
        X = np.stack([np.ravel(stored[c]) for c in columns.split()], axis=1)
        return at(solution, X, {own: stored[theirs] for own, theirs in names.items()})

    return errors


def against(reference: Any, names: str, size: int = 61) -> Callable[..., Errors]:
    """Return the errors against a closed form, on a grid."""

    def errors(solution: Any, data: Path) -> Errors:
        found = solution.errors(reference, size)
        return {name: found[name].relative_l2 for name in names.split()}

    return errors

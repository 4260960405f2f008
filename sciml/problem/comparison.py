"""Errors against a known solution, after a check that it solves the same equation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import sciml.framework as fw
from sciml.equations import PDE, lower
from sciml.framework.errors import EquationError

from .constraint import Array


@dataclass(frozen=True)
class FieldError:
    """How far one quantity is from its reference.

    Parameters
    ----------
    relative_l2 : float
        Root mean square of the difference over that of the reference [-].
    max : float
        Largest absolute difference, in the unit of the quantity.
    reference : str
        What it was compared with.
    """

    relative_l2: float
    max: float
    reference: str


def compare(
    values: Mapping[str, Array], expected: Mapping[str, Array], reference: str
) -> dict[str, FieldError]:
    """Return the errors of values by name, over the same points.

    Examples
    --------
    >>> compare({"u": np.array([1.0, 2.2])}, {"u": np.array([1.0, 2.0])}, "exact")["u"].max
    0.20000000000000018
    """
    result = {}
    for name, value in values.items():
        exact = np.asarray(expected[name])
        if exact.shape != value.shape:
            raise EquationError(f"{name}: shape {value.shape} against {exact.shape}")
        difference, size = np.asarray(value - exact), float(np.sqrt(np.mean(exact**2)))
        root = float(np.sqrt(np.mean(difference**2)))
        relative = root / size if size > 0.0 else root
        result[name] = FieldError(relative, float(np.max(np.abs(difference))), reference)
    return result


def require_same_equation(pde: PDE, other: PDE) -> None:
    """Refuse a reference whose equation differs, by evaluating both on a test function.

    Raises
    ------
    EquationError
        When fields, residuals or derived quantities differ.
    """
    mine, theirs = _probe(pde), _probe(other)
    same = mine.keys() == theirs.keys() and all(
        np.allclose(mine[n], theirs[n], rtol=1e-9, atol=1e-12 * np.max(np.abs(mine[n])))
        for n in mine
    )
    if not same:
        raise EquationError(
            f"the reference solves {other}, the problem is {pde}; make their coefficients equal"
        )


def _probe(pde: PDE) -> dict[str, Any]:
    d = len(pde.coordinates)
    X = np.random.Generator(np.random.Philox(7)).random((16, d)) + 0.1
    lowered = lower(pde.residuals() | pde.derived(), pde.coordinates, pde.fields)

    def smooth(points: Any) -> Any:
        value = 1.0
        for i in range(d):
            value = value * fw.sin(points[:, i] * (0.7 + 0.4 * i) + 0.3)
        return value

    return lowered(dict.fromkeys(lowered.derivatives, smooth), X)

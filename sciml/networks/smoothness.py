"""How many continuous derivatives a network has."""

from __future__ import annotations

from .base import Network
from .spline import SplineKAN


def continuous_derivatives(network: Network) -> int | None:
    """Return the number of continuous derivatives by the coordinates, None for all.

    Examples
    --------
    >>> continuous_derivatives(SplineKAN(degree=3))
    2
    """
    match network:
        case SplineKAN():
            return network.degree - 1
        case _:
            return None

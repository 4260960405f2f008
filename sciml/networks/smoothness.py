"""How many continuous derivatives a network has."""

from __future__ import annotations

from .base import Network
from .fields import Fields
from .spline import SplineKAN
from .windows import Windows


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
        case Windows():
            return continuous_derivatives(network.network)
        case Fields():
            each = map(continuous_derivatives, network.networks.values())
            return min((n for n in each if n is not None), default=None)
        case _:
            return None

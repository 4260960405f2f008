"""The network of radial basis functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

import sciml.framework as fw
from sciml.framework.errors import ConfigError

from .base import BoxNetwork, Parameters, check_choice, generator
from .layers import affine, glorot

Profile = Literal["gaussian", "multiquadric", "inverse_multiquadric"]

PROFILES: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        "gaussian": lambda q: fw.exp(-q),
        "multiquadric": lambda q: fw.sqrt(1.0 + q),
        "inverse_multiquadric": lambda q: fw.rsqrt(1.0 + q),
    }
)
"""The functions of the square q of the distance over the width."""


@dataclass(frozen=True)
class RadialBasis(BoxNetwork):
    """A sum of functions of the distance from trained centres, with trained widths.

    With z = (X - centre) / half width and q_k = |z - c_k|^2 / w_k^2,

    y = sum_k phi(q_k) W_k + b, phi(q) = exp(-q), sqrt(1 + q) or 1 / sqrt(1 + q).

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    centres : int
        Number of centres, >= 1.
    width : float
        Width w_k at the start [half widths of the box], > 0. Much wider than the distance of
        neighbouring centres makes the functions hard to tell apart.
    profile : str
        ``gaussian``, ``multiquadric`` or ``inverse_multiquadric``.
    outputs : int
        Number of fields, >= 1.
    lower, upper : tuple of float or None
        Bounding box of the coordinates; None takes it from the problem.

    References
    ----------
    Broomhead, Lowe: Multivariable functional interpolation and adaptive networks (1988); Hardy:
    Multiquadric equations of topography and other irregular surfaces (1971).

    Examples
    --------
    >>> net = RadialBasis(inputs=2, centres=30)
    >>> net(net.initialise(seed=0), np.zeros((5, 2))).shape
    (5, 1)
    """

    inputs: int | None = None
    centres: int = 100
    width: float = 0.5
    profile: Profile = "gaussian"
    outputs: int = 1
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse sizes and names that mean nothing."""
        self.check_sizes(self.centres)
        if not 0.0 < self.width < float("inf"):
            raise ConfigError(f"{self.name}: width must be positive, got {self.width}")
        check_choice(self.name, "profile", self.profile, PROFILES)

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return ``centres``, logarithms of widths ``log_widths`` and the layer ``last``.

        Notes
        -----
        Centres are uniform in the box. Widths are positive by their logarithms.
        """
        rng = generator(seed)
        centres = rng.uniform(-1.0, 1.0, (self.centres, self.input_count))
        return {
            "centres": centres.astype(dtype),
            "log_widths": np.full(self.centres, np.log(self.width)).astype(dtype),
            "last": glorot(rng, self.centres, self.outputs, dtype),
        }

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        # differences first: |z|^2 - 2 z c + |c|^2 would cancel where widths are small
        apart = self.scaled(X)[:, None, :] - parameters["centres"][None]
        q = (apart**2).sum(axis=2) * fw.exp(-2.0 * parameters["log_widths"])
        return affine(parameters["last"], PROFILES[self.profile](q))

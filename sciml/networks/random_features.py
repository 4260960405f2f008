"""Random features: a layer that is drawn once, and a last layer that least squares solves for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

import sciml.framework as fw
from sciml.framework.errors import ConfigError

from .enrichment import Enrichment
from .linear import LinearNetwork


@dataclass(frozen=True)
class RandomFeatures(LinearNetwork):
    """A sum of fixed random functions, linear in its parameters.

    With z = (X - centre) / half width, W of shape (coordinates, features) even in [-R, R] and, for
    the sine, b even in [0, 2 pi],

    y = act(z W + b) C + e(X) C_e,

    where e are enrichment functions, such as those of a corner. With tanh the biases are
    b = -c W with c even in the box, so that every kink lies inside. Only C is a parameter, so that
    `GaussNewton` solves a linear problem to rounding.

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    features : int
        Number of random functions, >= 1. Some 200 serve one half wave in the plane, 1000 ten.
    scale : float or tuple of float
        R, for all coordinates or one for each [radians per half width], > 0: 1.3 to 2.5 times pi
        times the number of half waves.
    activation : str
        ``sin``, which is best for smooth solutions, or ``tanh``.
    feature_seed : int
        Seed of W and b, >= 0.
    enrichment : tuple of Enrichment
        Further functions; they see the coordinates as they are.
    outputs : int
        Number of fields, >= 1.
    lower, upper : tuple of float or None
        Bounding box of the coordinates; None takes it from the problem.

    References
    ----------
    Huang, Zhu, Siew (2006), Extreme learning machine; Chen, Chi, E, Yang (2022), Bridging
    traditional and machine learning-based algorithms for solving PDEs: the random feature method.

    Examples
    --------
    >>> net = RandomFeatures(inputs=2, features=50)
    >>> net(net.initialise(seed=0), np.zeros((5, 2))).shape
    (5, 1)
    """

    inputs: int | None = None
    features: int = 300
    scale: float | tuple[float, ...] = 5.0
    activation: Literal["sin", "tanh"] = "sin"
    feature_seed: int = 0
    enrichment: tuple[Enrichment, ...] = ()
    outputs: int = 1
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse sizes and names that mean nothing."""
        object.__setattr__(self, "enrichment", tuple(self.enrichment))
        self.check_sizes(self.features)
        if self.activation not in ("sin", "tanh"):
            raise ConfigError(
                f"{self.name}: activation must be sin or tanh, got {self.activation!r}"
            )
        if not isinstance(self.scale, float | int):
            object.__setattr__(self, "scale", tuple(map(float, self.scale)))
        if not all(s > 0.0 for s in self._scales(1)) or self.feature_seed < 0:
            raise ConfigError(
                f"{self.name}: scale must be positive and feature_seed 0 or more, got "
                f"{self.scale} and {self.feature_seed}"
            )

    def _scales(self, inputs: int) -> Sequence[float]:
        if isinstance(self.scale, tuple):
            return self.scale
        return (float(self.scale),) * inputs

    def drawn(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return W of shape (coordinates, features) and b of shape (features,).

        Raises
        ------
        ConfigError
            If scales are given for another number of coordinates.
        """
        d, n = self.input_count, self.features
        scales = self._scales(d)
        if len(scales) != d:
            raise ConfigError(f"{self.name}: {len(scales)} scales for {d} coordinates")
        rng = np.random.Generator(np.random.Philox(np.random.SeedSequence((self.feature_seed, 2))))
        W = np.asarray(scales)[:, None] * rng.uniform(-1.0, 1.0, (d, n))
        if self.activation == "sin":
            return W, rng.uniform(0.0, 2.0 * np.pi, n)
        return W, -(W * rng.uniform(-1.0, 1.0, (d, n))).sum(axis=0)

    @property
    def own_count(self) -> int:
        """The number of random functions."""
        return self.features

    def functions(self, X: Any) -> Any:
        """Return the random functions, shape (points, features)."""
        W, b = (a.astype(X.dtype) for a in self.drawn())
        act = fw.sin if self.activation == "sin" else fw.tanh
        return act(self.scaled(X) @ W + b)

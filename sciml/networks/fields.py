"""A network for each field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

import sciml.framework as fw
from sciml.framework.errors import ConfigError

from .base import Network, Parameters


@dataclass(frozen=True)
class Fields(Network):
    """A network for each field of a problem, such as velocity and pressure.

    Parameters
    ----------
    networks : dict of str to Network
        By the names of the fields, in the order of the equation; each is sized by itself.

    Raises
    ------
    ConfigError
        From a problem whose fields are others.

    Examples
    --------
    >>> from sciml import MLP
    >>> net = Fields({"u": MLP(hidden=(8, 8)), "p": MLP(hidden=(4,))})
    >>> net = net.on_box((0.0, 0.0), (1.0, 1.0), outputs=2)
    >>> net(net.initialise(seed=0), np.zeros((5, 2))).shape
    (5, 2)
    """

    networks: dict[str, Network]

    def __post_init__(self) -> None:
        """Refuse no networks at all."""
        if not self.networks:
            raise ConfigError('Fields: at least one network is needed, such as {"u": MLP()}')

    def check_fields(self, names: Sequence[str]) -> None:
        """Refuse other fields than those of a problem."""
        if list(self.networks) != list(names):
            raise ConfigError(
                f"Fields: got networks for {', '.join(self.networks)}; the fields of the problem "
                f"are, in this order, {', '.join(names)}"
            )

    def on_box(self, lower: Sequence[float], upper: Sequence[float], outputs: int) -> Fields:
        """Return the networks for a box, each with one output."""
        if outputs != len(self.networks):
            raise ConfigError(f"Fields: {len(self.networks)} networks for {outputs} fields")
        sized = {name: n.on_box(lower, upper, 1) for name, n in self.networks.items()}
        return replace(self, networks=sized)

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return the parameters of each network by name."""
        seeds = np.random.SeedSequence(seed).generate_state(len(self.networks))
        return {
            name: network.initialise(int(s), dtype)
            for (name, network), s in zip(self.networks.items(), seeds, strict=True)
        }

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, fields), at X of shape (points, coordinates)."""
        each = [network(parameters[name], X) for name, network in self.networks.items()]
        return fw.concatenate(each, axis=1)

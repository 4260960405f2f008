"""Local networks under smooth windows that add up to one (FBPINN)."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

import sciml.framework as fw
from sciml.framework.errors import ConfigError

from .base import BoxNetwork, Network, Parameters
from .mlp import MLP
from .stacks import evaluate_stack, initialise_stack


def _local() -> Network:
    return MLP(hidden=(16, 16))


@dataclass(frozen=True)
class Windows(BoxNetwork):
    """A network in each cell of the box, faded into its neighbours by smooth windows.

    The box is divided into equal cells. With z = (X - centre) / half width,

    y = sum_k w_k(z) network_k((z - c_k) / r_k),

    where c_k is the centre of a cell and r_k half its width and overlap. A window w_k is the
    product over the coordinates of sigmoid((z_i - a) / s) - sigmoid((z_i - b) / s) with the ends
    a, b of the cell, a whole side where the cell ends with the box. Windows are positive, smooth,
    add up to one exactly, and a sigmoid goes from 1 % to 99 % within the overlap.

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    network : Network
        What is in each cell; sized by itself. All are of one size, with their own parameters.
    divisions : int or tuple of int
        Number of cells, in all directions or in each, >= 1.
    overlap : float
        Width of the overlap [cells], in (0, 1]. A k-th derivative of a window grows as
        (4.6 / overlap)^k per cell, so that equations of high order want a wide one.
    outputs : int
        Number of fields, >= 1.
    lower, upper : tuple of float or None
        Bounding box of the coordinates; None takes it from the problem.

    Notes
    -----
    Every network is evaluated at every point, all of them in batched products, whose cost grows
    with the number of cells; the networks may be the smaller the more there are. For subdomains
    that meet at interfaces by conditions (XPINN), or with equations of their own, see
    `CoupledProblem`.

    References
    ----------
    Moseley, Markham, Nissen-Meyer: Finite basis physics-informed neural networks (FBPINNs) (2023),
    section 3.2, with windows of sigmoids too, which are divided by their sum there.

    Examples
    --------
    >>> net = Windows(inputs=2, network=MLP(hidden=(4,)), divisions=(3, 2))
    >>> parameters = net.initialise(seed=0)
    >>> parameters[0]["W"].shape, net(parameters, np.zeros((5, 2))).shape
    ((6, 2, 4), (5, 1))
    """

    inputs: int | None = None
    network: Network = field(default_factory=_local)
    divisions: int | tuple[int, ...] = 2
    overlap: float = 0.5
    outputs: int = 1
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse sizes that mean nothing."""
        each = (self.divisions,) if isinstance(self.divisions, int) else self.divisions
        self.check_sizes(*each)
        if not isinstance(self.divisions, int) and self.inputs not in (None, len(each)):
            raise ConfigError(
                f"{self.name}: divisions={self.divisions}, but there are {self.inputs} coordinates"
            )
        if not 0.0 < self.overlap <= 1.0:
            raise ConfigError(f"{self.name}: overlap must be in (0, 1], got {self.overlap}")

    @property
    def counts(self) -> tuple[int, ...]:
        """The number of cells in each direction."""
        given = self.divisions
        return (given,) * self.input_count if isinstance(given, int) else given

    @property
    def local(self) -> Network:
        """The network of a cell, on the box from -1 to 1."""
        d = self.input_count
        return self.network.on_box((-1.0,) * d, (1.0,) * d, self.outputs)

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return the parameters of `network` stacked over the cells, the last direction fastest."""
        return initialise_stack(self.local, math.prod(self.counts), seed, dtype)

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, inputs)."""
        z, counts = self.scaled(X), np.asarray(self.counts)
        cells = np.indices(self.counts).reshape(len(counts), -1).T
        centres = (-1.0 + (2 * cells + 1) / counts).astype(X.dtype)
        factors = (counts / (1.0 + self.overlap)).astype(X.dtype)
        local = (z[:, None] - centres[None]) * factors[None, None]
        values = evaluate_stack(self.local, parameters, local)
        return (self.windows(z).T[:, :, None] * values).sum(axis=0)

    def windows(self, z: Any) -> Any:
        """Return the windows, shape (points, cells), at scaled coordinates z."""

        def joined(a: Any, b: Any) -> Any:
            product = a[:, :, None] * b[:, None, :]
            return fw.reshape(product, (z.shape[0], a.shape[1] * b.shape[1]))

        return reduce(joined, [self._along(z[:, i : i + 1], n) for i, n in enumerate(self.counts)])

    def _along(self, z: Any, count: int) -> Any:
        """Return the windows of one coordinate, shape (points, count)."""
        ends = (-1.0 + 2.0 * np.arange(1, count) / count).astype(z.dtype)
        steps = fw.logistic((z - ends[None]) * (math.log(99.0) * count / self.overlap))
        one, zero = fw.ones_like(z), fw.zeros_like(z)
        return fw.concatenate([one, steps], axis=1) - fw.concatenate([steps, zero], axis=1)

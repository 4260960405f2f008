"""The deep operator network: many functions at many points, one expansion for all functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from sciml.framework.errors import ConfigError, ShapeError

from .activations import ACTIVATIONS, ActivationName
from .base import Parameters
from .mlp import MLP


@dataclass(frozen=True)
class DeepONet:
    """An operator from functions, given at sensors, to functions of the coordinates.

    u_i(f, x) = sum_k b_ik(f(s_1), ..., f(s_m)) t_k(x) + c_i with a fully connected branch b and
    trunk t = act(MLP(x)); several fields share the trunk.

    Parameters
    ----------
    sensors : int
        Number m of values by which a function is given, >= 1.
    inputs : int
        Number of coordinates, >= 1.
    features : int
        Number of products in the sum over k, >= 1.
    branch, trunk : tuple of int
        Widths of the hidden layers, each >= 1.
    outputs : int
        Number of fields, >= 1.
    activation : str
        One of tanh, sin, sigmoid, swish, gelu, softplus.
    lower, upper : tuple of float or None
        Bounding box of the coordinates, which is scaled to [-1, 1]; None leaves them as they are.

    Notes
    -----
    The coordinates enter the trunk alone, so `sciml.framework.laplacian` and the other field
    operators expand the trunk once for all functions, and the branch meets only the result:
    derivatives cost what they cost in one network of the size of the trunk. Zero coordinate shift
    (Leng et al. 2024) reaches the same by differentiating with respect to a shift of all points.

    References
    ----------
    Lu, Jin, Pang, Zhang, Karniadakis: Learning nonlinear operators via DeepONet (2021).

    Examples
    --------
    >>> import sciml.framework as sf
    >>> net = DeepONet(sensors=20, inputs=2, features=8, branch=(16,), trunk=(16, 16))
    >>> parameters = net.initialise(seed=0)
    >>> functions, X = np.ones((5, 20)), np.zeros((7, 2))
    >>> net(parameters, functions, X).shape
    (5, 7, 1)
    >>> sf.laplacian(lambda X: net(parameters, functions, X))(X).shape
    (5, 7, 1)
    """

    sensors: int
    inputs: int
    features: int = 64
    branch: tuple[int, ...] = (64, 64)
    trunk: tuple[int, ...] = (64, 64, 64)
    outputs: int = 1
    activation: ActivationName = "tanh"
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse widths, names and boxes that mean nothing."""
        sizes = (self.sensors, self.inputs, self.features, self.outputs)
        if min(sizes) < 1:
            raise ConfigError(
                f"DeepONet: sensors, inputs, features and outputs must be 1 or more, got {sizes}"
            )
        for corner in (self.lower, self.upper):
            if corner is not None and len(corner) != self.inputs:
                raise ConfigError(
                    f"DeepONet: {self.inputs} coordinates, but a corner of the box is {corner}"
                )
        self._networks()

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return the layers of ``branch`` and ``trunk`` as `MLP` makes them, and ``bias`` zero."""
        branch, trunk = self._networks()
        first, second = np.random.SeedSequence(seed).generate_state(2)
        return {
            "branch": branch.initialise(int(first), dtype),
            "trunk": trunk.initialise(int(second), dtype),
            "bias": np.zeros(self.outputs, dtype),
        }

    def __call__(self, parameters: Parameters, functions: Any, X: Any) -> Any:
        """Return the fields of every function at every point.

        Parameters
        ----------
        parameters : dict
            As from `initialise`.
        functions : array
            Values at the sensors, shape (functions, sensors).
        X : array
            Points, shape (points, inputs).

        Returns
        -------
        array
            Shape (functions, points, outputs).
        """
        for given, what, size in (
            (functions, "functions", self.sensors),
            (X, "points", self.inputs),
        ):
            if len(given.shape) != 2 or given.shape[1] != size:
                raise ShapeError(
                    f"DeepONet: expected {what} of shape ({what}, {size}), got {given.shape}"
                )
        branch, trunk = self._networks()
        count = functions.shape[0]
        b = branch(parameters["branch"], functions)
        t = ACTIVATIONS[self.activation](trunk(parameters["trunk"], X))
        if self.outputs == 1:
            return (b @ t.T).reshape(count, X.shape[0], 1) + parameters["bias"]
        fields = b.reshape(count, self.outputs, self.features) @ t.T
        return fields.transpose(0, 2, 1) + parameters["bias"]

    def _networks(self) -> tuple[MLP, MLP]:
        """Return the branch and the trunk before its last activation."""
        branch = MLP(self.sensors, self.branch, self.outputs * self.features, self.activation)
        trunk = MLP(self.inputs, self.trunk, self.features, self.activation, self.lower, self.upper)
        return branch, trunk

"""Many networks of one kind: parameters stacked, evaluation in batched products."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

import sciml.framework as fw
from sciml.framework.core.tree import flatten, unflatten

from .base import Network, Parameters


def initialise_stack(
    network: Network, count: int, seed: int, dtype: npt.DTypeLike = np.float64
) -> Parameters:
    """Return the parameters of `count` networks, stacked along a new first axis of each array.

    Examples
    --------
    >>> from sciml import MLP
    >>> initialise_stack(MLP(inputs=2, hidden=(4,)), 3, seed=0)[0]["W"].shape
    (3, 2, 4)
    """
    seeds = np.random.SeedSequence(seed).generate_state(count)
    each = [flatten(network.initialise(int(s), dtype)) for s in seeds]
    leaves = zip(*(leaves for leaves, _ in each), strict=True)
    return unflatten(each[0][1], [np.stack(several) for several in leaves])


def evaluate_stack(network: Network, parameters: Parameters, X: Any) -> Any:
    """Return what each network gives at points of its own.

    Parameters
    ----------
    network : Network
        The kind of all.
    parameters : nested arrays
        As from `initialise_stack`.
    X : array
        Points, shape (points, networks, coordinates); the axis of the points comes first, so that
        it is known as theirs when there is one point.

    Returns
    -------
    array
        Shape (networks, points, outputs).
    """
    return fw.vmap(network, (0, 1))(parameters, X)

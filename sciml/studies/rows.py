"""A residual with its Jacobian by all parameters, as arrays."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np

import sciml.framework as fw
from sciml.framework.core.tree import flatten
from sciml.framework.errors import UnusedInputWarning
from sciml.networks import Parameters
from sciml.problem.constraint import Array, Residual


def linearised(
    residual: Residual, parameters: Parameters, arrays: Sequence[Array]
) -> tuple[Array, Array]:
    """Return a residual, shape (m,), and its Jacobian, shape (m, n); m is 1 for an integral.

    Examples
    --------
    >>> linearised(lambda p, x: p["a"] * x + p["b"], {"a": 2.0, "b": 1.0}, (np.arange(2.0),))[1]
    array([[0., 1.],
           [1., 1.]])
    """
    r = np.asarray(fw.jit(residual)(parameters, *arrays), dtype=np.float64)
    if r.ndim:
        with warnings.catch_warnings():
            # Unknown numbers of the equation are in no row of the data, and so on.
            warnings.simplefilter("ignore", UnusedInputWarning)
            J = fw.jit(fw.point_jacobian(residual).rows)(parameters, *arrays)
        return r, np.asarray(J, dtype=np.float64)
    return r[None], gradient(residual, parameters, arrays)[None]


def gradient(function: Residual, parameters: Parameters, arrays: Sequence[Array] = ()) -> Array:
    """Return the gradient of a number by all parameters, shape (n,)."""
    found = fw.grad(function, allow_unused=True)(parameters, *arrays)
    return np.concatenate(
        [np.asarray(leaf, dtype=np.float64).ravel() for leaf in flatten(found)[0]]
    )

"""Residuals with their Jacobian by all parameters, as arrays."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import sciml.framework as fw
from sciml.framework.core.tree import flatten
from sciml.framework.errors import UnusedInputWarning
from sciml.networks import Parameters
from sciml.problem.constraint import Array, Constraint
from sciml.training.linearised import Linearised


def linearised(constraint: Constraint, parameters: Parameters) -> tuple[Array, Array]:
    """Return sqrt(w / n) times the residual at n points, shape (n,), and its Jacobian.

    Examples
    --------
    >>> line = Constraint("line", lambda p, x: p["a"] * x + p["b"], (np.arange(4.0),))
    >>> linearised(line, {"a": 2.0, "b": 1.0})[1]
    array([[0. , 0.5],
           [0.5, 0.5],
           [1. , 0.5],
           [1.5, 0.5]])
    """
    with warnings.catch_warnings():
        # Unknown numbers of the equation are in no row of the data, and so on.
        warnings.simplefilter("ignore", UnusedInputWarning)
        own = Linearised([constraint])
        return own.linearise(parameters, [constraint.weight], [constraint.arrays])


def gradient(function: Callable[[Parameters], Any], parameters: Parameters) -> Array:
    """Return the gradient of a number by all parameters, shape (n,).

    Examples
    --------
    >>> gradient(lambda p: p["a"] * p["a"], {"a": np.array(3.0), "b": np.zeros(2)})
    array([6., 0., 0.])
    """
    leaves, _ = flatten(fw.grad(function, allow_unused=True)(parameters))
    return np.concatenate([np.asarray(leaf, dtype=np.float64).ravel() for leaf in leaves])

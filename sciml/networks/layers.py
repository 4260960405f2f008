"""Affine layers h W + b, whose weight matrix may be a product of parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

import sciml.framework as fw

from .base import check_choice, generator

WeightName: TypeAlias = Literal["plain", "factorised", "normalised"]

LOG_SCALE_MEAN, LOG_SCALE_SPREAD = 1.0, 0.1


def glorot(
    rng: np.random.Generator, m: int, n: int, dtype: npt.DTypeLike, weights: WeightName = "plain"
) -> dict[str, Any]:
    """Return an affine layer from m to n with normal weights of variance 2 / (m + n), zero biases.

    Parameters
    ----------
    rng : Generator
        From `generator`.
    m, n : int
        Widths before and after the layer.
    dtype : data type
        What the parameters are rounded to.
    weights : str
        How the weight matrix depends on parameters; each layer starts with the same weights up to
        rounding. ``plain``: W is a parameter. ``factorised``: W = V diag(exp(s)) with s drawn
        normal with mean 1 and standard deviation 0.1, which lets every neuron learn at a rate of
        its own. ``normalised``: W = V diag(g / norm(V)) with the Euclidean norms of the columns,
        which parts their lengths g from their directions.

    References
    ----------
    Glorot, Bengio: Understanding the difficulty of training deep feedforward neural networks
    (2010), equation 12. Wang, Wang, Seidman, Perdikaris: Random weight factorization improves the
    training of continuous neural representations (2022), section 2, for the factorised weights;
    the mean and the spread of s are those of Wang, Li, Chen, Perdikaris: PirateNets (2024).
    Salimans, Kingma: Weight normalization (2016), equation 2, for the normalised ones.

    Examples
    --------
    >>> layer = glorot(np.random.default_rng(0), 3, 4, np.float64, "factorised")
    >>> sorted(layer), layer["V"].shape, layer["s"].shape
    (['V', 'b', 's'], (3, 4), (4,))
    """
    W = rng.standard_normal((m, n)) * np.sqrt(2.0 / (m + n))
    layer: dict[str, Any]
    match weights:
        case "factorised":
            s = LOG_SCALE_MEAN + LOG_SCALE_SPREAD * rng.standard_normal(n)
            layer = {"V": W / np.exp(s), "s": s}
        case "normalised":
            layer = {"V": W, "g": np.sqrt((W**2).sum(axis=0))}
        case _:
            layer = {"W": W}
    return {**{name: value.astype(dtype) for name, value in layer.items()}, "b": np.zeros(n, dtype)}


def layer_source(
    seed: int, dtype: npt.DTypeLike, weights: WeightName = "plain"
) -> Callable[[int, int], dict[str, Any]]:
    """Return a function of widths m and n that draws one layer after another by `glorot`.

    Examples
    --------
    >>> new = layer_source(0, np.float64)
    >>> [new(m, n)["W"].shape for m, n in ((2, 8), (8, 1))]
    [(2, 8), (8, 1)]
    """
    rng = generator(seed)
    return lambda m, n: glorot(rng, m, n, dtype, weights)


def weight_matrix(layer: Any) -> Any:
    """Return the weight matrix W, shape (in, out), of a layer from `glorot`."""
    if "s" in layer:
        return layer["V"] * fw.exp(layer["s"])
    if "g" in layer:
        return layer["V"] * (layer["g"] * fw.rsqrt((layer["V"] ** 2).sum(axis=0)))
    return layer["W"]


def affine(layer: Any, h: Any) -> Any:
    """Return h W + b.

    Examples
    --------
    >>> affine({"W": np.array([[1.0, 2.0]]), "b": np.array([0.5, 0.0])}, np.array([[3.0]]))
    array([[3.5, 6. ]])
    """
    return h @ weight_matrix(layer) + layer["b"]


def check_weights(name: str, weights: str) -> None:
    """Refuse an unknown kind of weights, in the words of the network of this name."""
    check_choice(name, "weights", weights, get_args(WeightName))

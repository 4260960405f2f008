"""Functions of several elements: stable exponentials, norms, normalisation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..errors import ShapeError
from ..ops import functions as array
from ..ops.tensor import ArrayLike
from .activations import floating

__all__ = ["layer_norm", "log_softmax", "logsumexp", "norm", "softmax"]

Axis = int | Sequence[int] | None


def _shifted(x: Any, axis: Axis) -> tuple[Any, Any]:
    """Return x minus its maximum, and the maximum, which is a constant to every derivative.

    The functions below do not depend on what is subtracted, so neither do their derivatives.
    """
    top = array.stop_gradient(array.max(x, axis, keepdims=True))
    top = array.where(array.abs(top) == math.inf, 0.0, top)
    return x - top, top


def logsumexp(x: ArrayLike, axis: Axis = None, keepdims: bool = False) -> Any:
    """log(sum of exp(x)) over axes, without overflow.

    Parameters
    ----------
    x
        Array.
    axis
        Axis or axes to sum over; None means all.
    keepdims
        Whether summed axes stay, with size one.

    Examples
    --------
    >>> logsumexp(np.array([1000.0, 1000.0]))
    array(1000.69314718)
    """
    value = floating(x)
    shifted, top = _shifted(value, axis)
    total = array.log(array.sum(array.exp(shifted), axis, keepdims=True)) + top
    return total if keepdims else array.sum(total, axis)


def softmax(x: ArrayLike, axis: Axis = None) -> Any:
    """exp(x) / (sum of exp(x)) over axes, without overflow.

    Parameters
    ----------
    x
        Array.
    axis
        Axis or axes along which the result sums to one; None means all.

    Examples
    --------
    >>> softmax(np.array([[0.0, 0.0], [1000.0, 0.0]]), axis=-1)
    array([[0.5, 0.5],
           [1. , 0. ]])
    """
    powers = array.exp(_shifted(floating(x), axis)[0])
    return powers / array.sum(powers, axis, keepdims=True)


def log_softmax(x: ArrayLike, axis: Axis = None) -> Any:
    """log(softmax(x)) = x - logsumexp(x), without loss where softmax underflows.

    Parameters
    ----------
    x
        Array.
    axis
        Axis or axes along which the exponentials sum to one; None means all.

    Examples
    --------
    >>> log_softmax(np.array([0.0, -1000.0]))
    array([    0., -1000.])
    """
    shifted, _ = _shifted(floating(x), axis)
    return shifted - array.log(array.sum(array.exp(shifted), axis, keepdims=True))


def norm(x: ArrayLike, axis: Axis = None, keepdims: bool = False) -> Any:
    """Square root of the sum of squares over axes, without overflow or underflow.

    Parameters
    ----------
    x
        Array.
    axis
        Axis or axes to sum over; None means all.
    keepdims
        Whether summed axes stay, with size one.

    Notes
    -----
    Where all elements are zero the norm has no derivative (along v it grows as |t| |v|), and its
    derivatives there are NaN, so that the mistake shows. Where a smooth function is wanted, take
    ``sqrt(sum(x**2) + a**2)`` with a length a > 0.

    Examples
    --------
    >>> norm(np.array([[3e200, 4e200], [0.0, 0.0]]), axis=1)
    array([5.e+200, 0.e+000])
    """
    value = floating(x)
    scale = array.stop_gradient(array.max(array.abs(value), axis, keepdims=True))
    # the norm is homogeneous, so it does not depend on the scale, nor do its derivatives
    scale = array.where((scale == 0.0) | (scale == math.inf), 1.0, scale)
    root = scale * array.sqrt(array.sum((value / scale) ** 2, axis, keepdims=True))
    return root if keepdims else array.sum(root, axis)


def layer_norm(
    x: ArrayLike,
    scale: ArrayLike | None = None,
    shift: ArrayLike | None = None,
    axis: Axis = -1,
    epsilon: float = 1e-5,
) -> Any:
    """(x - mean) / sqrt(variance + epsilon) * scale + shift over axes.

    Parameters
    ----------
    x
        Array.
    scale, shift
        Arrays that broadcast against x, such as the parameters of a layer; None leaves them out.
    axis
        Axis or axes over which mean and variance (divided by the number of elements) are taken.
    epsilon
        Added to the variance, positive: without it a constant x has no derivative.

    References
    ----------
    Ba, Kiros, Hinton: Layer normalization (2016).

    Examples
    --------
    >>> layer_norm(np.array([1.0, 3.0]), epsilon=1e-12).round(6)
    array([-1.,  1.])
    """
    if not epsilon > 0.0:
        raise ShapeError(f"layer_norm: epsilon must be positive, got {epsilon}")
    value = floating(x)
    centred = value - array.mean(value, axis, keepdims=True)
    variance = array.mean(centred * centred, axis, keepdims=True)
    result = centred * array.rsqrt(variance + epsilon)
    result = result if scale is None else result * scale
    return result if shift is None else result + shift

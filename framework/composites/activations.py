"""Smooth functions by element, with derivatives that keep their digits in both tails.

The derivatives of softplus and its relatives come from the pair s = 1 / (1 + exp(-x)) and
c = 1 - s = 1 / (1 + exp(x)), each computed by itself: s' = s c and c' = -s c close under
differentiation, so that no order subtracts two numbers near one.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core.dtypes import FLOAT64, is_float
from ..ops import functions as array
from ..ops.primitive import type_of
from ..ops.tensor import (
    ArrayLike,
    broadcast_shapes,
    broadcast_to,
    common_type,
    unwrap,
    wrap,
)
from ..transforms.custom import custom_jvp

__all__ = ["gelu", "log_sigmoid", "logaddexp", "silu", "sinc", "softplus", "swish"]


def floating(x: ArrayLike) -> Any:
    """Return an argument as a tensor or array of a floating type."""
    operand = unwrap(x, FLOAT64)
    value = wrap(operand)
    return value if is_float(type_of(operand).dtype) else value.astype(FLOAT64)


@custom_jvp
def _sigmoid(x: Any) -> Any:
    return array.logistic(x)


@custom_jvp
def _complement(x: Any) -> Any:
    return array.logistic(-x)


_sigmoid.defjvp(lambda p, t: (_sigmoid(*p), t[0] * (_sigmoid(*p) * _complement(*p))))
_complement.defjvp(lambda p, t: (_complement(*p), -t[0] * (_sigmoid(*p) * _complement(*p))))


@custom_jvp
def _softplus(x: Any) -> Any:
    return array.maximum(x, 0.0) + array.log1p(array.exp(-array.abs(x)))


_softplus.defjvp(lambda p, t: (_softplus(*p), t[0] * _sigmoid(p[0])))


def softplus(x: ArrayLike) -> Any:
    """log(1 + exp(x)) by element.

    Computed as max(x, 0) + log(1 + exp(-|x|)), which neither overflows nor loses the left tail;
    its derivative is 1 / (1 + exp(-x)), whose derivatives of every order keep their relative
    accuracy in both tails.

    Examples
    --------
    >>> softplus(np.array([-800.0, 0.0, 800.0]))
    array([0.00000000e+00, 6.93147181e-01, 8.00000000e+02])
    """
    return _softplus(floating(x))


def log_sigmoid(x: ArrayLike) -> Any:
    """log(1 / (1 + exp(-x))) = -softplus(-x) by element.

    Examples
    --------
    >>> log_sigmoid(np.array([-800.0, 0.0]))
    array([-8.00000000e+02, -6.93147181e-01])
    """
    return -_softplus(-floating(x))


def silu(x: ArrayLike) -> Any:
    """x / (1 + exp(-x)) by element, also known as swish.

    References
    ----------
    Elfwing, Uchibe, Doya: Sigmoid-weighted linear units (2018).

    Examples
    --------
    >>> silu(np.array([0.0, 50.0]))
    array([ 0., 50.])
    """
    value = floating(x)
    return value * _sigmoid(value)


swish = silu


def gelu(x: ArrayLike) -> Any:
    """x Phi(x) = x (1 + erf(x / sqrt 2)) / 2 by element, Phi the normal distribution function.

    Exact, not the approximation by tanh. Far to the left the value is accurate absolutely, to
    about 1e-16 |x|, not relatively.

    References
    ----------
    Hendrycks, Gimpel: Gaussian error linear units (2016).

    Examples
    --------
    >>> gelu(np.array([0.0, 10.0]))
    array([ 0., 10.])
    """
    value = floating(x)
    return 0.5 * value * (1.0 + array.erf(value * math.sqrt(0.5)))


@custom_jvp
def _logaddexp(x: Any, y: Any) -> Any:
    return array.maximum(x, y) + array.log1p(array.exp(-array.abs(_difference(x, y))))


@_logaddexp.defjvp
def _logaddexp_rule(primals: Any, tangents: Any) -> Any:
    d = _difference(*primals)
    return _logaddexp(*primals), tangents[0] * _sigmoid(d) + tangents[1] * _complement(d)


def _difference(x: Any, y: Any) -> Any:
    """x - y, zero where both are the same infinity."""
    same = (x == y) & (array.abs(x) == math.inf)
    return array.where(same, 0.0, x) - array.where(same, 0.0, y)


def logaddexp(x: ArrayLike, y: ArrayLike) -> Any:
    """log(exp(x) + exp(y)) by element, without overflow.

    Parameters
    ----------
    x, y
        Arrays that broadcast against each other.

    Examples
    --------
    >>> logaddexp(np.array([1000.0, -np.inf]), np.array([1000.0, 2.0]))
    array([1000.69314718,    2.        ])
    """
    a, b = common_type(x, y)
    shape = broadcast_shapes(type_of(a).shape, type_of(b).shape)
    return _logaddexp(*(floating(wrap(broadcast_to(o, shape))) for o in (a, b)))


# Gauss's nodes on [0, 1]: with 20 of them the integral below is exact to rounding for |x| <= 4
# and every derivative up to order twelve.
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(20)
_NODES, _WEIGHTS = 0.5 * (_NODES + 1.0), 0.5 * _WEIGHTS
_NEAR = 4.0


def sinc(x: ArrayLike) -> Any:
    """sin(pi x) / (pi x) by element, 1 at x = 0, with all its derivatives there.

    For |x| <= 4 computed as the integral of cos(pi x s) over s from 0 to 1 with 20 Gauss nodes,
    an entire function in which nothing is divided by x, so that derivatives of every order up to
    twelve are exact to rounding at and around zero; by the quotient elsewhere.

    Examples
    --------
    >>> sinc(np.array([0.0, 0.5, 10.5])) * np.pi
    array([3.14159265, 2.        , 0.0952381 ])
    """
    value = floating(x)
    near = array.abs(value) <= _NEAR
    # each branch gets an argument at which it and its derivatives are finite
    inside = array.where(near, value, 0.0)
    outside = math.pi * array.where(near, 1.0, value)
    rank = len(value.shape)
    nodes, weights = (
        v.reshape((1,) * rank + (-1,)).astype(value.dtype) for v in (math.pi * _NODES, _WEIGHTS)
    )
    column = array.reshape(inside, (*value.shape, 1))
    integral = array.sum(array.cos(column * nodes) * weights, axis=-1)
    return array.where(near, integral, array.sin(outside) / outside)

"""Random signs, integers and choices from a key, and keys from a key."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.dims import Dim
from ..core.dtypes import FLOAT64, INT64
from ..errors import ShapeError
from . import functions, indexing
from .fill import iota
from .primitive import type_of
from .tensor import ArrayLike, take, unwrap, where, wrap

__all__ = ["choice", "integers", "one_hot", "rademacher", "split_key", "weighted_integers"]


def split_key(key: ArrayLike, count: int | Dim = 2) -> Any:
    """Return new keys, shape (count, 2), for independent draws.

    The words come from the same counter as `random_bits` of the key, so a key is either split or
    drawn from, never both.

    Examples
    --------
    >>> first, second = split_key(functions.random_key(0))
    >>> bool((first == second).all())
    False
    """
    shape = type_of(unwrap(key)).shape
    if shape != (2,):
        raise ShapeError(f"split_key: a key has shape (2,), got {shape}; see random_key")
    return functions.random_bits(key, (count, 2))  # type: ignore[arg-type]


def rademacher(key: ArrayLike, shape: tuple[int, ...], dtype: Any = FLOAT64) -> Any:
    """Signs -1 and 1, each with probability 1/2.

    Examples
    --------
    >>> rademacher(functions.random_key(0), (4,))
    array([ 1.,  1., -1., -1.])
    """
    positive = functions.random_bits(key, shape) < 2**31
    return where(positive, np.ones((), dtype), -np.ones((), dtype))


def _fraction(key: ArrayLike, shape: tuple[int, ...]) -> Any:
    """Multiples of 2^-53 in [0, 1] from two words each (1 itself by rounding)."""
    high, low = (functions.random_bits(k, shape).astype(FLOAT64) for k in split_key(key))
    return (high + low * 2.0**-32) * 2.0**-32


def integers(key: ArrayLike, shape: tuple[int, ...], size: int) -> Any:
    """Integers 0, ..., size - 1 with equal probabilities, up to size * 2^-53 relative.

    Examples
    --------
    >>> integers(functions.random_key(0), (4,), 10)
    array([2, 9, 3, 8])
    """
    if not 1 <= size <= 2**53:
        raise ShapeError(f"integers: the size must lie in [1, 2**53], got {size}")
    scaled = functions.floor(_fraction(key, shape) * float(size))
    return functions.minimum(scaled, float(size - 1)).astype(INT64)


def weighted_integers(key: ArrayLike, shape: tuple[int, ...], weights: Any) -> Any:
    """Integers i with probabilities weights[i] / sum(weights), up to 2^-53.

    Examples
    --------
    >>> weighted_integers(functions.random_key(0), (6,), [1.0, 0.0, 9.0])
    array([2, 2, 2, 2, 0, 2])
    """
    given = np.asarray(weights, dtype=FLOAT64)
    total = given.sum()
    if given.ndim != 1 or not (given >= 0).all() or not 0 < total < np.inf:
        raise ShapeError(f"weights must be numbers >= 0, not all zero, in one row, got {weights}")
    # what lies above the last edge but one belongs to the last weight that is not zero
    edges = (np.cumsum(given) / total)[: np.flatnonzero(given)[-1]]
    drawn = _fraction(key, shape)
    wide = functions.reshape(drawn, (*shape, 1))
    return functions.sum((wide >= edges.reshape((1,) * len(shape) + (-1,))).astype(INT64), axis=-1)


def choice(key: ArrayLike, size: int, count: int) -> Any:
    """Choose `count` different integers of 0, ..., size - 1 in random order, all ways equal.

    The first entries of a Fisher-Yates shuffle, without the array of `size` entries: step i
    exchanges entry i with entry r_i >= i, and what stands at a place is what the last step before
    has put there. The chains of such steps are followed by doubling, so the work is count^2 and
    the program has of the order of log2(count) operations.

    Parameters
    ----------
    key
        Key of the draw.
    size
        Number of integers to choose from.
    count
        Number of integers to choose, at most `size`.

    References
    ----------
    Knuth: The Art of Computer Programming, volume 2 (3rd ed., 1997), section 3.4.2, algorithm P.

    Examples
    --------
    >>> choice(functions.random_key(0), 5, 5)
    array([1, 4, 2, 0, 3])
    """
    if not 1 <= count <= size:
        raise ShapeError(f"choice: {count} different integers cannot be chosen of {size}")
    step = wrap(iota(shape=(count,), axis=0, dtype=INT64))
    remaining = float(size) - step.astype(FLOAT64)
    jump = functions.minimum(functions.floor(_fraction(key, (count,)) * remaining), remaining - 1.0)
    target = step + jump.astype(INT64)

    def last_before(place: Any) -> Any:
        """For each step the last step before it with this target, -1 where there is none."""
        earlier = step[None, :] < step[:, None]
        return functions.max(where((target[None, :] == place[:, None]) & earlier, step, -1), axis=1)

    # entry i itself comes from the last step before that has targeted place i
    source = last_before(step)
    source = where(source < 0, step, source)
    for _ in range((count - 1).bit_length()):
        source = take(source, source)
    found = last_before(target)
    return where(found < 0, target, take(source, functions.maximum(found, 0)))


def one_hot(indices: ArrayLike, size: int, dtype: Any = FLOAT64) -> Any:
    """Rows of the unit matrix: 1 at the index, 0 elsewhere; shape (\\*indices.shape, size).

    A product with such rows is compiled to taking rows, its transpose to adding to rows.

    Examples
    --------
    >>> one_hot(np.array([1, 0]), 3)
    array([[0., 1., 0.],
           [1., 0., 0.]])
    """
    return wrap(indexing.one_hot(unwrap(indices), size=size, dtype=np.dtype(dtype)))

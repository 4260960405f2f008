"""Unbiased estimates of differential operators from random directions, for high dimension.

A Laplacian in d dimensions needs d second derivatives; a mean over a few random directions v needs
as many as there are directions and has the right expectation:

- E[D^2 u[v, v]] = laplacian(u) for E[v v^T] = 1: signs, normal numbers, or sqrt(d) e_i;
- E[D^2k u[v, ..., v]] = (2k-1)!! laplacian^k(u) for normal v, by Wick's theorem;
- E[c_a / p_a d^a u] = sum of all c_a d^a u for terms a drawn with probabilities p_a.

Every derivative is exact, from Taylor coefficients along all sampled directions in one array; only
the choice of directions is random. Each sample is unbiased by itself, so their spread measures
the error of their mean. Keys are arguments: a compiled step draws anew for every key.

References
----------
Hutchinson: A stochastic estimator of the trace of the influence matrix (1990).
Shi, Hu, Lin, Kawaguchi: Stochastic Taylor derivative estimator (2024).
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..core.dims import Dim
from ..core.dtypes import DType
from ..errors import DifferentiationError, ShapeError
from ..ops import functions as array
from ..ops.contraction import dot_general
from ..ops.fill import full
from ..ops.primitive import type_of
from ..ops.sampling import choice, integers, one_hot, rademacher, split_key
from ..ops.tensor import ArrayLike, unwrap, wrap
from .functions import vmap
from .lines import direction_coefficients
from .pointwise import points_operand
from .taylor import MultiIndex

__all__ = [
    "Directions", "Estimate", "draw_choices", "estimate_biharmonic", "estimate_laplacian",
    "estimate_polyharmonic", "estimate_second_order", "scaled_coefficients", "unbiased_square",
]  # fmt: skip

Field = Callable[[Any], Any]
Directions = Literal["rademacher", "gaussian", "sparse"]
Sizes = tuple[int | Dim, ...]


@dataclass(frozen=True)
class Estimate:
    """Samples of a quantity, with their mean and its measured error.

    Under `jit` only what is used is computed; for the mean alone, the coefficients of highest
    order are summed before they meet the weights.

    Attributes
    ----------
    values
        Shape (samples, points) or (samples, points, m); each sample has the right expectation.
    remaining
        The part of the population that was not drawn, 1 for independent samples. With n of N
        terms drawn without replacement the error of the mean has the factor sqrt(1 - n / N).
    """

    values: Any
    remaining: float = 1.0

    @property
    def mean(self) -> Any:
        """Mean over the samples, the estimate."""
        return array.mean(self.values, axis=0)

    @property
    def variance(self) -> Any:
        """Variance of one sample, sum of (value - mean)^2 / (samples - 1)."""
        count = self.values.shape[0]
        if count < 2:
            raise ShapeError("the variance of one sample is not known; take at least two samples")
        return array.sum((self.values - self.mean[None]) ** 2, axis=0) / float(count - 1)

    @property
    def standard_error(self) -> Any:
        """Standard deviation of the mean, measured from the samples."""
        return array.sqrt(self.variance * (self.remaining / self.values.shape[0]))


def estimate_polyharmonic(
    u: Field,
    power: int,
    key: ArrayLike,
    samples: int,
    directions: Directions = "sparse",
    shared: bool = True,
) -> Callable[[Any], Estimate]:
    """Return a function that estimates the Laplacian applied `power` times at points X.

    ``"gaussian"``: D^2k u[v, ..., v] / (2k-1)!! along normal v, with variance 2 ||A||_F^2 for the
    Laplacian of a field with Hessian A. ``"rademacher"``: along v of signs, for power 1 alone,
    with variance 2 sum over i != j of A_ij^2. ``"sparse"``: the multinomial expansion is
    sum over |b| = power of power!/b! d^(2b) u; of the terms of each form (u_iiii and u_iijj, for
    example) every sample has one, times their number.

    Parameters
    ----------
    u
        Pointwise field, X of shape (points, d) to (points,) or (points, m).
    power
        At least 1: 1 is the Laplacian, 2 the biharmonic operator.
    key
        Key of the draw, from `random_key` or `split_key`.
    samples
        Number S of samples. The work is that of a Taylor propagation along S directions, times
        the number of forms of terms if they are sparse (1, 2, 3, 5 for power 1, 2, 3, 4).
    directions
        Kind of directions. Sparse ones read and write only the rows of the first weights that
        they meet; they are the right ones where u is near to a sum of functions of few coordinates.
        For the Laplacian they are drawn without replacement.
    shared
        Whether all points use the same directions. Own ones make the errors of different points
        independent, and cost S * points * d numbers and S times the products of the first layer
        (sparse ones: S * points rows).

    Raises
    ------
    ShapeError
        If a number is out of range.
    DifferentiationError
        If signs are asked for with power > 1: E[v^4] = 1 where a normal number has 3.

    Examples
    --------
    >>> import sciml.framework as sf
    >>> X = np.ones((1, 6))
    >>> estimate_polyharmonic(lambda X: (X**4).sum(axis=1), 2, sf.random_key(0), 3)(X).mean
    array([144.])
    """
    return _polyharmonic(u, power, key, samples, directions, shared, replace=False)


def estimate_laplacian(
    u: Field,
    key: ArrayLike,
    samples: int,
    directions: Directions = "sparse",
    shared: bool = True,
    replace: bool = False,
) -> Callable[[Any], Estimate]:
    """Return a function that estimates the sum of u_xx over all coordinates at points X.

    Parameters
    ----------
    u, key, samples, directions, shared
        As for `estimate_polyharmonic`.
    replace
        Whether a coordinate may be drawn again. Without, S = d samples give the exact value.

    Examples
    --------
    >>> import sciml.framework as sf
    >>> X = np.ones((1, 1000))
    >>> found = estimate_laplacian(lambda X: (X**2).sum(axis=1), sf.random_key(0), 16)(X)
    >>> found.mean, found.standard_error
    (array([2000.]), array([0.]))
    """
    return _polyharmonic(u, 1, key, samples, directions, shared, replace)


def estimate_biharmonic(
    u: Field,
    key: ArrayLike,
    samples: int,
    directions: Directions = "sparse",
    shared: bool = True,
) -> Callable[[Any], Estimate]:
    """Return a function that estimates laplacian(laplacian(u)) at points X.

    ``"gaussian"``: d^4/dt^4 u(x + t v) / 3 along normal v. ``"sparse"``: d u_iiii + d (d-1) u_iijj
    at random i and at random i != j. Parameters are those of `estimate_polyharmonic`.

    Examples
    --------
    >>> import sciml.framework as sf
    >>> X = np.ones((1, 6))
    >>> estimate_biharmonic(lambda X: (X**2).sum(axis=1) ** 2, sf.random_key(0), 2)(X).mean
    array([384.])
    """
    return _polyharmonic(u, 2, key, samples, directions, shared, replace=False)


def _polyharmonic(
    u: Field,
    power: int,
    key: ArrayLike,
    samples: int,
    directions: Directions,
    shared: bool,
    replace: bool,
) -> Callable[[Any], Estimate]:
    if power < 1:
        raise ShapeError(f"the power of the Laplacian must be at least 1, got {power}")
    _check(samples, directions, replace)
    if directions == "rademacher" and power > 1:
        raise DifferentiationError(
            f"signs have the wrong moments for the Laplacian to the power {power}: E[v^4] = 1, "
            "not 3; use gaussian or sparse directions"
        )

    @functools.wraps(u)
    def evaluate(X: Any) -> Estimate:
        operand, d = points_operand(X)
        type = type_of(operand)
        points: Sizes = () if shared else (type.shape[0],)
        if directions != "sparse":
            v = _isotropic(key, (samples, *points, d), directions, type.dtype)
            odd = math.prod(range(1, 2 * power, 2))
            return Estimate(scaled_coefficients(u, X, [v], (2 * power,)) * (1.0 / odd))
        if power == 1:
            i, remaining = _draw_axes(key, samples, d, points, replace)
            parts = scaled_coefficients(u, X, [one_hot(i, d, type.dtype)], (2,))
            return Estimate(parts * float(d), remaining)
        forms = [form for form in _partitions(power) if len(form) <= d]
        total = None
        for form, own in zip(forms, split_key(key, len(forms)), strict=True):
            axes = draw_choices(own, (samples, *points), d, len(form))
            rows = [one_hot(axes[..., k], d, type.dtype) for k in range(len(form))]
            term = scaled_coefficients(u, X, rows, tuple(2 * n for n in form))
            term = term * (_terms(form, d) * _multinomial(form))
            total = term if total is None else total + term
        return Estimate(total)

    return evaluate


def _check(samples: int, directions: str, replace: bool) -> None:
    if samples < 1:
        raise ShapeError(f"the number of samples must be at least 1, got {samples}")
    if directions not in ("rademacher", "gaussian", "sparse"):
        raise ShapeError(
            f"directions must be 'rademacher', 'gaussian' or 'sparse', got {directions!r}"
        )
    if replace and directions != "sparse":
        raise ShapeError(f"replace=True is for sparse directions, got {directions!r}")


def estimate_second_order(
    u: Field,
    factor: ArrayLike | Callable[[Any], Any],
    key: ArrayLike,
    samples: int,
    directions: Directions = "rademacher",
    shared: bool = True,
) -> Callable[[Any], Estimate]:
    """Return a function that estimates trace(A D^2 u) with A = L L^T at points X.

    E[D^2 u[L z, L z]] = trace(L^T D^2 u L) for E[z z^T] = 1, for example the generator of a
    stochastic differential equation, whose diffusion matrix is L.

    Parameters
    ----------
    u, key, samples, directions, shared
        As for `estimate_polyharmonic`; sparse ones are columns of L, drawn without replacement.
    factor
        L of shape (d, r), or (points, d, r) for each point, or a function of X with such a result.

    Examples
    --------
    >>> import sciml.framework as sf
    >>> L = np.array([[1.0, 0.0], [2.0, 3.0]])
    >>> u = lambda X: X[:, 0] ** 2 + X[:, 1] ** 2
    >>> estimate_second_order(u, L, sf.random_key(0), 2, "sparse")(np.ones((1, 2))).mean
    array([28.])
    """
    _check(samples, directions, replace=False)

    @functools.wraps(u)
    def evaluate(X: Any) -> Estimate:
        operand, d = points_operand(X)
        type = type_of(operand)
        L = unwrap(factor(X) if callable(factor) else factor)
        given = type_of(L)
        if given.shape[:-1] not in ((d,), type.shape) or given.dtype != type.dtype:
            raise ShapeError(
                f"the factor must be (d, r) or (points, d, r) for points {type}, got {given}"
            )
        r = given.shape[-1]
        if isinstance(r, Dim):
            raise ShapeError(f"the number of columns of the factor must be fixed, got {given}")
        points: Sizes = () if shared else (type.shape[0],)
        weight, remaining = 1.0, 1.0
        if directions == "sparse":
            column, remaining = _draw_axes(key, samples, r, points, replace=False)
            z, weight = one_hot(column, r, type.dtype), float(r)
        else:
            z = _isotropic(key, (samples, *points, r), directions, type.dtype)
        batch = ((1,), (0,)) if not shared and given.rank == 3 else ((), ())
        contract = ((z.ndim - 1,), (given.rank - 1,))
        v = wrap(dot_general(unwrap(z), L, contract=contract, batch=batch))
        if batch[0]:
            v = v.transpose(1, 0, 2)
        return Estimate(scaled_coefficients(u, X, [v], (2,)) * weight, remaining)

    return evaluate


def unbiased_square(residual: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function (key, \\*arguments) whose expectation is the square of the residual.

    The square of one estimate r has the expectation E[r]^2 + Var[r]: a loss of it also lowers the
    variance of the estimate. The product of two estimates with independent keys has E[r]^2, and
    its gradient the expectation of the gradient. It may be negative.

    Parameters
    ----------
    residual
        Function (key, \\*arguments) that returns an unbiased estimate for each point.

    Examples
    --------
    >>> import sciml.framework as sf
    >>> u = lambda X: X[:, 0] * X[:, 1]  # harmonic
    >>> def residual(key, X):
    ...     return estimate_laplacian(u, key, 1, "gaussian")(X).mean
    >>> key, X = sf.random_key(0), np.ones((1, 2))
    >>> many = sf.jit(sf.vmap(lambda k: unbiased_square(residual)(k, X)))(sf.split_key(key, 10000))
    >>> biased = sf.jit(sf.vmap(lambda k: residual(k, X) ** 2))(sf.split_key(key, 10000))
    >>> print(f"{abs(many.mean()):.1f} {biased.mean():.1f}")  # 0 and 2 ||A||_F^2 = 4
    0.0 4.0
    """

    @functools.wraps(residual)
    def evaluate(key: ArrayLike, *arguments: Any) -> Any:
        keys = split_key(key)
        return residual(keys[0], *arguments) * residual(keys[1], *arguments)

    return evaluate


# --- directions -----------------------------------------------------------------------------


def _isotropic(key: ArrayLike, shape: Sizes, kind: str, dtype: DType) -> Any:
    """Independent numbers of mean 0 and variance 1."""
    draw = rademacher if kind == "rademacher" else array.normal
    return draw(key, shape, dtype)  # type: ignore[arg-type]


def _draw_axes(
    key: ArrayLike, samples: int, size: int, points: Sizes, replace: bool
) -> tuple[Any, float]:
    """Return one of `size` axes for each sample (and point), and the part that is not drawn."""
    if replace:
        return integers(key, (samples, *points), size), 1.0  # type: ignore[arg-type]
    if samples > size:
        raise ShapeError(
            f"{samples} samples without replacement of {size} terms; "
            "use the exact operator, fewer samples or replace=True"
        )
    drawn = draw_choices(key, points, size, samples)
    return (drawn.transpose(1, 0) if points else drawn), 1.0 - samples / size


def draw_choices(key: ArrayLike, shape: Sizes, size: int, count: int) -> Any:
    """Return `count` different integers below `size` for each position, shape (\\*shape, count)."""
    if not shape:
        return choice(key, size, count)
    keys = split_key(key, math.prod(shape))
    return array.reshape(vmap(lambda k: choice(k, size, count))(keys), (*shape, count))


def scaled_coefficients(u: Field, X: Any, directions: Sequence[Any], a: MultiIndex) -> Any:
    """Return d^a/dt^a u(x + t_1 v_1 + ...) along stacked directions, shape (S, points, ...)."""
    operands = [unwrap(v) for v in directions]
    value, (part,) = direction_coefficients(u, X, operands, [a])
    if part is None:
        type = type_of(value)
        return wrap(full((type_of(operands[0]).shape[0], *type.shape), 0.0, type.dtype))
    return wrap(part) * float(math.prod(math.factorial(n) for n in a))


# --- forms of terms -------------------------------------------------------------------------


def _partitions(n: int, largest: int | None = None) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write n as a sum of numbers in falling order."""
    if n == 0:
        yield ()
    for first in range(min(n, largest or n), 0, -1):
        for rest in _partitions(n - first, first):
            yield (first, *rest)


def _terms(form: Sequence[int], d: int) -> float:
    """Number of multi-indices in d variables with these orders, whatever the variables are."""
    repeats = math.prod(math.factorial(n) for n in Counter(form).values())
    return float(math.perm(d, len(form)) // repeats)


def _multinomial(form: Sequence[int]) -> float:
    return float(math.factorial(sum(form)) // math.prod(math.factorial(n) for n in form))

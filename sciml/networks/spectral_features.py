"""Spectral features: products of Chebyshev polynomials and Fourier modes."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

import sciml.framework as fw
from sciml.framework.errors import ConfigError

from .enrichment import Enrichment
from .linear import LinearNetwork

Basis: TypeAlias = Literal["chebyshev", "fourier"]


@dataclass(frozen=True)
class SpectralFeatures(LinearNetwork):
    """A sum of products of polynomials and trigonometric functions, linear in its parameters.

    With z_i = (x_i - centre) / half width, y = sum over k of C_k prod_i f_{k_i}(z_i), where f_k are
    the Chebyshev polynomials T_0, ..., T_degree, or 1, cos(pi z), sin(pi z), ..., cos(m pi z),
    sin(m pi z), which have the side of the box as their period. For smooth solutions, and by
    windows in time, they are far better conditioned than `RandomFeatures`; a domain need not fill
    its box.

    Parameters
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    degrees : int or tuple of int
        Highest degree of the polynomials, or number m of modes; for all or each coordinate, >= 0.
    bases : tuple of str
        ``chebyshev`` or ``fourier`` for each coordinate; none means chebyshev for all. Along a
        Fourier coordinate everything is periodic by itself.
    total : bool
        Whether to keep only products with sum of k_i / degree_i <= 1.
    enrichment : tuple of Enrichment
        Further functions, such as those of corners.
    outputs : int
        Number of fields, >= 1.
    lower, upper : tuple of float or None
        Bounding box of the coordinates; None takes it from the problem.

    References
    ----------
    Boyd (2001), Chebyshev and Fourier Spectral Methods, chapters 2 and 3.

    Examples
    --------
    >>> net = SpectralFeatures(inputs=2, degrees=(8, 4), bases=("fourier", "chebyshev"))
    >>> net(net.initialise(seed=0), np.zeros((5, 2))).shape, net.count
    ((5, 1), 85)
    """

    inputs: int | None = None
    degrees: int | tuple[int, ...] = 12
    bases: tuple[Basis, ...] = ()
    total: bool = False
    enrichment: tuple[Enrichment, ...] = ()
    outputs: int = 1
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse sizes and names that mean nothing."""
        if not isinstance(self.degrees, int):
            object.__setattr__(self, "degrees", tuple(self.degrees))
        object.__setattr__(self, "bases", tuple(self.bases))
        object.__setattr__(self, "enrichment", tuple(self.enrichment))
        self.check_sizes()
        degrees = self.degrees if isinstance(self.degrees, tuple) else (self.degrees,)
        if not all(isinstance(k, int) and k >= 0 for k in degrees):
            raise ConfigError(f"{self.name}: degrees must be 0 or more, got {self.degrees}")
        if not set(self.bases) <= {"chebyshev", "fourier"}:
            raise ConfigError(f"{self.name}: bases are chebyshev or fourier, got {self.bases}")

    @property
    def axes(self) -> list[tuple[Basis, int]]:
        """Basis and degree of each coordinate.

        Raises
        ------
        ConfigError
            If they are given for another number of coordinates, such as those of an exactly
            periodic trial function, which has two for one.
        """
        d = self.input_count
        degrees = self.degrees if isinstance(self.degrees, tuple) else (self.degrees,) * d
        plain: Basis = "chebyshev"
        bases = self.bases or (plain,) * d
        if len(degrees) != d or len(bases) != d:
            raise ConfigError(
                f"{self.name}: degrees {degrees} and bases {tuple(bases)} are for {len(degrees)} "
                f"and {len(bases)} coordinates, expected {d}; a periodic condition counts as two, "
                "so give it hard=False where the basis is fourier"
            )
        return list(zip(bases, degrees, strict=True))

    @property
    def own_count(self) -> int:
        """The number of products."""
        return len(self.products())

    def products(self) -> npt.NDArray[np.int64]:
        """Return the numbers of the functions in each product, shape (count, coordinates)."""
        orders = [_orders(basis, degree) for basis, degree in self.axes]
        every: npt.NDArray[np.int64] = np.array(
            list(itertools.product(*(range(len(o)) for o in orders)))
        )
        if not self.total:
            return every
        shares = [np.asarray(o) / max(o[-1], 1) for o in orders]
        totals = np.sum([share[every[:, i]] for i, share in enumerate(shares)], axis=0)
        kept: npt.NDArray[np.int64] = every[totals <= 1.0 + 1e-12]
        return kept

    def functions(self, X: Any) -> Any:
        """Return the products, shape (points, own_count)."""
        z, chosen, features = self.scaled(X), self.products(), None
        for i, (basis, degree) in enumerate(self.axes):
            functions = (_chebyshev if basis == "chebyshev" else _fourier)(z[:, i : i + 1], degree)
            # a product with zeros and ones puts each function in the columns it belongs to
            spread = np.eye(functions.shape[1])[:, chosen[:, i]].astype(X.dtype)
            column = functions @ spread
            features = column if features is None else features * column
        return features


def _orders(basis: Basis, degree: int) -> list[int]:
    """Return the degree or mode of each function of one coordinate."""
    if basis == "chebyshev":
        return list(range(degree + 1))
    return [0, *(k for k in range(1, degree + 1) for _ in range(2))]


def _chebyshev(z: Any, degree: int) -> Any:
    """Return T_0 to T_degree, shape (points, degree + 1), by T_{m+j} = 2 T_m T_j - T_{m-j}."""
    known = fw.concatenate([fw.ones_like(z), z], axis=1)
    while known.shape[1] <= degree:
        m = known.shape[1] - 1
        backwards = np.fliplr(np.eye(m)).astype(z.dtype)
        more = 2.0 * known[:, m : m + 1] * known[:, 1:] - known[:, :m] @ backwards
        known = fw.concatenate([known, more], axis=1)
    return known[:, : degree + 1]


def _fourier(z: Any, modes: int) -> Any:
    """Return 1, cos(pi z), sin(pi z), ..., shape (points, 2 modes + 1)."""
    if not modes:
        return fw.ones_like(z)
    k = np.pi * np.arange(1, modes + 1, dtype=float)[None].astype(z.dtype)
    phase = z @ k
    pairs = np.zeros((2 * modes, 2 * modes))
    pairs[np.arange(2 * modes), [2 * j + s for s in (0, 1) for j in range(modes)]] = 1.0
    waves = fw.concatenate([fw.cos(phase), fw.sin(phase)], axis=1) @ pairs.astype(z.dtype)
    return fw.concatenate([fw.ones_like(z), waves], axis=1)

"""Functions that know the singular part of a solution, as further columns of random features."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, final

import numpy as np

import sciml.framework as fw
from sciml.framework.errors import ConfigError

_ORIGIN = 1e-20


class Enrichment(ABC):
    """A row of functions of the coordinates of the plane."""

    @property
    @abstractmethod
    def count(self) -> int:
        """The number of functions."""

    @abstractmethod
    def __call__(self, X: Any) -> Any:
        """Return the functions, shape (points, count), at X of shape (points, coordinates)."""


@final
@dataclass(frozen=True)
class CornerFunctions(Enrichment):
    """The harmonic or biharmonic functions of corners.

    About each point `at`, with the angle theta counted from `direction`, for each exponent l

    r^l cos(l theta), r^l sin(l theta), with `biharmonic` also r^l cos((l - 2) theta) and
    r^l sin((l - 2) theta),

    and with `logarithms` the derivatives of all of them by l, such as
    r^l (log r sin(l theta) + theta cos(l theta)). Of a complex exponent these are the real and
    imaginary parts of r^l exp(i l theta) and r^l exp(-i l theta), and so on.

    Parameters
    ----------
    at : tuple of points
        Corners, or other points of the boundary [coordinate units].
    exponents : tuple of float or complex
        The exponents l with imaginary parts >= 0, the same for all corners. Where the unknown or
        its normal derivative is given on both edges of an angle w: multiples of pi / w, and where
        one of each is, odd multiples of pi / (2 w). `plate_exponents` gives those of plates.
    directions : tuple of float
        Direction of the bisector of each angle [rad]; theta jumps behind it.
    logarithms : bool
        Whether to add the logarithmic ones, which a load excites where l is an integer.
    biharmonic : bool
        Whether to add those of plates.
    length : float
        Length that r is divided by, about the size of the domain, > 0.

    Notes
    -----
    Values at the corner itself are right; derivatives there are finite where they exist, and huge
    where they do not.

    References
    ----------
    Grisvard (1985), Elliptic Problems in Nonsmooth Domains, section 4.4; Williams (1952), J. Appl.
    Mech. 19, 526, for plates.

    Examples
    --------
    >>> CornerFunctions([(0, 0)], [2 / 3])(np.array([[1.0, 0.0]]))
    array([[1., 0.]])
    """

    at: tuple[tuple[float, float], ...]
    exponents: tuple[complex, ...]
    directions: tuple[float, ...] = (0.0,)
    logarithms: bool = False
    biharmonic: bool = False
    length: float = 1.0

    def __post_init__(self) -> None:
        """Refuse points that are none of the plane, and no exponents."""
        object.__setattr__(self, "at", tuple((float(x), float(y)) for x, y in self.at))
        object.__setattr__(self, "exponents", tuple(map(complex, self.exponents)))
        object.__setattr__(self, "directions", tuple(map(float, self.directions)))
        if len(self.at) != len(self.directions) or not self.exponents or not self.length > 0.0:
            raise ConfigError(
                "CornerFunctions: expected as many directions as corners, one exponent or more "
                f"and a positive length, got {self}"
            )

    @property
    def count(self) -> int:
        """Two for each corner and exponent, doubled by each kind of further ones."""
        kinds = sum(2 if l.imag else 1 for l in self.exponents)
        return len(self.at) * kinds * 2 * (1 + self.biharmonic) * (1 + self.logarithms)

    def __call__(self, X: Any) -> Any:
        """Return the functions, shape (points, count)."""
        _, log, theta = _polar(X, self.at, self.directions, self.length)
        # both senses of rotation where the exponent is complex; else they give the same
        signed = [(l, sign) for l in self.exponents for sign in ((1, -1) if l.imag else (1,))]
        a, b, sense = (
            np.kron(np.asarray([row], dtype=float), np.eye(len(self.at))).astype(X.dtype)
            for row in zip(*((l.real, l.imag, sign) for l, sign in signed), strict=True)
        )
        ones = abs(sense)
        power, turn = fw.exp(log @ a - theta @ (b * sense)), theta @ sense
        columns = []
        for lowered in (0.0, 2.0) if self.biharmonic else (0.0,):
            angle = log @ b + theta @ ((a - lowered * ones) * sense)
            c, s = power * fw.cos(angle), power * fw.sin(angle)
            columns += [c, s]
            if self.logarithms:
                long = log @ ones
                columns += [long * c - turn * s, long * s + turn * c]
        return fw.concatenate(columns, axis=1)


@final
@dataclass(frozen=True)
class Poles(Enrichment):
    """What is harmonic or biharmonic outside points: sources and multipoles in holes.

    About each point `at`: log r, and r^-k cos(k theta), r^-k sin(k theta) for k = 1 to `order`;
    with `biharmonic` all of them times r^2 too.

    Parameters
    ----------
    at : tuple of points
        Points outside the domain, such as the centres of holes [coordinate units].
    order : int
        The highest k, >= 0.
    biharmonic : bool
        Whether to add r^2 times each, for plates.
    length : float
        Length that r is divided by, such as the radius of a hole, > 0.

    References
    ----------
    Trefethen (2018), Series solution of Laplace problems, ANZIAM J. 60, 1.

    Examples
    --------
    >>> Poles([(0, 0)], order=1)(np.array([[2.0, 0.0]])).round(4)
    array([[0.6931, 0.5   , 0.    ]])
    """

    at: tuple[tuple[float, float], ...]
    order: int = 8
    biharmonic: bool = False
    length: float = 1.0

    def __post_init__(self) -> None:
        """Refuse points that are none of the plane, and orders below zero."""
        object.__setattr__(self, "at", tuple((float(x), float(y)) for x, y in self.at))
        if not self.at or self.order < 0 or not self.length > 0.0:
            raise ConfigError(
                f"Poles: expected one point or more, order >= 0 and a positive length, got {self}"
            )

    @property
    def count(self) -> int:
        """For each point one source and two for each order, doubled by the biharmonic ones."""
        return len(self.at) * (1 + 2 * self.order) * (1 + self.biharmonic)

    def __call__(self, X: Any) -> Any:
        """Return the functions, shape (points, count)."""
        square, log, theta = _polar(X, self.at, (0.0,) * len(self.at), self.length)
        k = np.arange(1, self.order + 1, dtype=X.dtype)[None]
        spread = np.kron(k, np.eye(len(self.at), dtype=X.dtype))
        columns, factors = [log], [square]
        if self.order:
            power, angle = fw.exp(-(log @ spread)), theta @ spread
            columns += [power * fw.cos(angle), power * fw.sin(angle)]
            factors += [square @ np.sign(spread)] * 2
        if self.biharmonic:
            columns += [f * column for f, column in zip(factors, columns, strict=True)]
        return fw.concatenate(columns, axis=1)


def _polar(
    X: Any, at: Sequence[tuple[float, float]], directions: Sequence[float], length: float
) -> tuple[Any, Any, Any]:
    """Return r^2, log r and theta about points, each of shape (points of X, points of at).

    r is over a length, theta from directions. The origins are moved by what is nothing beside any
    other distance, so that what is finite there comes out finite.
    """
    cos, sin = np.cos(directions), np.sin(directions)
    origins = np.asarray(at)
    along, across = np.stack([cos, sin]) / length, np.stack([-sin, cos]) / length
    shift = -(origins.T * along).sum(axis=0), -(origins.T * across).sum(axis=0)
    x = X @ along.astype(X.dtype) + shift[0].astype(X.dtype)
    y = X @ across.astype(X.dtype) + shift[1].astype(X.dtype)
    x = x + _ORIGIN
    square = x * x + y * y
    return square, 0.5 * fw.log(square), fw.atan2(y, x)


ENRICHMENTS: Mapping[str, type[Enrichment]] = MappingProxyType(
    {"CornerFunctions": CornerFunctions, "Poles": Poles}
)

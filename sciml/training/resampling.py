"""Stages of a schedule that move collocation points to where they are needed."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np

from sciml.equations import parse_expression
from sciml.framework.errors import ConfigError
from sciml.geometry import SAMPLERS
from sciml.problem.constraint import Array, Constraint

from .optimisers.base import Stage, require

if TYPE_CHECKING:
    import sympy

Arrays = tuple[Array, ...]


@dataclass(frozen=True)
class Cloud:
    """The points of one constraint, and what can be asked of others.

    Parameters
    ----------
    arrays : tuple of arrays
        Points of shape (n, d), then values of shape (n,) that belong to them.
    draw : function
        Returns as many arrays for a number of new points, a seed and a sampler.
    size : function
        Returns the sizes of the residual at such arrays, shape (n,).
    coordinates : tuple of str
        Names of the columns of the points.
    """

    arrays: Arrays
    draw: Callable[[int, int, str], Arrays]
    size: Callable[[Arrays], Array]
    coordinates: tuple[str, ...]


class Resampling(Stage):
    """A stage that takes no steps and chooses the points that the next ones train on.

    A schedule names it between optimisers; those start anew on the points, so that a memory of
    gradients never mixes two losses. Only a quasi-Newton method with the whole inverse Hessian may
    carry that over, which moves little. Points given by data stay where they are.
    """

    constraints: tuple[str, ...]

    @final
    @property
    def step_limit(self) -> int:
        return 0

    @final
    def moves(self, constraint: Constraint) -> bool:
        """Return whether the points of a constraint are chosen anew."""
        named = not self.constraints or constraint.name in self.constraints
        return named and constraint.supply is not None

    @abstractmethod
    def choose(self, cloud: Cloud, random: np.random.Generator) -> Arrays:
        """Return the arrays of the points to train on from now."""


@final
@dataclass(frozen=True)
class Fresh(Resampling):
    """As many new points from a sampler.

    Parameters
    ----------
    sampler : str
        A sampler of `sciml.geometry`.
    constraints : tuple of str
        Names of the constraints whose points move; none means all that may.
    """

    sampler: str = "random"
    constraints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse an unknown sampler."""
        require(self.sampler in SAMPLERS, "Fresh", f"a sampler of {', '.join(SAMPLERS)}",
                sampler=self.sampler)  # fmt: skip

    def choose(self, cloud: Cloud, random: np.random.Generator) -> Arrays:
        return cloud.draw(len(cloud.arrays[0]), _seed(random), self.sampler)


@final
@dataclass(frozen=True)
class RAD(Resampling):
    """As many new points with density |r|^k / mean(|r|^k) + c of the residual r.

    Parameters
    ----------
    k : float
        Exponent, >= 0: how sharply points follow the residual.
    c : float
        Share of even points, >= 0.
    candidates : int
        Random points per point that are looked at, >= 2.
    constraints : tuple of str
        Names of the constraints whose points move; none means all that may.

    References
    ----------
    Wu, Zhu, Tan, Kartha and Lu (2023), Comput. Methods Appl. Mech. Eng. 403, 115671, algorithm 2.
    """

    k: float = 1.0
    c: float = 1.0
    candidates: int = 10
    constraints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse settings that mean nothing."""
        holds = self.k >= 0 and self.c >= 0 and self.candidates >= 2
        require(holds, "RAD", "k >= 0, c >= 0 and candidates >= 2",
                k=self.k, c=self.c, candidates=self.candidates)  # fmt: skip

    def choose(self, cloud: Cloud, random: np.random.Generator) -> Arrays:
        n = len(cloud.arrays[0])
        return _by_residual(cloud, n, self.candidates * n, (self.k, self.c), random)


@final
@dataclass(frozen=True)
class RARD(Resampling):
    """More points, with density |r|^k / mean(|r|^k) + c of the residual r (RAR-D).

    Parameters
    ----------
    added : float
        New points per old one, > 0.
    k : float
        Exponent, >= 0.
    c : float
        Share of even points, >= 0.
    candidates : int
        Random points per new point that are looked at, >= 2.
    constraints : tuple of str
        Names of the constraints that get points; none means all that may.

    References
    ----------
    Wu, Zhu, Tan, Kartha and Lu (2023), Comput. Methods Appl. Mech. Eng. 403, 115671, algorithm 3.
    """

    added: float = 0.1
    k: float = 2.0
    c: float = 0.0
    candidates: int = 20
    constraints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse settings that mean nothing."""
        holds = self.added > 0 and self.k >= 0 and self.c >= 0 and self.candidates >= 2
        require(holds, "RARD", "added > 0, k >= 0, c >= 0 and candidates >= 2",
                added=self.added, k=self.k, c=self.c, candidates=self.candidates)  # fmt: skip

    def choose(self, cloud: Cloud, random: np.random.Generator) -> Arrays:
        n = max(1, round(self.added * len(cloud.arrays[0])))
        found = _by_residual(cloud, n, self.candidates * n, (self.k, self.c), random)
        return _joined(cloud.arrays, found)


@final
@dataclass(frozen=True)
class R3(Resampling):
    """Points with more than the mean residual are retained, the others drawn anew.

    Parameters
    ----------
    constraints : tuple of str
        Names of the constraints whose points move; none means all that may.

    References
    ----------
    Daw, Bu, Wang, Perdikaris and Karpatne (2023), Mitigating propagation failures in
    physics-informed neural networks using retain-resample-release sampling, ICML, algorithm 1.
    """

    constraints: tuple[str, ...] = ()

    def choose(self, cloud: Cloud, random: np.random.Generator) -> Arrays:
        sizes = cloud.size(cloud.arrays)
        kept = sizes > sizes.mean()
        if kept.all():  # all are equal, and the mean was rounded down
            return cloud.arrays
        retained = tuple(a[kept] for a in cloud.arrays)
        return _joined(retained, cloud.draw(int((~kept).sum()), _seed(random), "random"))


@final
@dataclass(frozen=True)
class Importance(Resampling):
    """As many new points with a density of one's own.

    The loss is the mean over the points, so that it weighs places by this density.

    Parameters
    ----------
    density : str
        Text in the coordinates, not negative, such as ``1 + 9*exp(-x/0.1)``; only ratios matter.
    candidates : int
        Random points per point that are looked at, >= 2.
    constraints : tuple of str
        Names of the constraints whose points move; none means all that may.
    """

    density: str
    candidates: int = 10
    constraints: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse settings that mean nothing."""
        require(self.candidates >= 2, "Importance", "candidates >= 2", candidates=self.candidates)

    def expression(self, coordinates: Sequence[str]) -> sympy.Expr:
        """Return the density in coordinates.

        Raises
        ------
        ParseError
            If it names anything else.
        """
        return parse_expression(self.density, coordinates)

    def choose(self, cloud: Cloud, random: np.random.Generator) -> Arrays:
        import sympy

        density = self.expression(cloud.coordinates)
        n = len(cloud.arrays[0])
        found = cloud.draw(self.candidates * n, _seed(random), "random")
        values = sympy.lambdify(list(map(sympy.Symbol, cloud.coordinates)), density)(*found[0].T)
        weights = np.broadcast_to(np.asarray(values, dtype=float), (len(found[0]),))
        if not (np.isfinite(weights).all() and (weights >= 0).all()):
            raise ConfigError(
                f"Importance: the density {self.density!r} must be a number of at least 0 at every "
                f"point; its values go from {weights.min():g} to {weights.max():g}"
            )
        return _chosen(found, weights, n, random)


def _by_residual(
    cloud: Cloud, n: int, candidates: int, shape: tuple[float, float], random: Any
) -> Arrays:
    """Return n of some random points with density |r|^k / mean(|r|^k) + c."""
    found = cloud.draw(candidates, _seed(random), "random")
    k, c = shape
    sizes = cloud.size(found)
    largest = sizes.max()
    if largest == 0:
        return _chosen(found, np.ones(len(sizes)), n, random)
    powers = (sizes / largest) ** k  # over the largest, so that no power overflows
    weights = powers / powers.mean() + c
    return _chosen(found, weights, n, random)


def _chosen(found: Arrays, weights: Array, n: int, random: np.random.Generator) -> Arrays:
    """Return n different points, drawn by weight."""
    positive = int((weights > 0).sum())
    if positive < n:
        raise ConfigError(
            f"resampling: {n} points are wanted, but the density is positive at {positive} of "
            f"{len(weights)} candidates only; give more candidates or a wider density"
        )
    here = np.sort(random.choice(len(weights), n, replace=False, p=weights / weights.sum()))
    return tuple(a[here] for a in found)


def _joined(first: Arrays, second: Arrays) -> Arrays:
    return tuple(np.concatenate(pair) for pair in zip(first, second, strict=True))


def _seed(random: np.random.Generator) -> int:
    return int(random.integers(2**31))

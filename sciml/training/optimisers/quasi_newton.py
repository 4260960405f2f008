"""Quasi-Newton methods that keep the whole inverse Hessian: what they share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from sciml.framework.errors import ConfigError

from .base import Objective, OptimiserState, Vector, WarmStarted
from .line_searched import Change, Learnt, LineSearched

_MOST_PARAMETERS = 20_000


@dataclass(frozen=True)
class Curvature:
    """What a step tells of the Hessian, as numbers without a unit.

    Parameters
    ----------
    b : float
        s.Bs / y.s, > 0: curvature along the step by the old estimate B = H^-1 over the one seen.
    h : float
        y.Hy / y.s, > 0: the same in the inverse.
    size : int
        Number of parameters n.
    """

    b: float
    h: float
    size: int

    @property
    def a(self) -> float:
        """b h - 1, which is 0 where s and Hy are parallel and positive elsewhere [-]."""
        return max(0.0, self.b * self.h - 1.0)


@dataclass(frozen=True)
class QuasiNewton(LineSearched, WarmStarted):
    """Steps along -H g, where H follows the inverse Hessian by rank-two updates.

    With s = x' - x, y = g' - g, v = s / y.s - Hy / y.Hy and numbers theta and tau of the method,

        phi = (1 - theta) / (1 + a theta),
        H' = (H - Hy (Hy)^T / y.Hy + phi (y.Hy) v v^T) / tau + s s^T / y.s,

    which meets the secant equation H' y = s, is symmetric, and positive definite where H is. It
    starts from the identity; the first update scales it by tau = h / (1 + a theta).

    Parameters
    ----------
    steps : int
        Largest number of steps, >= 0.
    gradient_tolerance : float
        Stop when the Euclidean norm of the gradient is at or below this, >= 0.
    decrease, curvature : float
        Constants c1 < c2 of the strong Wolfe conditions, in (0, 1).
    line_trials : int
        Largest number of evaluations of one line search, >= 1.
    carry : bool
        Whether to go on with the H of the stage before, if that was of the same method, as after a
        change of points; it is the identity where that H is not positive definite.

    Raises
    ------
    ConfigError
        If a number is out of its range, or there are more than 20 000 parameters.

    Notes
    -----
    Memory and each checkpoint hold the upper triangle of H, n (n + 1) / 2 numbers: 16 MB for 2000
    parameters, 100 MB for 5000. Cost per step: about 8 n^2 operations and one to two evaluations;
    `LBFGS` needs 4 ``history`` n of both. What happens when a search fails, or a curvature y.s is
    lost in rounding, is said in `LineSearched`.

    References
    ----------
    Nocedal and Wright (2006), Numerical Optimization, sections 6.1 to 6.3.
    """

    steps: int = 2000
    gradient_tolerance: float = 1e-12
    decrease: float = 1e-4
    curvature: float = 0.9
    line_trials: int = 40
    carry: bool = True

    def __post_init__(self) -> None:
        """Refuse numbers out of range."""
        self.check_search()

    @abstractmethod
    def factors(self, seen: Curvature) -> tuple[float, float]:
        """Return theta, > -1/a and 0 for BFGS, and tau, > 0, which divides what was known."""

    @final
    def start(self, x: Vector, objective: Objective) -> OptimiserState:
        """Evaluate at ``x``; H is the identity."""
        if x.size > _MOST_PARAMETERS:
            raise ConfigError(
                f"{type(self).__name__}: {x.size} parameters need {4e-9 * x.size**2:.1f} GB for "
                f"the inverse Hessian; it serves up to {_MOST_PARAMETERS}. Use LBFGS"
            )
        return self.started(x, objective, self.untaught(x.size))

    @final
    def start_from(
        self, x: Vector, objective: Objective, carried: Mapping[str, Vector]
    ) -> OptimiserState:
        """Evaluate at ``x``; H is that of the stage before, if it is positive definite."""
        if not (self.carry and positive_definite(carried["inverse"], x.size)):
            return self.start(x, objective)
        return self.started(x, objective, carried)

    @final
    def carried(self, state: OptimiserState) -> Mapping[str, Vector]:
        """Return H and the number of its updates."""
        return {name: state.memory[name] for name in ("inverse", "updates")}

    @final
    def untaught(self, n: int) -> Learnt:
        """Return the identity."""
        return {"inverse": identity(n), "updates": np.zeros(1)}

    @final
    def taught(self, learnt: Learnt) -> bool:
        """Return whether H was updated."""
        return bool(learnt["updates"][0])

    @final
    def applied(self, learnt: Learnt, gradient: Vector) -> Vector:
        """Return H g."""
        return product(learnt["inverse"], gradient)

    @final
    def updated(self, learnt: Learnt, change: Change) -> Learnt:
        """Return H' of the class docstring, in a new array."""
        inverse, s = learnt["inverse"], change.s
        rho, u = 1.0 / change.ys, product(inverse, change.y)
        yu = float(change.y @ u)
        seen = Curvature(change.b, yu * rho, s.size)
        theta, tau = self.factors(seen)
        if not self.taught(learnt):
            tau = seen.h / (1.0 + seen.a * theta)
        phi = (1.0 - theta) / (1.0 + seen.a * theta)
        moved = rank_two(
            inverse / tau, u, s,
            ((phi - 1.0) / (tau * yu), -phi * rho / tau, rho + phi * yu * rho**2 / tau),
        )  # fmt: skip
        return {"inverse": moved, "updates": learnt["updates"] + 1.0}


def identity(n: int) -> Vector:
    """Return the upper triangle of the identity by columns, shape (n (n + 1) / 2,)."""
    triangle = np.zeros(n * (n + 1) // 2)
    columns = np.arange(n)
    triangle[columns * (columns + 3) // 2] = 1.0
    return triangle


def product(triangle: Vector, x: Vector) -> Vector:
    """Return H x of shape (n,) for the upper triangle of H by columns."""
    from scipy.linalg.blas import dspmv

    return np.asarray(dspmv(x.size, 1.0, triangle, x))


def positive_definite(triangle: Vector, n: int) -> bool:
    """Return whether a matrix, given by its upper triangle, has a Cholesky factor."""
    from scipy.linalg.lapack import dpptrf

    return bool(np.isfinite(triangle).all()) and dpptrf(n, triangle)[1] == 0


def rank_two(triangle: Vector, u: Vector, s: Vector, factors: tuple[float, float, float]) -> Vector:
    """Add c1 u u^T + c2 (u s^T + s u^T) + c3 s s^T to an upper triangle, in place."""
    from scipy.linalg.blas import dspr, dspr2

    n, (c1, c2, c3) = u.size, factors
    if c1 != 0.0:
        triangle = dspr(n, c1, u, triangle, overwrite_ap=1)
    triangle = dspr2(n, c2, u, s, triangle, overwrite_ap=1)
    return np.asarray(dspr(n, c3, s, triangle, overwrite_ap=1))

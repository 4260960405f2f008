"""Functions to minimise, and every state on the way there."""

from __future__ import annotations

import numpy as np
import scipy.optimize

from sciml.training.optimisers import Objective, Optimiser, OptimiserState, Vector


def rosenbrock(x: Vector) -> tuple[float, Vector]:
    """Return the value and gradient of the n-dimensional Rosenbrock function."""
    value, gradient = scipy.optimize.rosen(x), scipy.optimize.rosen_der(x)
    return float(value), np.asarray(gradient)


def spd(eigenvalues: Vector, rng: np.random.Generator | None = None) -> Vector:
    """Return a symmetric matrix with given eigenvalues in a random basis."""
    rng = rng or np.random.Generator(np.random.Philox(0))
    n = eigenvalues.size
    basis = np.linalg.qr(rng.standard_normal((n, n)))[0]
    return basis @ np.diag(eigenvalues) @ basis.T


def quadratic(eigenvalues: Vector, seed: int = 0) -> tuple[Objective, Vector]:
    """Return 1/2 (x - c)^T A (x - c) with given eigenvalues in a random basis, and c."""
    rng = np.random.Generator(np.random.Philox(seed))
    matrix = spd(eigenvalues, rng)
    centre = rng.standard_normal(eigenvalues.size)

    def objective(x: Vector) -> tuple[float, Vector]:
        gradient = matrix @ (x - centre)
        return float(0.5 * (x - centre) @ gradient), gradient

    return objective, centre


def steps(optimiser: Optimiser, x: Vector, objective: Objective) -> list[OptimiserState]:
    """Return every state from start to stop."""
    states = [optimiser.start(x, objective)]
    while states[-1].stop is None:
        states.append(optimiser.advance(states[-1], objective))
    return states

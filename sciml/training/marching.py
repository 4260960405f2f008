"""Marching in time: an evolution solved window by window."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from sciml.equations import Initial
from sciml.framework.errors import ConfigError, ConvergenceWarning
from sciml.problem.problem import Problem
from sciml.problem.solution import Solution
from sciml.problem.trial import Trial
from sciml.problem.windows import WindowedTrial, space_time, window

from .balancers import Balancer
from .events import Callback
from .solver import Solver, poor_residual


def march(
    solver: Solver[Solution],
    windows: int | Sequence[float],
    transfer: bool = True,
    weight: float = 100.0,
    on_step: Callback | Sequence[Callback] = (),
) -> Solution:
    """Solve an evolution window by window, each from where the last one ended.

    Parameters
    ----------
    solver : Solver
        Of a problem over time (`Geometry.over_time`), with the network, schedule and points of
        each window.
    windows : int or sequence of float
        Number of equal windows, or the times at which they end, the last one the end of all [s].
    transfer : bool
        Whether a window starts from the parameters of the last one, or from fresh ones.
    weight : float
        Factor in the loss of the values that a window takes over, > 0, where the weights of the
        solver give none: their errors are those of the solution, not of a derivative of it.
    on_step : function, or sequence of functions
        Called as by `Solver.solve`, in each window anew.

    Returns
    -------
    Solution
        Of all time.

    Raises
    ------
    EquationError
        If the problem is not over time, or has conditions that are not at its start or sides.
    ConfigError
        If the times are not in order.

    Warns
    -----
    ConvergenceWarning
        If a window has a large residual; those after it inherit its error.

    Examples
    --------
    >>> from sciml import GaussNewton, Points, SpectralFeatures
    >>> from sciml.equations import Diffusion, Dirichlet, Initial
    >>> from sciml.geometry import Interval
    >>> cooling = [Initial("u", "sin(pi*x)"), Dirichlet("u", "sides")]
    >>> problem = Problem(Interval(0, 1).over_time(0.4), Diffusion(), cooling)
    >>> features = SpectralFeatures(degrees=(10, 8))
    >>> solver = Solver(problem, features, [GaussNewton()], Points(300, 40), dtype="float64")
    >>> u = march(solver, windows=2)["u"]
    >>> bool(abs(u(0.5, 0.4) - np.exp(-0.4 * np.pi**2)) < 1e-6)
    True
    """
    problem = solver.problem
    if not isinstance(problem, Problem):
        raise ConfigError(f"march: expected a solver of a Problem, got {type(problem).__name__}")
    shape = space_time(problem)
    edges = _edges(shape.start, shape.end, windows)
    solutions: list[Solution] = []
    for number, (start, end) in enumerate(itertools.pairwise(edges)):
        before = solutions[-1] if solutions else None
        part = window(problem, start, end, before)
        own = replace(solver, problem=part, weights=_weights(solver, part, weight))
        initial = before.parameters if before is not None and transfer else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # told below, with its window
            solution = own.solve(on_step, initial=initial)
        doubt = poor_residual(solution.residual(seed=solver.seed + 1))
        if doubt:
            warnings.warn(
                f"window {number + 1}, {start:g} to {end:g}: {doubt}",
                ConvergenceWarning,
                stacklevel=2,
            )
        solutions.append(solution)
    trials = [s.trial for s in solutions if isinstance(s.trial, Trial)]
    return WindowedTrial(problem, trials).solution([s.parameters for s in solutions])


def _edges(start: float, end: float, windows: int | Sequence[float]) -> list[float]:
    if isinstance(windows, int):
        if windows < 1:
            raise ConfigError(f"march: windows must be 1 or more, got {windows}")
        return [float(t) for t in np.linspace(start, end, windows + 1)]
    edges = [start, *map(float, windows)]
    if len(edges) < 2 or not np.all(np.diff(edges) > 0) or edges[-1] != end:
        raise ConfigError(
            f"march: windows must be rising times that end with {end:g}, got {tuple(windows)}"
        )
    return edges


def _weights(
    solver: Solver[Solution], part: Problem, weight: float
) -> Mapping[str, float] | Balancer:
    """Return the weights of a window: those of the start where it is in the loss, and the rest."""
    soft = [s for form in part.forms for s in form.soft if isinstance(s.condition, Initial)]
    starts = {f"{s.where}: {s.name}": weight for s in soft}
    known = {name for name in solver.factors if not name.startswith("initial")} | starts.keys()
    factors = starts | {name: w for name, w in solver.factors.items() if name in known}
    return factors if solver.balancer is None else replace(solver.balancer, factors=factors)

"""Optimisation over coordinates of a solution, such as the sizes of a parametrised shape."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np
import scipy.optimize

import sciml.framework as fw
from sciml.framework.errors import ConfigError, ConvergenceWarning, NonFiniteError
from sciml.problem.constraint import Array
from sciml.problem.solution import Solution
from sciml.problem.trial import Trial, double

# Part of a range within which a value counts as being at its end.
_AT_END = 1e-9
_TOLERANCE = 1e-10
# Derivatives, over the first ones or the objective, below which they count as zero.
_CONVERGED = 1e-6


@final
@dataclass(frozen=True)
class Optimum:
    """A local minimum that was found.

    Parameters
    ----------
    design : Mapping of str to float
        The values, by name.
    value : float
        The objective there.
    gradient : Mapping of str to float
        Its derivatives there.
    at_bounds : tuple of str
        Names of values at an end of their range; beyond it the objective may fall further.
    converged : bool
        Whether the derivatives vanish, but for those that point out of a range.
    evaluations : int
        Number of evaluations of objective and gradient.
    """

    design: Mapping[str, float]
    value: float
    gradient: Mapping[str, float]
    at_bounds: tuple[str, ...]
    converged: bool
    evaluations: int


def minimise(
    solution: Solution,
    objective: Callable[..., Any],
    over: Mapping[str, tuple[float, float]],
    start: Mapping[str, float] | None = None,
    steps: int = 200,
) -> Optimum:
    """Return where an objective of a solution is smallest, by its exact gradient.

    Sizes of a `Parametrised` shape, or parameters of the equation, are coordinates of one trained
    solution, so that no problem is solved anew.

    Parameters
    ----------
    solution : Solution
        With the design among its coordinates.
    objective : function
        Called as ``objective(q, **design)``, with `q(name, *coordinates)` the values of a quantity
        at coordinates that are broadcast against each other; it returns one number, written with
        operations of `sciml.framework`.
    over : Mapping of str to pair of float
        Range of each value, inside that of the solution.
    start : Mapping of str to float, or None
        Where to start; None means the middles of the ranges.
    steps : int
        Largest number of steps of L-BFGS-B, >= 1.

    Raises
    ------
    ConfigError
        If a range or the start is not valid, or no coordinates of the solution.
    NonFiniteError
        If the objective is no number somewhere.

    Warns
    -----
    ConvergenceWarning
        If the gradient does not vanish at the end.

    Notes
    -----
    The minimum is local, and is that of the trained solution: where that is off, it is too.

    References
    ----------
    Byrd, Lu, Nocedal, Zhu (1995), SIAM J. Sci. Comput. 16, 1190.

    Examples
    --------
    u = x^2 - p x at x = 2 - p/2 is least at p = 8/3:

    >>> from sciml import GaussNewton, Points, Problem, Solver, SpectralFeatures
    >>> from sciml.equations import CustomPDE, Dirichlet
    >>> from sciml.geometry import Rectangle
    >>> strip = Rectangle((0, 0), (2, 3))  # x and p
    >>> pde = CustomPDE({"r": "u__x__x - 2"}, "x p", "u")
    >>> edges = [Dirichlet("u", "edges.left"), Dirichlet("u", "edges.right", "4 - 2*p")]
    >>> fit = Solver(
    ...     Problem(strip, pde, edges), SpectralFeatures(degrees=3), [GaussNewton()],
    ...     Points(60, 20), dtype="float64",
    ... )
    >>> with warnings.catch_warnings(action="ignore"):  # no conditions along p
    ...     found = minimise(fit.solve(), lambda q, p: q("u", 2 - p / 2, p), {"p": (0, 3)})
    >>> round(found.design["p"], 6), found.converged
    (2.666667, True)
    """
    names = tuple(over)
    ranges = _ranges(solution, over)
    middle = {name: 0.5 * (low + high) for name, (low, high) in ranges.items()}
    first = middle | dict(start or {})
    if first.keys() != ranges.keys() or not all(
        ranges[n][0] <= first[n] <= ranges[n][1] for n in names
    ):
        raise ConfigError(f"minimise: the start must lie in the ranges {ranges}, got {start}")
    step = fw.value_and_grad(_of_design(solution, objective))
    lower, width = np.array([(low, high - low) for low, high in ranges.values()]).T

    def evaluate(z: Array) -> tuple[float, Array]:
        """Return value and gradient by shares of the ranges."""
        design = dict(zip(names, lower + width * z, strict=True))
        value, gradient = step({name: np.asarray(v) for name, v in design.items()})
        slopes = np.array([float(gradient[name]) for name in names]) * width
        if not (np.isfinite(float(value)) and np.isfinite(slopes).all()):
            raise NonFiniteError(
                f"minimise: the objective or its gradient is no number at {design}"
            )
        return float(value), slopes

    z = (np.array([first[n] for n in names]) - lower) / width
    at_start = float(np.max(np.abs(evaluate(z)[1])))
    found = scipy.optimize.minimize(
        evaluate,
        z,
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, 1.0)] * len(names),
        options={"maxiter": steps, "ftol": 0.0, "gtol": _TOLERANCE},
    )
    z = np.asarray(found.x)
    value, slopes = evaluate(z)
    # A step down the gradient, cut off by the ranges, leads nowhere.
    left = float(np.max(np.abs(np.clip(z - slopes, 0.0, 1.0) - z)))
    converged = left <= _CONVERGED * max(abs(value), at_start)
    if not converged:
        warnings.warn(
            f"minimise: ended with a gradient of {left:.1e} over the ranges ({found.message}); "
            "take more steps or another start",
            ConvergenceWarning,
            stacklevel=2,
        )
    ends = tuple(n for n, share in zip(names, z, strict=True) if min(share, 1 - share) < _AT_END)
    design = {n: float(v) for n, v in zip(names, lower + width * z, strict=True)}
    gradient = {n: float(s) for n, s in zip(names, slopes / width, strict=True)}
    return Optimum(design, value, gradient, ends, converged, int(found.nfev))


def _ranges(
    solution: Solution, over: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """Return the ranges, refusing those that are none of the solution."""
    known = [name for name, _ in solution.coordinates]
    box = dict(zip(known, zip(*solution.trial.problem.geometry.bounding_box, strict=True),
                   strict=True))  # fmt: skip
    if not over:
        raise ConfigError(f"minimise: give the range of one coordinate or more of {known}")
    for name, (low, high) in over.items():
        if name not in box or not box[name][0] <= low < high <= box[name][1]:
            inside = f"inside {box[name]}" if name in box else f"one of {', '.join(known)}"
            raise ConfigError(f"minimise: expected {name!r} {inside}, got the range {low, high}")
    return {name: (float(low), float(high)) for name, (low, high) in over.items()}


def _of_design(solution: Solution, objective: Callable[..., Any]) -> Callable[..., Any]:
    """Return the objective as a function of the design alone."""
    trial, parameters = solution.trial, double(solution.parameters)
    if not isinstance(trial, Trial):
        raise ConfigError("minimise: the solution is of several windows in time; give one of one")
    count = len(solution.coordinates)

    def quantity(name: str, *coordinates: Any) -> Any:
        if len(coordinates) != count:
            raise ConfigError(f"minimise: {name} takes {count} coordinates, got {len(coordinates)}")
        none: Any = np.zeros(())
        for c in coordinates:
            none = 0.0 * c + none  # of the shape they have together
        columns = [fw.reshape(none + c, (none.size,)) for c in coordinates]
        values = trial.quantity(name)(parameters, fw.stack(columns, axis=1))
        return fw.reshape(values, none.shape)

    return lambda design: objective(quantity, **design)

"""Standard errors of a solution and of the numbers found with it, by linearisation."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias, final

import numpy as np

import sciml.framework as fw
from sciml.framework.errors import ConfigError, ConvergenceWarning, UnusedInputWarning
from sciml.networks import Parameters
from sciml.problem.constraint import Array, Constraint
from sciml.problem.solution import Solution
from sciml.problem.trial import Trial, double
from sciml.training.session import BLOCK
from sciml.training.solver import Solver

from .least_squares import LeastSquares
from .rows import gradient, linearised
from .uncertain import Identified, Uncertain

Spread: TypeAlias = Literal["sampling", "posterior"]

# Share of a gradient that may lie in directions no residual sees, before it is said to.
_UNSEEN = 1e-6
# Relative difference of noise levels from which on they contradict weights.
_SAME = 1e-6
# Posterior standard deviations that the minimum may be away, a relative offset.
_UNFINISHED = 0.3


@final
@dataclass(frozen=True)
class Laplace(Uncertain):
    """The normal distribution of parameters about trained ones, made by `laplace`.

    A quantity q has the variance g C g^T, with g its gradient by all parameters jointly, those of
    the network and the unknown numbers. So what is said of one of them takes account of all others
    (the Schur complement of their block of C^-1).

    Parameters
    ----------
    solution : Solution
        The trained solution, which is the mean.
    linear : LeastSquares
        The Jacobian of the residuals at it.
    root : Array
        F of shape (n, k) with the covariance C = F F^T of the parameters as one vector.
    noise : Mapping of str to float
        Standard deviation of the measured values, given or estimated, by condition, in their unit.
    """

    solution: Solution
    linear: LeastSquares
    root: Array
    noise: Mapping[str, float]

    @property
    def typical(self) -> Solution:
        return self.solution

    @property
    def identified(self) -> dict[str, Identified]:
        """The unknown numbers with their standard errors, by name.

        Raises
        ------
        ConfigError
            If the residuals do not determine one.
        """
        deviations = np.sqrt(np.diag(self.covariance))
        pairs = zip(self.solution.identified.items(), deviations, strict=True)
        return {name: Identified(value, float(s)) for (name, value), s in pairs}

    @cached_property
    def covariance(self) -> Array:
        """Covariance of the unknown numbers, in the order of `identified`.

        Raises
        ------
        ConfigError
            If the residuals do not determine one.
        """
        names = list(self.solution.identified)
        if not names:
            return np.zeros((0, 0))
        gradients = np.stack([_gradient(self.solution, name) for name in names])
        spread = self._spread(gradients, ", ".join(names))
        return np.asarray(spread @ spread.T)

    def mean(self, name: str, X: Array) -> Array:
        return self.solution.evaluate([name], X)[name]

    def deviation(self, name: str, X: Array) -> Array:
        """Return the standard deviation of a quantity at X of shape (n, d), shape (n,).

        Raises
        ------
        ConfigError
            If the residuals do not determine the quantity.
        """
        jacobian = fw.jit(fw.point_jacobian(_one_space(self.solution).quantity(name)).rows)
        parameters = double(self.solution.parameters)
        found = []
        for first in range(0, len(X), BLOCK):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UnusedInputWarning)  # such as unknown numbers
                gradients = np.asarray(jacobian(parameters, X[first : first + BLOCK]))
            found.append(np.linalg.norm(self._spread(gradients, name), axis=1))
        return np.concatenate(found)

    def _spread(self, gradients: Array, what: str) -> Array:
        """Return G F for the rows G, after a check that nothing they need is undetermined."""
        share = self.linear.undetermined(gradients)
        if share > _UNSEEN:
            raise ConfigError(
                f"laplace: the residuals do not determine {what}: {share:.1e} of its gradient lies "
                "in directions of the parameters that change no residual; give more data, a "
                "smaller network or prior=..."
            )
        return np.asarray(gradients @ self.root)


def laplace(
    solver: Solver[Solution],
    solution: Solution,
    noise: float | Mapping[str, float] | None = None,
    prior: float | None = None,
    spread: Spread = "sampling",
) -> Laplace:
    """Return how far a solution and its unknown numbers may be off because data are noisy.

    Let r be all residuals of the loss r . r, weights included, J their Jacobian by all parameters
    at the solution, and J_d its rows of measured values. Two covariances are meant by the word:

    - ``sampling``: C = A cov(r_d) A^T with A = (J^T J)^+ J_d^T, how much the estimate would vary if
      the measurements were repeated: the standard error. Noise is in the data alone, the equation
      and other conditions are true. This holds for any weights.
    - ``posterior``: C = s^2 (J^T J)^+, the Laplace approximation with the Gauss-Newton Hessian.
      The loss is then 2 s^2 times a negative log density, so that the equation is uncertain too, as
      its weight says: a residual over its scale at one of n points with weight w has the standard
      deviation s sqrt(n / w). It is never less than the sampling one; both agree as the weights
      of the equation grow.

    s^2, the variance of the rows r_d, follows from the noise, or is |r_d|^2 / tr((I - H)^2) with
    H = J_d (J^T J)^+ J_d^T, which has no bias in linear problems.

    Parameters
    ----------
    solver : Solver
        What the solution was trained by: it gives points and weights.
    solution : Solution
        The solution it found, at a minimum of the loss.
    noise : float, Mapping of str to float, or None
        Standard deviation of the measured values, for all `Data` or by name such as ``data: u``
        [unit of the field], > 0; None estimates it from the misfit, the same for all rows r_d.
    prior : float or None
        Standard deviation of each parameter about the solution before any data, > 0; needs `noise`.
        Where a network has more parameters than there are residuals, this says how far those may
        wander that nothing determines.
    spread : str
        ``sampling`` or ``posterior``.

    Raises
    ------
    ConfigError
        If there are no data, or fewer residuals than parameters and no prior; if there are too few
        data to estimate the noise; if noise levels contradict the weights of a posterior.

    Warns
    -----
    ConvergenceWarning
        If by the linearised residuals the minimum of the loss is 0.3 posterior standard deviations
        away or more.

    References
    ----------
    MacKay (1992), Neural Comput. 4, 448; Seber and Wild (2003), Nonlinear Regression, section 2.1;
    Bjorck (1996), Numerical Methods for Least Squares Problems, section 1.4; Bates and Watts
    (1981), Technometrics 23, 179, for the warning.

    Examples
    --------
    A straight line through three values, as an equation that may hardly bend:

    >>> from sciml import GaussNewton, Points, Problem, SpectralFeatures
    >>> from sciml.equations import CustomPDE, Data
    >>> from sciml.geometry import Interval
    >>> data = Data("u", [(0.0,), (1.0,), (2.0,)], [0.0, 1.5, 2.0])
    >>> problem = Problem(Interval(0, 2), CustomPDE({"bend": "u__x__x"}, "x", "u"), [data])
    >>> fit = Solver(
    ...     problem, SpectralFeatures(degrees=3), [GaussNewton()], Points(9, 1), {"bend": 1e8},
    ...     dtype="float64",
    ... )
    >>> with warnings.catch_warnings(action="ignore"):  # of missing conditions
    ...     line = laplace(fit, fit.solve(), noise=0.1)
    >>> line["u"].standard_deviation([1.0, 2.0]).round(6)  # 0.1 sqrt(1/3), 0.1 sqrt(5/6)
    array([0.057735, 0.091287])
    """
    if spread not in ("sampling", "posterior"):
        raise ConfigError(f"laplace: spread must be sampling or posterior, got {spread!r}")
    if prior is not None and (noise is None or not prior > 0.0):
        raise ConfigError(
            f"laplace: a prior is a positive standard deviation and needs noise=..., got {prior} "
            f"and noise={noise}"
        )
    trial, parameters = _one_space(solution), double(solution.parameters)
    constraints = trial.constraints(solver.points, solver.seed, solver.factors)
    constraints = [c.cast(np.float64) for c in constraints]
    blocks = [linearised(c, parameters) for c in constraints]
    r, J = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
    if len(r) < J.shape[1] and prior is None:
        raise ConfigError(
            f"laplace: {J.shape[1]} parameters, but {len(r)} residuals only, so most directions "
            "are undetermined; give more points, a smaller network or prior=..."
        )
    rows, units = _measured(trial, constraints, [len(part) for part, _ in blocks])
    given = _levels(noise, units)
    if prior is not None:
        J = np.concatenate([J, np.eye(J.shape[1]) * (_common(given, units) / prior)])
        r = np.concatenate([r, np.zeros(J.shape[1])])
    linear = LeastSquares.of(J)
    every = np.concatenate(list(rows.values()))
    if not given:
        s = linear.deviation(r, every)
        given = {name: s / unit for name, unit in units.items()}
    _warn_if_unfinished(linear.distance(r) / min(given[n] * unit for n, unit in units.items()))
    if spread == "posterior":
        return Laplace(solution, linear, linear.posterior(_common(given, units)), given)
    sizes = [np.full(len(own), units[name] * given[name]) for name, own in rows.items()]
    return Laplace(solution, linear, linear.sampling(every, np.concatenate(sizes)), given)


def _one_space(solution: Solution) -> Trial:
    """Return the trial space, refusing one of several windows, which are trained one by one."""
    if isinstance(solution.trial, Trial):
        return solution.trial
    raise ConfigError(
        "laplace: the solution is of several windows in time, each found from the one before; "
        "solve the problem over all its time by one Solver"
    )


def _measured(
    trial: Trial, constraints: list[Constraint], lengths: list[int]
) -> tuple[dict[str, Array], dict[str, float]]:
    """Return the rows of measured values by condition, and what one unit of them is in a row."""
    rows, units, first = {}, {}, 0
    for c, n in zip(constraints, lengths, strict=True):
        if c.name in trial.measurements:
            rows[c.name] = np.arange(first, first + n)
            units[c.name] = float(np.sqrt(c.weight / n)) / trial.scales.residuals[c.name]
        first += n
    if not rows:
        raise ConfigError("laplace: the problem has no measured values; add Data to its conditions")
    return rows, units


def _levels(
    noise: float | Mapping[str, float] | None, units: Mapping[str, float]
) -> dict[str, float]:
    """Return the noise of each condition, nothing where it is to be estimated."""
    if noise is None:
        return {}
    levels = dict(noise) if isinstance(noise, Mapping) else dict.fromkeys(units, float(noise))
    if levels.keys() != units.keys() or not all(0.0 < v < np.inf for v in levels.values()):
        raise ConfigError(
            f"laplace: noise must be positive for each of {', '.join(map(repr, units))}, got "
            f"{levels}"
        )
    return levels


def _common(levels: Mapping[str, float], units: Mapping[str, float]) -> float:
    """Return the one standard deviation of all measured rows, refusing several."""
    sizes = [levels[name] * unit for name, unit in units.items()]
    if max(sizes) - min(sizes) > _SAME * max(sizes):
        wanted = {name: (sizes[0] / size) ** 2 for name, size in zip(units, sizes, strict=True)}
        raise ConfigError(
            "laplace: the weights of the data are not those of their noise, so the loss is no log "
            f"density; multiply the weights by {wanted}, or take spread='sampling' without a prior"
        )
    return sizes[0]


def _gradient(solution: Solution, name: str) -> Array:
    """Return the gradient of an unknown number by all parameters, shape (n,)."""

    def value(parameters: Parameters) -> object:
        return _one_space(solution).numbers(parameters)[name]

    return gradient(value, double(solution.parameters))


def _warn_if_unfinished(distance: float) -> None:
    if distance > _UNFINISHED:
        warnings.warn(
            f"laplace: by the linearised residuals the minimum is {distance:.2g} posterior "
            "standard deviations away, so that the solution is off by more than the noise says; "
            "train on, with LevenbergMarquardt or SSBroyden at the end",
            ConvergenceWarning,
            stacklevel=3,
        )

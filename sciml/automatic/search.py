"""`solve`: a problem and a tolerance; it finds out how."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sciml.framework.errors import ConfigError, ConvergenceWarning, ProblemWarning
from sciml.networks import MLP, SpectralFeatures
from sciml.problem.problem import Problem
from sciml.problem.report import Attempt, Report
from sciml.problem.solution import Solution
from sciml.training.solver import undetermined

from .judge import Judge, bound
from .singularities import needs_them, singular_functions
from .spaces import evolves, first_space
from .strategies import Strategy, spectral, trained, windowed

# Before so many solutions of a strategy nothing is foretold of the next ones.
_PATIENCE = 4
# The next solution of a strategy takes about this many times the last one's time.
_SLOWER = 2.5
_DIMENSIONS = 5
# Above it nothing is known of the error; below the other one it is as its estimate says.
_WORST_RESIDUAL, _SMALL = 0.1, 1e-3
_UNRESOLVED = 0.1


def solve(
    problem: Problem,
    tolerance: float = 1e-6,
    max_minutes: float = 10.0,
    seed: int = 0,
    on_attempt: Callable[[Attempt], None] | None = None,
) -> Solution:
    """Solve a problem to a tolerance, by whatever of the methods here reaches it first.

    Tried are, from coarse to fine,

    - spectral features by least squares, with Gauss-Newton steps where the problem is nonlinear;
    - for the Laplacian and plates, the same with the singular functions of corners and holes;
    - for evolutions, the same in windows of time;
    - trained networks, by Adam and then SSBroyden.

    The error of a solution is estimated from its difference to the one before, which had other
    points and fewer unknowns (or, of networks, another seed), on points that neither was fitted
    to. A method is left where its errors, as they fall, would not reach the tolerance.

    Parameters
    ----------
    problem : Problem
        What to solve.
    tolerance : float
        The relative L2 error that is asked for, of the fields and of unknown numbers, in (0, 1).
    max_minutes : float
        Time after which nothing new is begun [min], > 0.
    seed : int
        Of all points and parameters, >= 0.
    on_attempt : function or None
        Called with each `Attempt` as it is judged.

    Returns
    -------
    Solution
        The best one; its `report` says what was tried and how sure the result is.

    Raises
    ------
    ConfigError
        If a number is out of its range, or the problem is not one `Problem`.

    Warns
    -----
    ConvergenceWarning
        If the tolerance is not reached.
    ProblemWarning
        If conditions are missing, so that the solution is not unique.

    Examples
    --------
    >>> from sciml import Problem, solve
    >>> from sciml.equations import Dirichlet, Poisson
    >>> from sciml.geometry import Disk
    >>> problem = Problem(Disk((0, 0), 1.0), Poisson(source="1"), [Dirichlet("u", "circle")])
    >>> solution = solve(problem, tolerance=1e-10)
    >>> bool(abs(solution["u"](0.0, 0.0) - 0.25) < 1e-12), solution.report.reached
    (True, True)
    """
    if not isinstance(problem, Problem):
        raise ConfigError(f"solve: expected a Problem, got {type(problem).__name__}; use Solver")
    if not 0.0 < tolerance < 1.0 or not max_minutes > 0.0 or seed < 0:
        raise ConfigError(
            "solve: expected a tolerance in (0, 1), max_minutes > 0 and seed >= 0, got "
            f"{tolerance}, {max_minutes} and {seed}"
        )
    for doubt in undetermined(problem, problem.trial(MLP())):
        warnings.warn(doubt, ProblemWarning, stacklevel=2)
    search = _Search(problem, tolerance, time.perf_counter() + 60.0 * max_minutes, seed, on_attempt)
    solution = search.run()
    report = solution.report
    assert report is not None
    if not report.reached:
        warnings.warn(str(report), ConvergenceWarning, stacklevel=2)
    return solution


@dataclass
class _Search:
    """The state of a search: what was tried, and the best of it."""

    problem: Problem
    tolerance: float
    deadline: float
    seed: int
    on_attempt: Callable[[Attempt], None] | None
    attempts: list[Attempt] = field(default_factory=list)
    best: tuple[int, Solution, Mapping[str, float]] | None = None

    def run(self) -> Solution:
        """Try the strategies in order and return the best solution with its report."""
        judge = Judge(self.problem, self.seed + 7919)
        reached = False
        for strategy in self._strategies():
            reached = self._follow(strategy, judge)
            if reached or not self._time_for(0.0):
                break
        assert self.best is not None
        number, solution, errors = self.best
        report = Report(self.tolerance, tuple(self.attempts), errors, number, reached)
        return replace(solution, report=report)

    def _strategies(self) -> Iterator[Strategy]:
        """Yield the strategies that make sense for the problem."""
        small = len(self.problem.pde.coordinates) <= _DIMENSIONS
        if small:
            singular = singular_functions(self.problem)
            if not (singular and needs_them(self.problem)):
                yield spectral(self.problem, self.seed, first_space(self.problem))
            if singular:
                yield spectral(
                    self.problem, self.seed, replace(self._middle(), enrichment=singular)
                )
            if evolves(self.problem):
                yield windowed(self.problem, self.seed, self._middle())
        yield trained(self.problem, self.seed)

    def _middle(self) -> SpectralFeatures:
        """Return a space of a size that windows are quickly solved with."""
        space = first_space(self.problem)
        assert isinstance(space.degrees, tuple)
        return replace(space, degrees=tuple(2 * n for n in space.degrees))

    def _follow(self, strategy: Strategy, judge: Judge) -> bool:
        """Go from coarse to fine; return whether the tolerance is reached."""
        before: Solution | None = None
        kept: Mapping[str, np.ndarray] = {}
        gap = math.inf
        history: list[tuple[float, float]] = []
        fields = [f.name for f in self.problem.pde.fields]
        for step in strategy:
            units = step.solution.trial.units
            values = judge.values(step.solution, fields)
            error, size = math.inf, _size(step.solution, self.seed)
            if before is not None:
                difference = max(judge.differences(kept, values, units).values())
                error, gap = bound(difference, gap), difference
                history.append((step.fineness, error))
            # a small difference of two solutions of which neither satisfies the equation is chance
            known = error if size <= _WORST_RESIDUAL else math.inf
            attempt = Attempt(step.method, step.unknowns, known, size, step.seconds)
            self._note(attempt)
            good = known <= self.tolerance and size <= max(_SMALL, math.sqrt(self.tolerance))
            if good or self._better(attempt):
                far = math.isinf(known)
                errors = {} if far else self._errors(judge, before, step.solution)
                self.best = (len(self.attempts) - 1, step.solution, errors)
            if good:
                return True
            before, kept = step.solution, values
            if self.hopeless(history, step.finest) or not self._time_for(_SLOWER * step.seconds):
                return False
        return False

    def _note(self, attempt: Attempt) -> None:
        self.attempts.append(attempt)
        if self.on_attempt is not None:
            self.on_attempt(attempt)

    def _better(self, attempt: Attempt) -> bool:
        if self.best is None:
            return True
        known = self.attempts[self.best[0]]
        return (attempt.error, attempt.residual) < (known.error, known.residual)

    def _errors(self, judge: Judge, before: Solution | None, now: Solution) -> dict[str, float]:
        """Return the estimated errors of all quantities."""
        if before is None:
            return {}
        names = now.names
        return judge.differences(
            judge.values(before, names), judge.values(now, names), now.trial.units
        )

    def hopeless(self, history: Sequence[tuple[float, float]], finest: float) -> bool:
        """Return whether errors that go on falling as they do end above the tolerance."""
        if len(history) < _PATIENCE - 1:
            return False
        (n0, e0), (n1, e1) = history[-2:]
        if e1 > _UNRESOLVED:
            return False  # the error falls once the space is fine enough to see the solution
        if not e1 < e0:
            return True
        slope = math.log(e0 / e1) / max(n1 - n0, 1e-9)
        return e1 * math.exp(-slope * max(finest - n1, 0.0)) > self.tolerance

    def _time_for(self, seconds: float) -> bool:
        return time.perf_counter() + seconds < self.deadline


def _size(solution: Solution, seed: int) -> float:
    """Return the largest residual over its scale, on fresh points."""
    return max(solution.residual(seed=seed + 1).values())

"""Windows in time: one trial space after the other, each starting from where the last one ended."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

import sciml.framework as fw
from sciml.equations import Condition, Given, Initial
from sciml.equations.conditions.condition import BoundaryCondition
from sciml.equations.given import CoefficientSource
from sciml.framework.errors import EquationError
from sciml.geometry import SpaceTime
from sciml.networks import Parameters

from .constraint import Array, Constraint
from .points import Points
from .problem import Problem
from .scales import Scales
from .trial import FieldFunction, Trial, double

if TYPE_CHECKING:
    from .solution import Solution


def space_time(problem: Problem) -> SpaceTime:
    """Return the shape of a problem as a shape over time.

    Raises
    ------
    EquationError
        If it is none, has no initial conditions, or conditions hold at its end or at given points.
    """
    shape = problem.geometry
    if not isinstance(shape, SpaceTime):
        raise EquationError(
            f"windows in time need a shape over time, such as Interval(0, 1).over_time(2); got "
            f"{shape}"
        )
    starts = [c for c in problem.conditions if isinstance(c, Initial)]
    if not starts:
        raise EquationError("windows in time need an Initial condition for each field that evolves")
    for c in problem.conditions:
        place = c.part if isinstance(c, BoundaryCondition) else None
        if place is None or (not isinstance(c, Initial) and not place.startswith("sides")):
            raise EquationError(
                f"windows in time know conditions on sides and Initial ones; {type(c).__name__} on "
                f"{c.where} is neither"
            )
    return shape


def window(problem: Problem, start: float, end: float, before: Solution | None) -> Problem:
    """Return a problem over a part of its time.

    Parameters
    ----------
    problem : Problem
        Over all its time.
    start, end : float
        The part [s].
    before : Solution or None
        The solution of the part before, whose end is the new start; None for the first part.

    Notes
    -----
    The values at the start enter the loss: as part of the trial function they would hold the
    networks of all windows before.
    """
    shape = replace(space_time(problem), start=start, end=end)
    if before is None:
        return Problem(shape, problem.pde, problem.conditions)
    conditions: list[Condition] = []
    for c in problem.conditions:
        if not isinstance(c, Initial):
            conditions.append(c)
            continue
        at = _State(before, c.field, start)
        rate = None if c.rate is None else at.given(derivative=True)
        conditions.append(replace(c, value=at.given(), rate=rate, hard=False))
    return Problem(shape, problem.pde, conditions)


@dataclass(frozen=True)
class _State:
    """A field of a solution at a time, as a function of space."""

    solution: Solution
    field: str
    time: float

    def given(self, derivative: bool = False) -> Given:
        """Return it, or its derivative in time."""
        names = [c.name for c in self.solution.trial.problem.pde.coordinates]
        name = f"{self.field}_start{'_t' if derivative else ''}"
        return Given(self._rate if derivative else self._value, " ".join(names[:-1]), name=name)

    @cached_property
    def _function(self) -> FieldFunction:
        trial = self.solution.trial
        assert isinstance(trial, Trial)
        return trial.fields(double(self.solution.parameters))[self.field]

    def _lifted(self, X: Any) -> Any:
        time = fw.zeros_like(X[:, :1]) + float(self.time)
        return fw.concatenate([X, time], axis=1)

    def _value(self, X: Any) -> Any:
        return self._function(self._lifted(X))

    def _rate(self, X: Any) -> Any:
        orders = (0,) * (len(self.solution.trial.problem.pde.coordinates) - 1)
        return fw.derivatives(self._function, [(*orders, 1)])(self._lifted(X))[0]


@dataclass(frozen=True)
class WindowedTrial:
    """The trial spaces of windows in time, as one of all time.

    Parameters
    ----------
    problem : Problem
        Over all its time.
    trials : sequence of Trial
        One for each window, in order of time.
    """

    problem: Problem
    trials: Sequence[Trial]

    @property
    def edges(self) -> Array:
        """The times between windows, shape (windows - 1,) [s]."""
        return np.array([space_time(t.problem).start for t in self.trials[1:]])

    @property
    def coefficients(self) -> Mapping[str, CoefficientSource]:
        """None: what is unknown belongs to all of time."""
        return {}

    @property
    def quantities(self) -> Mapping[str, Any]:
        """Expressions of fields and derived quantities by name."""
        return self.trials[0].quantities

    @property
    def units(self) -> dict[str, str]:
        """Units of coordinates and quantities."""
        return self.trials[0].units

    @property
    def scales(self) -> Scales:
        """Those of the first window."""
        return self.trials[0].scales

    def split(self, parameters: Parameters) -> tuple[Parameters, Mapping[str, Parameters]]:
        """Return the parameters of all windows; there are no others."""
        return parameters, {}

    def numbers(self, parameters: Parameters) -> dict[str, Any]:
        """Return nothing, since no unknown numbers are found by windows."""
        return {}

    def evaluate(self, parameters: Parameters, names: Sequence[str], X: Array) -> dict[str, Array]:
        """Return quantities at X of shape (n, d), each point by the window it lies in."""
        found = {name: np.empty(len(X)) for name in names}
        number = np.searchsorted(self.edges, X[:, -1], side="left")
        for i in np.unique(number):
            mine = number == i
            values = self.trials[i].evaluate(parameters[i], names, X[mine])
            for name in names:
                found[name][mine] = values[name]
        return found

    def constraints(
        self, points: Points, seed: int, weights: Mapping[str, float]
    ) -> list[Constraint]:
        """Return the constraints of all windows, each of the parameters of all of them."""
        found = []
        for i, trial in enumerate(self.trials):
            for c in trial.constraints(points, seed, weights):
                name = f"{c.name} (window {i + 1})"
                found.append(replace(c, name=name, residual=_of_window(c.residual, i), supply=None))
        return found

    def solution(self, parameters: Parameters) -> Solution:
        """Return the solution of all windows."""
        from .solution import Solution

        return Solution(self, parameters)


def _of_window(residual: Callable[..., Any], number: int) -> Callable[..., Any]:
    def own(parameters: Parameters, *arrays: Any) -> Any:
        return residual(parameters[number], *arrays)

    return own

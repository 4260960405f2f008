"""`Solver`: a problem, a network and a schedule; `solve` gives the solution."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt

from sciml.equations import Condition, Data, Integral, PointValue
from sciml.equations.given import CoefficientSource
from sciml.framework.compiler.jit import load_backend
from sciml.framework.errors import (
    ConfigError,
    ConvergenceWarning,
    NonFiniteError,
    PrecisionWarning,
    ProblemWarning,
)
from sciml.networks import MLP, Network, Parameters
from sciml.problem.constraint import Constraint
from sciml.problem.points import Points

from .balancers import Balancer, Weighing
from .events import Callback, watched
from .loop import Position, advance
from .optimisers import LBFGS, Adam, CosineRate, Optimiser, Stage
from .repeat import written_out
from .resampling import Arrays, Resampling
from .session import Session, SessionLoss, like, one_blas_thread

DTypeName: TypeAlias = Literal["float32", "float64"]

_DEFAULT_SCHEDULE: tuple[Stage, ...] = (Adam(1000, CosineRate(2e-3)), LBFGS(1000))
_SINGLE_DIGITS = 7
# A root mean square residual from which on solutions were seen to be wrong by per cents.
_POOR_RESIDUAL = 0.2


class AnySolution(Protocol):
    """What is known of a solution while it is made."""

    def residual(self, count: int = ..., seed: int = ...) -> dict[str, float]: ...


Found_co = TypeVar("Found_co", bound=AnySolution, covariant=True)


class AnyTrial(Protocol[Found_co]):
    """The trial space of one problem or of several."""

    @property
    def coefficients(self) -> Mapping[str, CoefficientSource]: ...

    def initialise(self, seed: int, dtype: npt.DTypeLike) -> Parameters: ...

    def constraints(
        self, points: Points, seed: int, weights: Mapping[str, float]
    ) -> list[Constraint]: ...

    def solution(self, parameters: Parameters) -> Found_co: ...


class AnyProblem(Protocol[Found_co]):
    """One problem, or several that meet at interfaces."""

    @property
    def order(self) -> int: ...

    @property
    def conditions(self) -> Sequence[Condition]: ...

    def missing_conditions(self) -> dict[str, int]: ...

    def free_constants(self) -> tuple[str, ...]: ...

    def trial(self, network: Network) -> AnyTrial[Found_co]: ...


@dataclass(frozen=True)
class Solver(Generic[Found_co]):
    """Trains a network so that it satisfies a problem.

    Parameters
    ----------
    problem : Problem or CoupledProblem
        Geometry, PDE and conditions.
    network : Network
        The trial space; of each sub-problem that has no network of its own.
    schedule : sequence of Stage
        Optimisers in order, and between them stages that move points, such as `RAD`; each `Repeat`
        is written out.
    points : Points
        Counts of collocation points and the sampler.
    weights : Mapping of str to float, or Balancer
        Factors of constraints in the loss by name, 1 where none is given; or what finds them while
        it trains, such as `GradNorm`.
    seed : int
        Seed of parameters and points, >= 0.
    dtype : str or None
        ``float32`` or ``float64``; None means float64 from the third derivative on.
    threads : int or None
        Threads of the compiled step; None means all cores.

    Examples
    --------
    >>> from sciml import Problem
    >>> from sciml.equations import Dirichlet, Poisson
    >>> from sciml.geometry import Rectangle
    >>> problem = Problem(Rectangle(), Poisson(), [Dirichlet("u", "edges")])
    >>> small = Solver(problem, MLP(hidden=(8, 8)), [Adam(20), LBFGS(150)], dtype="float64")
    >>> bool(abs(small.solve()["u"](0.5, 0.5) - 0.0736713) < 1e-3)
    True
    """

    problem: AnyProblem[Found_co]
    network: Network = field(default_factory=MLP)
    schedule: Sequence[Stage] = _DEFAULT_SCHEDULE
    points: Points = field(default_factory=Points)
    weights: Mapping[str, float] | Balancer = field(default_factory=dict)
    seed: int = 0
    dtype: DTypeName | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        """Check numbers and take lists for tuples and data types for their names."""
        if self.dtype is not None:
            name = np.dtype(self.dtype).name
            if name not in ("float32", "float64"):
                raise ConfigError(f"Solver: dtype must be float32 or float64, got {name}")
            object.__setattr__(self, "dtype", name)
        object.__setattr__(self, "schedule", written_out(self.schedule))
        if not self.schedule or not isinstance(self.schedule[-1], Optimiser):
            raise ConfigError(
                "Solver: the schedule must end with an optimiser, such as LBFGS(), got "
                f"{self.schedule[-1] if self.schedule else 'no stage'}"
            )
        if self.seed < 0 or (self.threads is not None and self.threads < 1):
            raise ConfigError(
                f"Solver: seed must be 0 or more and threads 1 or more, "
                f"got seed={self.seed}, threads={self.threads}"
            )

    @property
    def element_type(self) -> DTypeName:
        """The element type in use."""
        if self.dtype is not None:
            return self.dtype
        return "float64" if self.problem.order >= 3 else "float32"

    @property
    def balancer(self) -> Balancer | None:
        """What finds the weights; None for fixed ones."""
        return self.weights if isinstance(self.weights, Balancer) else None

    @property
    def factors(self) -> Mapping[str, float]:
        """The fixed weights, or the fixed part of found ones, by name of the constraint."""
        return self.weights.factors if isinstance(self.weights, Balancer) else self.weights

    @property
    def thread_count(self) -> int:
        """The number of threads in use."""
        if self.threads is not None:
            return self.threads
        return load_backend("cpu").default_threads()

    def prepare(self, initial: Parameters | None = None) -> Training[Found_co]:
        """Sample points, build constraints and return the training, not yet compiled.

        Parameters
        ----------
        initial : Parameters or None
            Where training starts, such as the parameters of another solution; None means fresh
            ones.

        Raises
        ------
        ConfigError
            If they are not those of the network.

        Warns
        -----
        PrecisionWarning
            For float32 with a residual of order three or more.
        """
        order = self.problem.order
        if self.element_type == "float32" and order >= 3:
            warnings.warn(
                f"float32 with derivatives of order {order}: of about {_SINGLE_DIGITS} digits "
                f"expect to lose {order} or so, leaving {max(0, _SINGLE_DIGITS - order)}; "
                "use dtype='float64'",
                PrecisionWarning,
                stacklevel=3,
            )
        trial = self.problem.trial(self.network)
        for doubt in undetermined(self.problem, trial):
            warnings.warn(doubt, ProblemWarning, stacklevel=3)
        constraints = trial.constraints(self.points, self.seed, self.factors)
        moving = any(isinstance(stage, Resampling) for stage in self.schedule)
        if self.balancer is not None:
            self.balancer.check_constraints(constraints, moving)
        fresh = trial.initialise(self.seed, np.dtype(self.element_type))
        initial = fresh if initial is None else like(initial, fresh)
        dtype = np.dtype(self.element_type)
        session = Session(constraints, initial, dtype, self.thread_count, self.balancer)
        for stage in self.schedule:
            if isinstance(stage, Resampling):
                session.check(stage)  # now, not after the stages before it
        return Training(self, session, trial.solution)

    def solve(
        self,
        on_step: Callback | Sequence[Callback] = (),
        budget_s: float | None = None,
        initial: Parameters | None = None,
    ) -> Found_co:
        """Train and return the solution.

        Parameters
        ----------
        on_step : function, or sequence of functions
            Called with an `Event` before the first step, after every step, at the end of each
            stage and at the end; returning True or a `StopReason` ends the training.
        budget_s : float or None
            Largest time in steps [s].
        initial : Parameters or None
            Where training starts, such as the parameters of another solution; None means fresh
            ones.
        """
        training = self.prepare(initial)
        start = position = training.start
        callbacks = (on_step,) if callable(on_step) else tuple(on_step)
        with one_blas_thread():
            try:
                steps = training.steps(start, budget_s)
                for position in watched(steps, self.schedule, start, callbacks):  # noqa: B007
                    pass  # the last position counts
            except NonFiniteError as error:
                raise training.session.explain_failure(position.x, error) from None
        solution = training.solution(position)
        doubt = poor_residual(solution.residual(seed=self.seed + 1))
        if doubt:
            warnings.warn(doubt, ConvergenceWarning, stacklevel=2)
        return solution


def undetermined(problem: AnyProblem[Any], trial: AnyTrial[Any]) -> Iterator[str]:
    """Yield why a problem has more than one solution, or none, where that is seen beforehand."""
    lacking = problem.missing_conditions()
    if lacking:
        parts = ", ".join(f"{part} ({count})" for part, count in lacking.items())
        yield (
            f"an equation of order {problem.order} needs {problem.order // 2} conditions on every "
            f"part of the boundary; missing are: {parts}. The solution is not unique"
        )
    for name in problem.free_constants():
        yield (
            f"only derivatives of {name!r} occur, so that a constant may be added to it, or no "
            "solution exists; add PointValue or Integral"
        )
    known = any(isinstance(c, Data | PointValue | Integral) for c in problem.conditions)
    if trial.coefficients and not known:
        yield (
            f"the coefficients {', '.join(trial.coefficients)} are to be found, but no values of "
            "the solution are given; add Data, or they may be anything"
        )


def poor_residual(residual: Mapping[str, float]) -> str:
    """Return why a solution is not to be trusted, or nothing.

    Parameters
    ----------
    residual : Mapping of str to float
        Root mean square of each residual over its scale, on points that were not trained on.
    """
    poor = {name: value for name, value in residual.items() if not value <= _POOR_RESIDUAL}
    if not poor:
        return ""
    values = ", ".join(f"{name} {value:.2g}" for name, value in poor.items())
    return (
        f"not converged everywhere: on fresh points the root mean square residual is {values} of "
        "its scale, so the solution may be off by per cents; train longer or with more points"
    )


@dataclass(frozen=True)
class Training(Generic[Found_co]):
    """A solver with its session: what `solve` and YAML runs step through."""

    solver: Solver[Found_co]
    session: Session
    build: Callable[[Parameters], Found_co]

    @property
    def start(self) -> Position:
        """The position before the first step."""
        return Position(self.session.start)

    @property
    def objective(self) -> SessionLoss:
        """Loss and gradient of flat parameters; its residuals and their Jacobian too."""
        return self.session.loss

    def steps(self, position: Position, budget_s: float | None) -> Iterator[Position]:
        """Yield the position after every step from one on; see `advance`."""
        self.resume(position)
        return advance(
            self.solver.schedule, position, self.objective, budget_s, self.move, self.reweigh
        )

    def move(self, stage: Resampling, position: Position) -> tuple[Arrays, ...]:
        """Move points as a stage says, the same for the same seed and parameters."""
        return self.session.resample(stage, position.x, (self.solver.seed, position.stage))

    def reweigh(self, position: Position) -> Weighing | None:
        """Find weights where a balancer wants new ones: at the start of a stage, or every steps."""
        balancer = self.solver.balancer
        step = position.state.step if position.state is not None else 0
        if balancer is None or step % balancer.every:
            return position.weighing
        seed = (self.solver.seed, position.stage, position.step)
        return self.session.reweigh(balancer, position.x, position.weighing, seed)

    def resume(self, position: Position) -> None:
        """Take the points and weights of a stored position."""
        if position.points:
            self.session.move(position.points)
        if position.weighing is not None:
            self.session.weigh(position.weighing)

    def solution(self, position: Position) -> Found_co:
        """Return the solution with the parameters of a position."""
        return self.build(self.session.packing.unpack(position.x))

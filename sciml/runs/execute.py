"""Run a configuration into a folder: train, record, checkpoint, compare, draw."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sciml.framework.errors import CheckpointError, NonFiniteError
from sciml.problem.comparison import require_same_equation
from sciml.problem.solution import Solution
from sciml.training.atomic import write_text
from sciml.training.checkpoint import Checkpoint
from sciml.training.events import closed_early
from sciml.training.loop import Position, total_steps
from sciml.training.optimisers import StopReason
from sciml.training.session import Session, one_blas_thread
from sciml.training.solver import Solver, Training

from . import automatic, catalogue, checkpoints, folder, record
from .config import Automatic, RunConfig, SolverOptions, digest, resolved
from .environment import add_session
from .folder import RunFolder
from .history import WEIGHT, History, read
from .interrupt import Interruption
from .lock import locked
from .outcome import Ending, Outcome
from .report import Progress, Reporter

_COLUMNS = ("step", "stage", "loss", "gradient_norm", "rate", "elapsed_s")


def start(config: RunConfig, output: Path | None, reporter: Reporter) -> Outcome:
    """Train from the beginning.

    Raises
    ------
    ConfigError, OutputError, NonFiniteError
        One line each; nothing is left half-written.
    """
    began = time.perf_counter()
    solver = checked(config)
    config = resolved(config, solver)
    if isinstance(config.solver, Automatic):
        with _opened(config, output) as made:
            return automatic.search(Ending(config, made, reporter, began), config.solver)
    training = prepared(solver, reporter)
    with _opened(config, output) as made:
        run = _Run(solver, training, Ending(config, made, reporter, began))
        return run.go(training.start, 0)


@contextmanager
def _opened(config: RunConfig, output: Path | None) -> Iterator[RunFolder]:
    """Make the folder of a new run, which is locked meanwhile."""
    made = folder.create(config.name, output)
    with locked(made.path):
        folder.require_new(made)
        write_text(made.config, catalogue.text(config))
        yield made


def resume(path: Path, overrides: Sequence[str], reporter: Reporter) -> Outcome:
    """Go on from the newest whole checkpoint of a folder, as if the run had not stopped.

    Where it was killed before the first one it starts anew.

    Raises
    ------
    ConfigError, CheckpointError, OutputError, NonFiniteError
        One line each.
    """
    began = time.perf_counter()
    found = folder.existing(path)
    with locked(found.path):
        config = catalogue.load(str(found.config), overrides)
        ending = Ending(config, found, reporter, began)
        if isinstance(config.solver, Automatic):
            reporter.say(f"{found.path}: searching anew")
            return automatic.search(ending, config.solver)
        checkpoint = checkpoints.newest(found.checkpoints, reporter.say)
        solver = checked(config)
        if checkpoint is not None:
            _require_same(found, checkpoint, config, solver)
        training = prepared(solver, reporter)
        run = _Run(solver, training, ending)
        if checkpoint is None:
            reporter.say(f"{found.path} holds no checkpoint yet; starting anew")
            return run.go(training.start, 0)
        reporter.say(f"resuming {found.path} at step {checkpoint.position.step}")
        return run.go(checkpoint.position, checkpoint.history_bytes)


def checked(config: RunConfig) -> Solver[Solution]:
    """Build the solver, and refuse what it cannot be compared with before any work is done.

    Raises
    ------
    ConfigError, EquationError
        When the reference solves another equation, or values do not fit the problem.
    """
    solver = config.build()
    if config.validation.reference is not None:
        require_same_equation(config.problem.pde, config.validation.reference.pde)
    if config.validation.values is not None:
        config.validation.values.require_fit(config.problem)
    return solver


def _require_same(
    found: RunFolder, checkpoint: Checkpoint, config: RunConfig, solver: Solver[Solution]
) -> None:
    """Refuse another problem, and another method where the checkpoint is inside a stage."""
    if checkpoint.problem != digest(config):
        raise CheckpointError(
            f"{found.checkpoints}: they belong to another problem, network, seed or set of points "
            f"than {found.config} with these overrides; start a new run instead"
        )
    if not checkpoint.optimiser:
        return
    names = [type(optimiser).__name__ for optimiser in solver.schedule]
    stage = checkpoint.position.stage
    if names[stage : stage + 1] != [checkpoint.optimiser]:
        raise CheckpointError(
            f"{found.checkpoints}: the run stopped inside stage {stage}, "
            f"{checkpoint.optimiser}, but the schedule is now {names}; "
            "keep that stage, and change those after it only"
        )


def prepared(solver: Solver[Solution], reporter: Reporter) -> Training[Solution]:
    """Prepare with warnings as lines, and say which element type was chosen.

    Raises
    ------
    ConfigError, EquationError
        When a weight names no constraint, or points cannot be drawn.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        training = solver.prepare()
    for warning in caught:
        reporter.say(f"warning: {warning.message}")
    order = solver.problem.order
    chosen = "chosen because" if solver.dtype is None else "set;"
    reporter.say(f"{solver.element_type}, {chosen} the residual has order {order}")
    return training


@dataclass
class _Run:
    """One session of a run."""

    solver: Solver[Solution]
    training: Training[Solution]
    ending: Ending

    @property
    def folder(self) -> RunFolder:
        return self.ending.folder

    @property
    def config(self) -> RunConfig:
        return self.ending.config

    @property
    def options(self) -> SolverOptions:
        assert isinstance(self.config.solver, SolverOptions)
        return self.config.solver

    @property
    def reporter(self) -> Reporter:
        return self.ending.reporter

    def go(self, position: Position, history_bytes: int) -> Outcome:
        session, steps = self.training.session, total_steps(self.solver.schedule)
        parts = [c.name for c in session.constraints] if len(session.constraints) > 1 else []
        columns = (*_COLUMNS, *parts, *(WEIGHT + name for name in session.mean_weights))
        threads, dtype = self.solver.thread_count, self.solver.element_type
        add_session(self.folder.environment, self.solver.seed, threads, dtype)
        with (
            History(self.folder.history, columns, history_bytes) as history,
            one_blas_thread(),
            Interruption() as interruption,
            self._shown(steps, position.step),
        ):
            self._save(position, history)
            position = self._train(position, history, interruption, bool(parts))
        if interruption.signal:
            self.reporter.say(
                f"interrupted at step {position.step}; go on with: sciml resume {self.folder.path}"
            )
            return Outcome(self.folder, interruption.signal)
        for end in position.ends:
            self.reporter.say(
                f"{end.optimiser}: {end.steps} steps, stopped because {end.stop.value}"
            )
        made = record.trained(self.solver, self.training, position)
        return self.ending.outcome(self.training.solution(position), made)

    @contextmanager
    def _shown(self, steps: int, done: int) -> Iterator[None]:
        self.reporter.begin(steps, done)
        try:
            yield
        finally:
            self.reporter.end()

    def _train(
        self, position: Position, history: History, interruption: Interruption, parts: bool
    ) -> Position:
        outputs, session = self.config.outputs, self.training.session
        schedule, minutes = self.solver.schedule, self.options.max_minutes
        budget = None if minutes is None else 60.0 * minutes
        steps = total_steps(schedule)
        if interruption.signal:
            return position
        good_enough = self._stopping(position)
        try:
            for moved in self.training.steps(position, budget):
                ended = len(moved.ends) != len(position.ends)
                stage = moved.ends[-1].optimiser if ended else type(schedule[moved.stage]).__name__
                position = moved
                if moved.step % outputs.record_every == 0 or ended:
                    row = _row(moved, stage, session, parts)
                    history.append(row)
                    reason = good_enough(moved.step, float(row[2]))
                    if reason is not None and moved.stage < len(schedule):
                        position, ended = closed_early(moved, schedule, reason), True
                points = sum(len(c.arrays[0]) for c in session.constraints)
                self.reporter.update(_progress(position, stage, steps, ended, points))
                stop = bool(interruption.signal)
                if moved.step % outputs.checkpoint_every == 0 or ended or stop:
                    self._save(position, history)
                if stop or position.stage == len(schedule):
                    break
        except NonFiniteError as error:
            explained = session.explain_failure(position.x, error)
            raise NonFiniteError(
                f"{explained}; the last good checkpoint is "
                f"{checkpoints.latest(self.folder.checkpoints)}"
            ) from None
        return position

    def _stopping(self, position: Position) -> Callable[[int, float], StopReason | None]:
        """Return what decides whether to end early, as it stood at a position."""
        stop = self.options.stop
        if stop is None:
            return lambda step, loss: None
        decide = stop.watch()
        if position.step > 0:
            rows = read(self.folder.history)
            for step, loss in zip(rows["step"], rows["loss"], strict=True):
                decide(int(step), loss)
        return decide

    def _save(self, position: Position, history: History) -> None:
        inside = position.state is not None
        method = type(self.solver.schedule[position.stage]).__name__ if inside else ""
        history.flush()
        checkpoint = Checkpoint(position, history.size, digest(self.config), method)
        checkpoints.store(self.folder.checkpoints, checkpoint, self.config.outputs.keep)


def _row(position: Position, stage: str, session: Session, parts: bool) -> list[float | int | str]:
    """A row of the history: loss and parts belong to the same parameters, those after the step.

    The loss has the fixed weights only, so that rows compare where others are found.
    """
    last = position.state or position.ends[-1]
    values = session.parts(position.x)
    loss = sum(c.weight * values[c.name] for c in session.constraints)
    row: list[float | int | str] = [
        position.step, stage, loss, last.gradient_norm, last.rate, round(position.elapsed_s, 4),
    ]  # fmt: skip
    return [*row, *(values.values() if parts else ()), *session.mean_weights.values()]


def _progress(position: Position, stage: str, steps: int, ended: bool, points: int) -> Progress:
    last = position.state or position.ends[-1]
    return Progress(
        position.step, steps, stage, position.loss, last.rate, position.elapsed_s, ended, points
    )

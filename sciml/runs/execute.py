"""Run a configuration into a folder: train, record, checkpoint, compare, draw."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sciml.framework.errors import CheckpointError, NonFiniteError
from sciml.problem.comparison import require_same_equation
from sciml.problem.solution import Solution
from sciml.training.atomic import write_text
from sciml.training.checkpoint import Checkpoint, load, save
from sciml.training.loop import Position, advance, total_steps
from sciml.training.session import Session, one_blas_thread
from sciml.training.solver import Solver, Training, poor_residual

from . import catalogue, figures, folder, record
from .config import RunConfig, digest, resolved
from .folder import RunFolder
from .history import History
from .interrupt import Interruption
from .report import Progress, Reporter

_COLUMNS = ("step", "stage", "loss", "gradient_norm", "rate", "elapsed_s")


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    Parameters
    ----------
    folder : RunFolder
        Where everything lies.
    interrupted : bool
        Whether Ctrl-C (or a termination signal) ended it, after a checkpoint.
    result : dict
        Content of ``result.json``; empty when interrupted.
    """

    folder: RunFolder
    interrupted: bool
    result: dict[str, object] = field(default_factory=dict)


def start(config: RunConfig, output: Path | None, reporter: Reporter) -> Outcome:
    """Train from the beginning.

    Raises
    ------
    ConfigError, OutputError, NonFiniteError
        One line each; nothing is left half-written.
    """
    began = time.perf_counter()
    solver = _checked(config)
    training = _prepared(solver, reporter)
    made = folder.create(config.name, output)
    config = resolved(config, solver)
    write_text(made.config, catalogue.text(config))
    run = _Run(config, solver, training, made, reporter, began)
    return run.go(training.start, 0)


def resume(path: Path, overrides: Sequence[str], reporter: Reporter) -> Outcome:
    """Go on from the newest checkpoint of a folder, as if the run had not stopped.

    Raises
    ------
    ConfigError, CheckpointError, OutputError, NonFiniteError
        One line each.
    """
    began = time.perf_counter()
    found = folder.existing(path)
    config = catalogue.load(str(found.config), overrides)
    checkpoint = load(found.checkpoint)
    if checkpoint.problem != digest(config):
        raise CheckpointError(
            f"{found.checkpoint}: it belongs to another problem, network, seed or set of points "
            f"than {found.config} with these overrides; start a new run instead"
        )
    solver = _checked(config)
    _require_same_stage(found, checkpoint, solver)
    training = _prepared(solver, reporter)
    reporter.say(f"resuming {found.path} at step {checkpoint.position.step}")
    run = _Run(config, solver, training, found, reporter, began)
    return run.go(checkpoint.position, checkpoint.history_bytes)


def _checked(config: RunConfig) -> Solver[Solution]:
    """Build the solver, and refuse a reference of another equation before any work is done."""
    solver = config.build()
    if config.validation.reference is not None:
        require_same_equation(config.problem.pde, config.validation.reference.pde)
    return solver


def _require_same_stage(found: RunFolder, checkpoint: Checkpoint, solver: Solver[Solution]) -> None:
    """Refuse a schedule with another method where the checkpoint is in the middle of a stage."""
    if not checkpoint.optimiser:
        return
    names = [type(optimiser).__name__ for optimiser in solver.schedule]
    stage = checkpoint.position.stage
    if names[stage : stage + 1] != [checkpoint.optimiser]:
        raise CheckpointError(
            f"{found.checkpoint}: it stopped inside stage {stage}, {checkpoint.optimiser}, but the "
            f"schedule is now {names}; keep that stage, and change those after it only"
        )


def _prepared(solver: Solver[Solution], reporter: Reporter) -> Training[Solution]:
    """Prepare with warnings as lines, and say which element type was chosen."""
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

    config: RunConfig
    solver: Solver[Solution]
    training: Training[Solution]
    folder: RunFolder
    reporter: Reporter
    began: float

    def go(self, position: Position, history_bytes: int) -> Outcome:
        session, steps = self.training.session, total_steps(self.solver.schedule)
        parts = [c.name for c in session.constraints] if len(session.constraints) > 1 else []
        columns = (*_COLUMNS, *parts)
        with (
            History(self.folder.history, columns, history_bytes) as history,
            one_blas_thread(),
            Interruption() as interruption,
            self._shown(steps, position.step),
        ):
            self._save(position, history)
            position = self._train(position, history, interruption, bool(parts))
        if interruption.asked():
            self.reporter.say(
                f"interrupted at step {position.step}; go on with: "
                f"sciml run --resume {self.folder.path}"
            )
            return Outcome(self.folder, True)
        return Outcome(self.folder, False, self._finish(position))

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
        schedule, budget = self.solver.schedule, self.config.solver.budget_s
        steps = total_steps(schedule)
        if interruption.asked():
            return position
        try:
            self.training.resume(position)
            moves = advance(schedule, position, self.training.objective, budget, self.training.move)
            for moved in moves:
                ended = len(moved.ends) != len(position.ends)
                stage = moved.ends[-1].optimiser if ended else type(schedule[moved.stage]).__name__
                position = moved
                if moved.step % outputs.record_every == 0 or ended:
                    history.append(_row(moved, stage, session, parts))
                self.reporter.update(_progress(moved, stage, steps, ended))
                stop = interruption.asked()
                if moved.step % outputs.checkpoint_every == 0 or ended or stop:
                    self._save(moved, history)
                if stop:
                    break
        except NonFiniteError as error:
            explained = session.explain_failure(position.x, error)
            raise NonFiniteError(
                f"{explained}; the last good checkpoint is {self.folder.checkpoint}"
            ) from None
        return position

    def _save(self, position: Position, history: History) -> None:
        inside = position.state is not None
        method = type(self.solver.schedule[position.stage]).__name__ if inside else ""
        history.flush()
        save(
            self.folder.checkpoint,
            Checkpoint(position, history.size, digest(self.config), method),
        )

    def _finish(self, position: Position) -> dict[str, object]:
        solution = self.training.solution(position)
        for end in position.ends:
            self.reporter.say(
                f"{end.optimiser}: {end.steps} steps, stopped because {end.stop.value}"
            )
        content = record.result(self.config, self.solver, self.training, position, solution)
        self._write_result(content)
        if self.config.outputs.figures:
            # the numbers are safe before the larger files are written
            figures.write(self.folder, self.config, solution)
            self._write_result(content)
        for table in record.tables(content):
            self.reporter.table(table)
        doubt = poor_residual(content["residual"])
        if doubt:
            self.reporter.say(f"warning: {doubt}")
        self.reporter.say(f"wall time {content['wall_time_s']:.1f} s, folder {self.folder.path}")
        return content

    def _write_result(self, content: dict[str, Any]) -> None:
        content["wall_time_s"] = time.perf_counter() - self.began
        write_text(self.folder.result, record.to_json(content))


def _row(position: Position, stage: str, session: Session, parts: bool) -> list[float | int | str]:
    """A row of the history: loss and parts belong to the same parameters, those after the step."""
    last = position.state or position.ends[-1]
    values = session.parts(position.x)
    loss = sum(c.weight * values[c.name] for c in session.constraints)
    row: list[float | int | str] = [
        position.step, stage, loss, last.gradient_norm, last.rate, round(position.elapsed_s, 4),
    ]  # fmt: skip
    return [*row, *values.values()] if parts else row


def _progress(position: Position, stage: str, steps: int, ended: bool) -> Progress:
    last = position.state or position.ends[-1]
    return Progress(
        position.step, steps, stage, position.loss, last.rate, position.elapsed_s, ended
    )

"""`result.json`, and the tables printed at the end of a run."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from sciml.problem.comparison import FieldError
from sciml.problem.solution import Solution
from sciml.training.loop import Position
from sciml.training.solver import Solver, Training

from .config import RunConfig
from .environment import versions
from .report import Table


def result(
    config: RunConfig,
    solver: Solver[Solution],
    training: Training[Solution],
    position: Position,
    solution: Solution,
) -> dict[str, Any]:
    """Return the record of a finished run as plain data.

    Notes
    -----
    ``loss`` and ``loss_parts`` are evaluated at the final parameters; ``weights`` are the means
    over points of those that a balancer has found last, which the loss is taken with. Without a
    reference ``errors`` is empty and ``residual`` holds an estimate on fresh points instead.
    """
    session = training.session
    loss, gradient = session.objective(position.x)
    content: dict[str, Any] = {
        "problem": config.name,
        "description": config.description,
        "seed": solver.seed,
        "dtype": solver.element_type,
        "threads": solver.thread_count,
        "parameters": int(position.x.size),
        "steps": position.step,
        "wall_time_s": math.nan,
        "training_time_s": position.elapsed_s,
        "compile_time_s": session.compile_time_s,
        "loss": loss,
        "gradient_norm": float(math.sqrt(float(gradient @ gradient))),
        "loss_parts": session.parts(position.x),
        "weights": session.mean_weights,
        "stages": [
            {
                "optimiser": end.optimiser,
                "steps": end.steps,
                "evaluations": end.evaluations,
                "stop_reason": end.stop.value,
                "loss": end.loss,
            }
            for end in position.ends
        ],
        "identified": solution.identified,
        "scales": solution.scales.to_plain(),
        "errors": {},
        "residual": solution.residual(seed=solver.seed + 1),
        "versions": versions(),
    }
    errors = _errors(config, solution)
    if errors:
        units = config.problem.pde.units()
        content["errors"] = {
            field: {
                "relative_l2": e.relative_l2,
                "max": e.max,
                "unit": units[field],
                "reference": e.reference,
            }
            for field, e in errors.items()
        }
    return content


def _errors(config: RunConfig, solution: Solution) -> dict[str, FieldError]:
    known = config.validation
    if known.values is not None:
        return known.values.errors(solution)
    return {} if known.reference is None else solution.errors(known.reference, known.grid)


def to_json(content: Mapping[str, object]) -> str:
    """Return indented JSON; a number that is not finite becomes null."""
    return json.dumps(_finite(content), indent=2) + "\n"


def _finite(value: object) -> object:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def tables(content: Mapping[str, Any]) -> list[Table]:
    """Return the errors per field, or the residual estimate where there is no reference."""
    errors: Mapping[str, Mapping[str, Any]] = content["errors"]
    if errors:
        reference = next(iter(errors.values()))["reference"]
        rows = tuple(
            (field, f"{e['relative_l2']:.2e}", f"{e['max']:.2e} {e['unit']}")
            for field, e in errors.items()
        )
        header = ("field", "relative L2 error", "largest error")
        return [Table(f"{content['problem']} against {reference}", header, rows)]
    residual: Mapping[str, float] = content["residual"]
    title = f"{content['problem']}: no reference; relative residual on fresh points"
    cells = tuple((name, f"{value:.2e}") for name, value in residual.items())
    return [Table(title, ("equation", "relative residual"), cells)]

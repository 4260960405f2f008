"""`result.json`, and the tables printed at the end of a run."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from sciml.networks import parameter_count
from sciml.problem.comparison import FieldError
from sciml.problem.report import Report
from sciml.problem.solution import Solution
from sciml.training.loop import Position
from sciml.training.solver import Solver, Training

from .config import RunConfig
from .environment import versions
from .report import Table

_ESTIMATE = ("field", "relative L2 error")


def trained(
    solver: Solver[Solution], training: Training[Solution], position: Position
) -> dict[str, Any]:
    """Return how training went as plain data.

    Notes
    -----
    ``loss`` and ``loss_parts`` are evaluated at the final parameters; ``weights`` are the means
    over points of those that a balancer has found last, which the loss is taken with.
    """
    session = training.session
    loss, gradient = session.objective(position.x)
    return {
        "dtype": solver.element_type,
        "threads": solver.thread_count,
        "steps": position.step,
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
    }


def searched(report: Report) -> dict[str, Any]:
    """Return how a solution was found as plain data."""
    return {"search": asdict(report)}


def result(config: RunConfig, solution: Solution, made: Mapping[str, Any]) -> dict[str, Any]:
    """Return the record of a finished run as plain data.

    Parameters
    ----------
    config : RunConfig
        What was asked for.
    solution : Solution
        What came out.
    made : Mapping
        How it was made: what `trained` or `searched` gives.

    Notes
    -----
    Without a reference ``errors`` is empty and ``residual`` holds an estimate on fresh points
    instead.
    """
    seed = config.solver.seed
    content: dict[str, Any] = {
        "problem": config.name,
        "description": config.description,
        "seed": seed,
        "parameters": parameter_count(solution.parameters),
        "wall_time_s": math.nan,
        **made,
        "identified": solution.identified,
        "scales": solution.scales.to_plain(),
        "errors": {},
        "residual": solution.residual(seed=seed + 1),
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


def tables(content: Mapping[str, Any]) -> Iterator[Table]:
    """Yield the errors per field, or the residual estimate where there is no reference.

    Of a search, its estimate of the errors comes before.
    """
    errors: Mapping[str, Mapping[str, Any]] = content["errors"]
    if "search" in content:
        estimates = content["search"]["errors"].items()
        cells = tuple((name, f"{value:.0e}") for name, value in estimates)
        if cells:
            yield Table(f"{content['problem']}: estimated from the last two", _ESTIMATE, cells)
    if errors:
        reference = next(iter(errors.values()))["reference"]
        rows = tuple(
            (field, f"{e['relative_l2']:.2e}", f"{e['max']:.2e} {e['unit']}")
            for field, e in errors.items()
        )
        header = ("field", "relative L2 error", "largest error")
        yield Table(f"{content['problem']} against {reference}", header, rows)
        return
    residual: Mapping[str, float] = content["residual"]
    title = f"{content['problem']}: no reference; relative residual on fresh points"
    cells = tuple((name, f"{value:.2e}") for name, value in residual.items())
    yield Table(title, ("equation", "relative residual"), cells)

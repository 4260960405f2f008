"""A configuration in words: equation, conditions, derivative plan, network, points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sciml.equations import format_expression
from sciml.framework.errors import ConfigError
from sciml.networks import parameter_count
from sciml.problem.solution import Solution
from sciml.problem.trial import Trial
from sciml.training.solver import Solver

from .config import Automatic, RunConfig


def describe(config: RunConfig) -> str:
    """Return the text of ``sciml show``."""
    lines = [config.name, f"  {config.description}"] if config.description else [config.name]
    for title, body in sections(config):
        lines += ["", title, *(f"  {line}" for line in body)]
    return "\n".join(lines)


def sections(config: RunConfig) -> Iterator[tuple[str, Iterable[str]]]:
    """Yield the titles of ``sciml show`` with the lines below them."""
    solver = config.build()
    trial = config.problem.trial(solver.network)
    yield "geometry", [str(config.geometry)]
    yield "equation", _equations(trial)
    yield "conditions", _conditions(trial)
    yield "derivative plan", _plan(trial)
    if isinstance(config.solver, Automatic):
        yield "scales", _scales(trial)
        yield "solver", _automatic(config.solver)
        return
    yield "network", _network(trial)
    yield "points", _points(config, trial)
    yield "scales", _scales(trial)
    yield "solver", _solver(solver)


def programs(config: RunConfig) -> str:
    """Return the text of ``sciml show --ir``: the step before and after each pass.

    Raises
    ------
    ConfigError
        If the solver is still to be found, so that there is no step yet.
    """
    if isinstance(config.solver, Automatic):
        raise ConfigError("solver auto has no step before it runs; show --ir needs a schedule")
    training = config.build().prepare()
    return training.session.explain()


def _equations(trial: Trial) -> Iterator[str]:
    for name, residual in trial.problem.pde.residuals().items():
        yield f"{name}: {format_expression(residual)} = 0"
    derived = ", ".join(trial.problem.pde.derived())
    yield f"order {trial.problem.order}; derived quantities {derived}"


def _conditions(trial: Trial) -> Iterator[str]:
    for form in trial.problem.forms:
        yield f"{form.field} = {format_expression(form.expression)}"
        for condition, name in form.hard:
            yield f"hard  {condition.part}: {name} = 0  ({type(condition).__name__}, by this form)"
        for soft in form.soft:
            kind = type(soft.condition).__name__
            yield f"soft  {soft.where}: {soft.name} = 0  ({kind}, in the loss)"


def _plan(trial: Trial) -> Iterator[str]:
    for requirement in trial.requirements:
        for field, indices in requirement.lowered.derivatives.items():
            text = " ".join(f"({','.join(map(str, a))})" for a in indices)
            count = len(_closure(indices))
            yield (
                f"{requirement.name}: {field} at {text}, order {requirement.lowered.order}, "
                f"{count} Taylor coefficients in one propagation"
            )


def _closure(indices: tuple[tuple[int, ...], ...]) -> set[tuple[int, ...]]:
    """Return all multi-indices at or below the given ones."""
    found: set[tuple[int, ...]] = set()
    waiting = list(indices)
    while waiting:
        index = waiting.pop()
        if index not in found:
            found.add(index)
            waiting += [(*index[:i], n - 1, *index[i + 1 :]) for i, n in enumerate(index) if n > 0]
    return found


def _network(trial: Trial) -> Iterator[str]:
    yield str(trial.network)
    yield f"{parameter_count(trial.initialise(0))} parameters"


def _points(config: RunConfig, trial: Trial) -> Iterator[str]:
    for requirement in trial.requirements:
        yield f"{requirement.name}: {requirement.place.count(config.points)}"


def _scales(trial: Trial) -> Iterator[str]:
    units = trial.problem.pde.units()
    for name, size in trial.scales.fields.items():
        yield f"{name}: size {size:.6g} [{units[name]}]"
    for name, size in trial.scales.residuals.items():
        yield f"{name}: residual over {size:.6g}"


def _automatic(options: Automatic) -> Iterator[str]:
    yield (
        f"auto: to a relative error of {options.tolerance:g}, nothing new after "
        f"{options.max_minutes:g} min, seed {options.seed}"
    )


def _solver(solver: Solver[Solution]) -> Iterator[str]:
    yield f"seed {solver.seed}, {solver.element_type}, {solver.thread_count} threads"
    yield from (str(stage) for stage in solver.schedule)

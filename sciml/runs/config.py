"""The configuration of a run: dataclasses that are the schema of its YAML file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from sciml.equations import (
    CONDITIONS,
    EQUATIONS,
    PDE,
    Condition,
    CustomPDE,
    Tabulated,
    UnknownParameter,
)
from sciml.equations.exact.clamped_plate import UniformClampedPlate
from sciml.equations.exact.disc import UniformDisc
from sciml.equations.exact.simply_supported_plate import UniformSimplySupportedPlate
from sciml.equations.exact.sine_plate import SinePlate
from sciml.equations.exact.sine_poisson import SinePoisson
from sciml.equations.exact.solution import ExactSolution
from sciml.equations.given import CoefficientSource
from sciml.framework.errors import ConfigError
from sciml.geometry import SHAPES, Geometry
from sciml.networks import ENRICHMENTS, MLP, NETWORKS, Enrichment, Network
from sciml.problem.known_values import KnownValues
from sciml.problem.points import Points
from sciml.problem.problem import Problem
from sciml.problem.solution import Solution
from sciml.training.balancers import BALANCERS, Balancer
from sciml.training.events import EarlyStopping
from sciml.training.optimisers import FIRST_ORDER, RATES, FirstOrder, Rate, Stage
from sciml.training.solver import Solver
from sciml.training.stages import STAGES

from .dump import plain
from .hints import ELSEWHERE
from .schema import Schema

Count = Annotated[int, Field(ge=1)]

SCHEMA = Schema(
    families={
        Geometry: SHAPES,
        PDE: {**EQUATIONS, "CustomPDE": CustomPDE},
        CoefficientSource: {"Tabulated": Tabulated, "UnknownParameter": UnknownParameter},
        Condition: CONDITIONS,
        ExactSolution: {
            "SinePlate": SinePlate,
            "SinePoisson": SinePoisson,
            "UniformClampedPlate": UniformClampedPlate,
            "UniformDisc": UniformDisc,
            "UniformSimplySupportedPlate": UniformSimplySupportedPlate,
        },
        Network: NETWORKS,
        Enrichment: ENRICHMENTS,
        Stage: STAGES,
        FirstOrder: FIRST_ORDER,
        Rate: RATES,
        Balancer: BALANCERS,
    },
    readers={complex: complex},
    elsewhere=ELSEWHERE,
)
"""What ``type: Name`` may choose in each place."""


@dataclass(frozen=True)
class SolverOptions:
    """How to train.

    Parameters
    ----------
    seed : int
        Seed of parameters and points, >= 0.
    dtype : str or None
        ``float32`` or ``float64``; None means float64 from the third derivative on.
    threads : int or None
        Threads of the compiled step; None means all cores.
    schedule : tuple of Stage
        Stages in order.
    weights : dict of str to float, or Balancer
        Factors of constraints in the loss by name, or what finds them while it trains.
    budget_s : float or None
        Largest time in steps [s].
    stop : EarlyStopping or None
        When training is good enough, or no longer gets better, judged at the rows of the history.
    """

    seed: Annotated[int, Field(ge=0)] = 0
    dtype: Literal["float32", "float64"] | None = None
    threads: Count | None = None
    schedule: tuple[Stage, ...] = tuple(Solver.schedule)
    weights: dict[str, float] | Balancer = field(default_factory=dict)
    budget_s: Annotated[float, Field(gt=0)] | None = None
    stop: EarlyStopping | None = None


@dataclass(frozen=True)
class Validation:
    """What to compare the result with.

    Parameters
    ----------
    reference : ExactSolution or None
        A known solution of `sciml.equations`; None gives a residual estimate instead.
    values : KnownValues or None
        Values known at some points, instead of a reference.
    grid : int
        Points per direction of the comparison, >= 2.
    """

    reference: ExactSolution | None = None
    values: KnownValues | None = None
    grid: Annotated[int, Field(ge=2)] = 101

    def __post_init__(self) -> None:
        """Refuse two things to compare with."""
        if self.reference is not None and self.values is not None:
            raise ConfigError("give a reference or values to compare with, not both")


@dataclass(frozen=True)
class Outputs:
    """What to write, and how often.

    Parameters
    ----------
    figures, fields, report : bool
        Whether to draw, to write the fields as NPZ and VTU files, and to write ``report.html``.
    record_every, checkpoint_every : int
        Steps between rows of the history and between checkpoints, >= 1.
    keep : int
        How many checkpoints to keep, >= 1.
    """

    figures: bool = True
    fields: bool = True
    report: bool = True
    record_every: Count = 10
    checkpoint_every: Count = 500
    keep: Count = 3


@dataclass(frozen=True)
class RunConfig:
    """Everything a run needs.

    Parameters
    ----------
    name, description : str
        What the problem is called, and one sentence about it.
    geometry, pde, conditions, network
        The problem and its trial space.
    points : Points
        Collocation points.
    solver, validation, outputs
        How to train, what to compare with and what to write.
    """

    name: str
    geometry: Geometry
    pde: PDE
    conditions: tuple[Condition, ...] = ()
    description: str = ""
    network: Network = field(default_factory=MLP)
    points: Points = field(default_factory=Points)
    solver: SolverOptions = field(default_factory=SolverOptions)
    validation: Validation = field(default_factory=Validation)
    outputs: Outputs = field(default_factory=Outputs)

    def __post_init__(self) -> None:
        """Refuse a name that is no file name."""
        if not self.name.replace("_", "").replace("-", "").isalnum():
            raise ConfigError(f"name must be letters, digits, - and _, got {self.name!r}")

    @cached_property
    def problem(self) -> Problem:
        """The problem this describes."""
        return Problem(self.geometry, self.pde, self.conditions)

    def build(self) -> Solver[Solution]:
        """Return the solver this describes."""
        options = self.solver
        return Solver(
            self.problem, self.network, options.schedule, self.points, options.weights,
            options.seed, options.dtype, options.threads,
        )  # fmt: skip


def to_plain(config: RunConfig) -> Mapping[str, object]:
    """Return a configuration as plain data."""
    content = plain(config, RunConfig, SCHEMA)
    assert isinstance(content, dict)
    return content


def resolved(config: RunConfig, solver: Solver[Solution]) -> RunConfig:
    """Return the configuration with every automatic choice written out."""
    options = replace(config.solver, dtype=solver.element_type, threads=solver.thread_count)
    return replace(config, solver=options)


def digest(config: RunConfig) -> str:
    """Return a fingerprint of what defines the loss, from a resolved configuration.

    A checkpoint with another fingerprint is refused.
    """
    content = to_plain(config)
    solver = content["solver"]
    assert isinstance(solver, dict)
    parts = [content[k] for k in ("geometry", "pde", "conditions", "network", "points")]
    parts += [solver[k] for k in ("seed", "dtype", "weights")]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

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
Seed = Annotated[int, Field(ge=0)]
Minutes = Annotated[float, Field(gt=0)]
_CHOSEN = ("network", "points")


@dataclass(frozen=True)
class Automatic:
    """Solve to a tolerance by methods that are chosen for the problem, as `sciml.solve` does.

    Parameters
    ----------
    tolerance : float
        Relative L2 error that is asked for, of the fields and of unknown numbers, in (0, 1).
    max_minutes : float
        Time after which nothing new is begun [min].
    seed : int
        Seed of all points and parameters, >= 0.
    """

    tolerance: Annotated[float, Field(gt=0, lt=1)] = 1e-6
    max_minutes: Minutes = 10.0
    seed: Seed = 0


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
        Automatic: {"auto": Automatic},
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
    max_minutes : float or None
        Largest time in steps [min].
    stop : EarlyStopping or None
        When training is good enough, or no longer gets better, judged at the rows of the history.
    """

    seed: Seed = 0
    dtype: Literal["float32", "float64"] | None = None
    threads: Count | None = None
    schedule: tuple[Stage, ...] = tuple(Solver.schedule)
    weights: dict[str, float] | Balancer = field(default_factory=dict)
    max_minutes: Minutes | None = None
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
    solver : SolverOptions or Automatic
        How to train; or ``auto``, which chooses network and points itself.
    validation, outputs
        What to compare with and what to write.
    """

    name: str
    geometry: Geometry
    pde: PDE
    conditions: tuple[Condition, ...] = ()
    description: str = ""
    network: Network = field(default_factory=MLP)
    points: Points = field(default_factory=Points)
    solver: Automatic | SolverOptions = field(default_factory=SolverOptions)
    validation: Validation = field(default_factory=Validation)
    outputs: Outputs = field(default_factory=Outputs)

    def __post_init__(self) -> None:
        """Refuse a name that is no file name."""
        if not self.name.replace("_", "").replace("-", "").isalnum():
            raise ConfigError(f"name must be letters, digits, - and _, got {self.name!r}")
        given = [key for key, value in zip(_CHOSEN, (MLP(), Points()), strict=True)
                 if getattr(self, key) != value]  # fmt: skip
        if isinstance(self.solver, Automatic) and given:
            dropped = " ".join(f"--set {key}=null" for key in given)
            raise ConfigError(
                f"solver auto chooses network and points itself; leave out {' and '.join(given)} "
                f"(on the command line: {dropped})"
            )

    @cached_property
    def problem(self) -> Problem:
        """The problem this describes."""
        return Problem(self.geometry, self.pde, self.conditions)

    def build(self) -> Solver[Solution]:
        """Return the solver this describes, of the defaults where it is still to be found."""
        options = self.solver if isinstance(self.solver, SolverOptions) else SolverOptions()
        return Solver(
            self.problem, self.network, options.schedule, self.points, options.weights,
            options.seed, options.dtype, options.threads,
        )  # fmt: skip


def to_plain(config: RunConfig) -> Mapping[str, object]:
    """Return a configuration as plain data, without what ``solver: auto`` chooses."""
    content = plain(config, RunConfig, SCHEMA)
    assert isinstance(content, dict)
    chosen = _CHOSEN if isinstance(config.solver, Automatic) else ()
    return {key: value for key, value in content.items() if key not in chosen}


def resolved(config: RunConfig, solver: Solver[Solution]) -> RunConfig:
    """Return the configuration with every automatic choice written out."""
    if isinstance(config.solver, Automatic):
        return config
    options = replace(config.solver, dtype=solver.element_type, threads=solver.thread_count)
    return replace(config, solver=options)


def digest(config: RunConfig) -> str:
    """Return a fingerprint of what defines the loss, from a resolved configuration.

    A checkpoint with another fingerprint is refused.
    """
    content = to_plain(config)
    solver = content["solver"]
    assert isinstance(solver, dict)
    parts = [content.get(k) for k in ("geometry", "pde", "conditions", *_CHOSEN)]
    parts += [solver.get(k) for k in ("seed", "dtype", "weights")]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

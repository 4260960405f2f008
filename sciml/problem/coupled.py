"""`CoupledProblem`: several problems, each with a network of its own, that meet at interfaces."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import sympy
from scipy.spatial import KDTree

from sciml.equations import Condition, Interface, LoweredResidual, lower
from sciml.equations.given import CoefficientSource
from sciml.equations.pde import CURVATURE, normal_symbols
from sciml.framework.errors import EquationError
from sciml.networks import Network, Parameters

from .constraint import Constraint, Residual, check_weights
from .points import Points
from .problem import Problem
from .scales import SAMPLE, largest_response
from .support import OnPart
from .trial import Requirement, Trial

if TYPE_CHECKING:
    from .coupled_solution import CoupledSolution

# How far points of one side may lie from the other, as a share of the size of the problem.
_NEAR = 1e-6
# Points that stand for a part where one looks whether another point lies on it.
_MANY = 4096


@dataclass(frozen=True)
class CoupledProblem:
    """Problems on domains that touch, each with its own equation, coefficients and network.

    Parameters
    ----------
    problems : Mapping of str to Problem
        The sub-problems by name; a name holds no dot.
    interfaces : sequence of Interface
        What is continuous where two of them meet.
    networks : Mapping of str to Network
        Networks of sub-problems that differ from that of the solver.

    Raises
    ------
    EquationError, GeometryError, ParseError
        When an interface names an unknown sub-problem, part or quantity, or joins a sub-problem to
        itself, or its first part does not lie on its second.

    Examples
    --------
    >>> from sciml.equations import Dirichlet, Poisson
    >>> from sciml.geometry import Interval
    >>> steel = Problem(Interval(0, 1), Poisson(0, 3, 1), [Dirichlet("u", "left", 1)])
    >>> copper = Problem(Interval(1, 2), Poisson(0, 1, 1), [Dirichlet("u", "right", 0)])
    >>> bond = Interface("steel.right", "copper.left", ("u", "k*u_n"))
    >>> CoupledProblem({"steel": steel, "copper": copper}, [bond]).missing_conditions()
    {}
    """

    problems: Mapping[str, Problem]
    interfaces: Sequence[Interface]
    networks: Mapping[str, Network] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check names, texts and places before anything is compiled."""
        object.__setattr__(self, "problems", MappingProxyType(dict(self.problems)))
        object.__setattr__(self, "interfaces", tuple(self.interfaces))
        dotted = [name for name in self.problems if "." in name or not name]
        if dotted or not self.problems:
            raise EquationError(
                f"CoupledProblem: names of sub-problems are words without a dot, got {dotted}"
            )
        for name, problem in self.problems.items():
            given: object = problem
            if not isinstance(given, Problem):
                raise EquationError(f"CoupledProblem: {name!r} must be a Problem, got {given!r}")
        for name in self.networks:
            self.named(name, "networks")
        for interface in self.interfaces:
            _check_place(self, interface)
            for number in (0, 1):
                problem, _ = self.part(interface, number)
                interface.side(problem.pde, number)
            for name, jump in zip(interface.names, interface.jumps, strict=True):
                self.part(interface, 0)[0].pde.expression(jump, f"jump of {name!r}")

    def part(self, interface: Interface, number: int) -> tuple[Problem, str]:
        """Return the sub-problem and its part of the first (0) or second (1) side."""
        name, _, part = (interface.first, interface.second)[number].partition(".")
        problem = self.named(name, f"interface {interface.first!r} - {interface.second!r}")
        problem.geometry.resolve(part)
        return problem, part

    def named(self, name: str, where: str) -> Problem:
        """Return a sub-problem, or say where the unknown name was given."""
        if name not in self.problems:
            raise EquationError(
                f"CoupledProblem: {where}: no sub-problem {name!r}, expected one of "
                f"{', '.join(self.problems)}"
            )
        return self.problems[name]

    @property
    def order(self) -> int:
        """Order of the highest derivative in the residuals."""
        return max(problem.order for problem in self.problems.values())

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions of all sub-problems."""
        return tuple(c for problem in self.problems.values() for c in problem.conditions)

    def missing_conditions(self) -> dict[str, int]:
        """Return how many conditions each part lacks, as `Problem` does; each side has half."""
        found = {
            f"{name}.{leaf}": count
            for name, problem in self.problems.items()
            for leaf, count in problem.missing_conditions().items()
        }
        for interface in self.interfaces:
            for number, full in enumerate((interface.first, interface.second)):
                problem, part = self.part(interface, number)
                name = full.partition(".")[0]
                for leaf in problem.geometry.resolve(part):
                    if f"{name}.{leaf}" in found:
                        found[f"{name}.{leaf}"] -= len(interface.quantities) // 2
        return {leaf: count for leaf, count in found.items() if count > 0}

    def free_constants(self) -> tuple[str, ...]:
        """Return nothing: interfaces tie the constants of sub-problems."""
        return ()

    def trial(self, network: Network) -> CoupledTrial:
        """Return the problems, each with a network in the place of its fields."""
        own = {n: p.trial(self.networks.get(n, network)) for n, p in self.problems.items()}
        # A domain without data of its own takes the sizes of fields from its neighbours.
        sizes: dict[str, float] = {}
        for trial in own.values():
            for name, size in trial.scales.implied.items():
                sizes[name] = max(size, sizes.get(name, 0.0))
        return CoupledTrial(self, {n: replace(t, sizes=sizes) for n, t in own.items()})


def _check_place(problem: CoupledProblem, interface: Interface) -> None:
    """Refuse an interface of one sub-problem, or whose first part does not lie on its second."""
    (first, part), (second, other) = (problem.part(interface, number) for number in (0, 1))
    if interface.first.partition(".")[0] == interface.second.partition(".")[0]:
        # Both sides would be one function, and the residual zero for every network.
        raise EquationError(
            f"interface {interface.first!r} - {interface.second!r}: both parts belong to one "
            "sub-problem; join two, or use Periodic"
        )
    if first.geometry.dimension != second.geometry.dimension:
        raise EquationError(
            f"interface {interface.first!r} - {interface.second!r}: "
            f"{first.geometry.dimension} against {second.geometry.dimension} coordinates"
        )
    lower, upper = map(np.asarray, first.geometry.bounding_box)
    X = first.geometry.sample_boundary(part, 64).points
    nearest, _ = KDTree(second.geometry.sample_boundary(other, _MANY).points).query(X)
    spacing = second.geometry.boundary_measure(other) / _MANY
    # A part is known by its points, so a place beyond its end is seen if it is not too near.
    beyond = nearest > 4 * spacing ** (1 / max(1, first.geometry.dimension - 1)) + _NEAR
    away = np.abs(np.asarray(second.geometry.signed_distance(X)))
    wrong = np.flatnonzero(beyond | (away > _NEAR * (upper - lower).max()))
    if len(wrong):
        raise EquationError(
            f"interface {interface.first!r} - {interface.second!r}: the first part does not lie on "
            f"the second, for example at {tuple(X[wrong[0]].round(6).tolist())}; exchange them if "
            "the second is the shorter one"
        )


@dataclass(frozen=True)
class Joint:
    """One quantity of an interface on both sides, as residuals on the same points.

    Parameters
    ----------
    name : str
        What the constraint is called.
    owners : pair of str
        Names of the two sub-problems.
    sides : pair of Requirement
        The quantity less the jump on the first part, and the quantity of the second.
    """

    name: str
    owners: tuple[str, str]
    sides: tuple[Requirement, Requirement]

    def values(
        self, trials: Mapping[str, Trial], parameters: Any, arrays: Sequence[Any]
    ) -> tuple[Any, Any]:
        """Return both sides at points, each of shape (n,)."""
        found = []
        for owner, side in zip(self.owners, self.sides, strict=True):
            trial, own = trials[owner], parameters[owner]
            found.append(side.residual(trial.fields(own), arrays, trial.split(own)[1]))
        return found[0], found[1]


@dataclass(frozen=True)
class CoupledTrial:
    """The trial spaces of a coupled problem.

    Parameters
    ----------
    problem : CoupledProblem
        What is to be solved.
    trials : Mapping of str to Trial
        The trial space of each sub-problem.
    """

    problem: CoupledProblem
    trials: Mapping[str, Trial]

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """The residuals of the interfaces."""
        return tuple(j for interface in self.problem.interfaces for j in self._joints(interface))

    def _joints(self, interface: Interface) -> Iterator[Joint]:
        (one, part), (two, _) = (self.problem.part(interface, number) for number in (0, 1))
        owners = interface.first.partition(".")[0], interface.second.partition(".")[0]
        expressions = zip(
            interface.names, interface.side(one.pde, 0), interface.side(two.pde, 1),
            interface.jumps, strict=True,
        )  # fmt: skip
        for name, a, b, jump in expressions:
            less = a - one.pde.expression(jump, name)
            sides = tuple(
                Requirement(name, OnPart(part), _lowered(problem, name, side))
                for problem, side in ((one, less), (two, b))
            )
            yield Joint(f"{interface.first}: {name}", owners, (sides[0], sides[1]))

    @property
    def coefficients(self) -> dict[str, CoefficientSource]:
        """The coefficients that are found by training, after the name of their sub-problem."""
        return {
            f"{name}.{letter}": source
            for name, trial in self.trials.items()
            for letter, source in trial.coefficients.items()
        }

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return fresh parameters by name of sub-problem."""
        # A seed of its own for each, or equal networks would start as equal functions.
        count = len(self.trials)
        return {
            name: trial.initialise(seed * count + i, dtype)
            for i, (name, trial) in enumerate(self.trials.items())
        }

    def solution(self, parameters: Parameters) -> CoupledSolution:
        """Return the solution with given parameters."""
        from .coupled_solution import CoupledSolution

        own = {name: trial.solution(parameters[name]) for name, trial in self.trials.items()}
        return CoupledSolution(self, own)

    def constraints(
        self, points: Points, seed: int, weights: Mapping[str, float]
    ) -> list[Constraint]:
        """Return the constraints of all sub-problems, after their names, and of the interfaces.

        Raises
        ------
        ConfigError
            When a weight names none, or is not positive.
        """
        for part in points.parts:
            self.problem.named(part.partition(".")[0], f"points on {part!r}")
        on_joints = [interface.first for interface in self.problem.interfaces]
        found = [
            replace(c, name=f"{name}.{c.name}", residual=_of(name, c.residual))
            for name, trial in self.trials.items()
            for c in trial.constraints(_within(points, name, on_joints), seed, {})
        ]
        found += [self._constraint(joint, points, seed) for joint in self.joints]
        check_weights(weights, [c.name for c in found])
        return [replace(c, weight=weights.get(c.name, 1.0)) for c in found]

    def _constraint(self, joint: Joint, points: Points, seed: int) -> Constraint:
        first = self.trials[joint.owners[0]].problem.geometry
        factor = 1.0 / self.sizes[joint.name]

        def residual(parameters: Parameters, *arrays: Any) -> Any:
            a, b = joint.values(self.trials, parameters, arrays)
            return (a - b) * factor

        side = joint.sides[0]
        arrays = side.arrays(first, _within(points, joint.owners[0]), seed)
        return Constraint(joint.name, residual, arrays, supply=side.supply(first))

    @cached_property
    def sizes(self) -> dict[str, float]:
        """Size of each quantity on the interfaces, in its unit: the largest of smooth fields."""
        found = {}
        for joint in self.joints:
            first = self.trials[joint.owners[0]].problem.geometry
            arrays = joint.sides[0].arrays(first, SAMPLE, 0)
            found[joint.name] = max(
                largest_response(self.trials[owner], side, arrays)
                for owner, side in zip(joint.owners, joint.sides, strict=True)
            ) or 1.0  # fmt: skip
        return found


def _within(points: Points, name: str, without: Collection[str] = ()) -> Points:
    """Return the counts of a sub-problem, whose parts are named after it."""
    own = {
        part.removeprefix(f"{name}."): count
        for part, count in points.parts.items()
        if part.startswith(f"{name}.") and part not in without
    }
    return replace(points, parts=own)


def _lowered(problem: Problem, name: str, expression: sympy.Expr) -> LoweredResidual:
    """Lower one side with all symbols of a boundary, so that both sides take the same arrays."""
    pde = problem.pde
    return lower(
        {name: expression}, pde.coordinates, pde.fields,
        (*normal_symbols(pde.coordinates), CURVATURE),
    )  # fmt: skip


def _of(name: str, residual: Residual) -> Residual:
    def own(parameters: Parameters, *arrays: Any) -> Any:
        return residual(parameters[name], *arrays)

    return own

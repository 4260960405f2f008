"""A problem with a network for its fields: scales, constraints and values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sciml.equations import Data, LoweredResidual, SoftResidual, lower
from sciml.equations.conditions.data import MEASURED
from sciml.equations.declarations import declared
from sciml.equations.given import CoefficientSource, GivenFunction, sources, trained
from sciml.equations.pde import CURVATURE, normal_symbols
from sciml.equations.unknown import UnknownParameter
from sciml.framework.core.tree import map_leaves
from sciml.framework.errors import ConfigError, EquationError
from sciml.geometry import Geometry
from sciml.networks import Fields, Network, Parameters
from sciml.networks.smoothness import continuous_derivatives

from .constraint import Array, Constraint, Supply, check_weights
from .points import Points
from .problem import Problem
from .scales import Scales, find_scales
from .support import Inside, OnPart, OverPart, Support, support_of

if TYPE_CHECKING:
    from .solution import Solution

FieldFunction = Callable[[Any], Any]


@dataclass(frozen=True)
class Requirement:
    """A residual with the place where it holds, lowered to a function of points.

    Parameters
    ----------
    name : str
        Such as ``plate`` inside or ``edges: M_n`` on a part.
    place : Support
        Inside, on a part of the boundary, over a part as an integral, or at given points.
    lowered : LoweredResidual
        The residual; its parameters belong to the place, such as components of the normal.
    """

    name: str
    place: Support
    lowered: LoweredResidual

    def arrays(self, geometry: Geometry, points: Points, seed: int) -> tuple[Array, ...]:
        """Return points of shape (n, d), and values of shape (n,) for each parameter."""
        arrays = self.place.arrays(geometry, points, seed, self.lowered)
        self.lowered.check(arrays[0])
        return arrays

    def supply(self, geometry: Geometry) -> Supply | None:
        """Return where other points come from, None where they cannot be others."""
        if not self.place.movable:
            return None

        def draw(n: int, seed: int, sampler: str) -> tuple[Array, ...]:
            return self.arrays(geometry, Points(n, n, sampler), seed)

        inside = isinstance(self.place, Inside)
        return Supply(self.lowered.coordinates, draw, geometry.signed_distance, inside)

    def residual(
        self,
        fields: Mapping[str, FieldFunction],
        arrays: Sequence[Any],
        found: Mapping[str, Any] = MappingProxyType({}),
    ) -> Any:
        """Return the residual at points, shape (n,), in its own unit; shape () for an integral.

        Parameters
        ----------
        fields : Mapping of str to function
            The fields.
        arrays : sequence of arrays
            Points and what else belongs to the place.
        found : Mapping of str to nested arrays
            Parameters of trained coefficients; those not given have what they start from.
        """
        X, parameters = arrays[0], self.lowered.parameters
        given = dict(zip(parameters, arrays[1:], strict=False))
        (value,) = evaluate(self.lowered, fields, X, found, given).values()
        return self.place.reduce(value, arrays[1 + len(parameters) :])


def evaluate(
    lowered: LoweredResidual,
    fields: Mapping[str, FieldFunction],
    X: Any,
    found: Mapping[str, Any],
    arrays: Mapping[str, Any] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return lowered expressions at points, with trained coefficients where they occur."""
    used = {name: fields[name] for name in lowered.derivatives if name in fields}
    used |= {n: lowered.function(n, p) for n, p in found.items() if n in lowered.functions}
    numbers = {n: lowered.unknowns[n].value(z) for n, z in found.items() if n in lowered.unknowns}
    return lowered(used, X, **arrays, **numbers)


@dataclass(frozen=True)
class Trial:
    """The trial space of a problem.

    Parameters
    ----------
    problem : Problem
        What is to be solved.
    network : Network
        Sized for the problem: one output per field.
    sizes : Mapping of str to float
        Sizes of fields that are known from elsewhere, in their units; the data of the problem may
        imply larger ones.
    """

    problem: Problem
    network: Network
    sizes: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse networks of other fields, or with too few continuous derivatives."""
        if isinstance(self.network, Fields):
            self.network.check_fields([f.func.__name__ for f in self.problem.pde.fields])
        order, smooth = self.problem.order, continuous_derivatives(self.network)
        if smooth is not None and smooth < order:
            raise ConfigError(
                f"{type(self.network).__name__}: splines of degree {smooth + 1} have {smooth} "
                f"continuous derivatives, the equation is of order {order}; give degree={order + 1}"
            )

    @cached_property
    def requirements(self) -> tuple[Requirement, ...]:
        """The residuals inside, then those of the conditions that are not exact by form."""
        pde = self.problem.pde
        inside = [
            Requirement(name, Inside(), lower({name: r}, pde.coordinates, pde.fields))
            for name, r in pde.residuals().items()
        ]
        return (*inside, *(self._soft(s) for form in self.problem.forms for s in form.soft))

    def _soft(self, soft: SoftResidual) -> Requirement:
        pde = self.problem.pde
        expression = soft.expression(pde)
        symbols = (*normal_symbols(pde.coordinates), CURVATURE, MEASURED)
        used = [s for s in symbols if s in expression.free_symbols]
        name = f"{soft.where}: {soft.name}"
        return Requirement(
            name,
            support_of(soft.condition),
            lower({name: expression}, pde.coordinates, pde.fields, used),
        )

    @cached_property
    def coefficients(self) -> dict[str, CoefficientSource]:
        """The coefficients that are found by training, by name.

        Raises
        ------
        EquationError
            If two have one name, or one is in the form of a trial function, which is fixed.
        """
        pde, forms = self.problem.pde, self.problem.forms
        for form in forms:
            for name in trained(form.expression):
                raise EquationError(
                    f"the coefficient {name!r} is trained, but the trial function of "
                    f"{form.field.func.__name__!r} holds it; give the condition hard=False or "
                    "impose it by Operator"
                )
        soft = [s.expression(pde) for form in forms for s in form.soft]
        return trained(*pde.residuals().values(), *soft)

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return fresh parameters of the network, and of the trained coefficients where there are.

        The latter are a pair of the network's parameters and those of the coefficients by name.
        """
        network = self.network.initialise(seed, dtype)
        if not self.coefficients:
            return network
        started = {name: source.initialise() for name, source in self.coefficients.items()}
        return network, map_leaves(lambda leaf: np.asarray(leaf, dtype=dtype), started)

    @cached_property
    def measurements(self) -> tuple[str, ...]:
        """Names of the requirements that are measured values of fields."""
        return tuple(
            f"{s.where}: {s.name}"
            for form in self.problem.forms
            for s in form.soft
            if isinstance(s.condition, Data)
        )

    def solution(self, parameters: Parameters) -> Solution:
        """Return the solution with given parameters."""
        from .solution import Solution

        return Solution(self, parameters)

    def split(self, parameters: Parameters) -> tuple[Parameters, Mapping[str, Parameters]]:
        """Return the parameters of the network and those of the trained coefficients by name."""
        return parameters if self.coefficients else (parameters, {})

    def numbers(self, parameters: Parameters) -> dict[str, Any]:
        """Return the values of the unknown numbers, shape (), by name."""
        found = self.split(parameters)[1]
        return {
            name: source.value(found[name])
            for name, source in self.coefficients.items()
            if isinstance(source, UnknownParameter)
        }

    @cached_property
    def scales(self) -> Scales:
        """Sizes of fields and residuals, from the data of the problem."""
        return find_scales(self)

    def bind(self, raw: Sequence[FieldFunction]) -> dict[str, FieldFunction]:
        """Return the fields from raw functions of points, one per field."""
        forms = self.problem.forms
        return {
            form.field.func.__name__: form.bind(function)
            for form, function in zip(forms, raw, strict=True)
        }

    def fields(self, parameters: Parameters) -> dict[str, FieldFunction]:
        """Return each field as a function from X of shape (n, d) to values of shape (n,)."""
        sizes = [self.scales.outputs[f.field.func.__name__] for f in self.problem.forms]
        return self.bind([self._output(parameters, k, size) for k, size in enumerate(sizes)])

    def _output(self, parameters: Parameters, k: int, size: float) -> FieldFunction:
        def raw(X: Any) -> Any:
            return self.network(self.split(parameters)[0], X)[:, k] * size

        return raw

    def constraints(
        self, points: Points, seed: int, weights: Mapping[str, float]
    ) -> list[Constraint]:
        """Return the requirements at sampled points, divided by their scales.

        Raises
        ------
        ConfigError
            When a weight names no requirement, or is not positive.
        """
        check_weights(weights, [r.name for r in self.requirements])
        self._check_parts(points)
        return [
            Constraint(
                r.name, self._scaled(r), r.arrays(self.problem.geometry, points, seed),
                weights.get(r.name, 1.0), r.supply(self.problem.geometry),
            )
            for r in self.requirements
        ]  # fmt: skip

    def _check_parts(self, points: Points) -> None:
        """Refuse a number of points for a part that no softly imposed condition names."""
        used = [r.place.part for r in self.requirements if isinstance(r.place, OnPart | OverPart)]
        for part in points.parts:
            if part not in used:
                raise ConfigError(
                    f"Points: no condition in the loss is on {part!r}; such conditions are on "
                    f"{', '.join(dict.fromkeys(used)) or 'no part'}"
                )

    def _scaled(self, requirement: Requirement) -> Callable[..., Any]:
        factor = 1.0 / self.scales.residuals[requirement.name]

        def residual(parameters: Parameters, *arrays: Any) -> Any:
            found = self.split(parameters)[1]
            return requirement.residual(self.fields(parameters), arrays, found) * factor

        return residual

    @cached_property
    def quantities(self) -> dict[str, Any]:
        """Expressions of fields, derived quantities and trained functions by name."""
        pde = self.problem.pde
        named = sources(*pde.residuals().values())
        functions = {
            name: node
            for name, node in named.items()
            if isinstance(node, GivenFunction) and name in self.coefficients
        }
        return {f.func.__name__: f for f in pde.fields} | pde.derived() | functions

    @property
    def units(self) -> dict[str, str]:
        """Units of coordinates and quantities; of a trained function the one it is declared in."""
        pde = self.problem.pde
        letters = {d.symbol: d.unit for d in declared(pde).values()}
        found = {name: letters.get(name, "-") for name in self.coefficients}
        return found | pde.units()

    def evaluate(self, parameters: Parameters, names: Sequence[str], X: Array) -> dict[str, Array]:
        """Return fields or derived quantities at X of shape (n, d), each of shape (n,).

        Raises
        ------
        EquationError
            When a name is not known.
        """
        lowered = self._lowered(names)
        lowered.check(X)
        found = evaluate(lowered, self.fields(parameters), X, self.split(parameters)[1])
        return {n: np.asarray(v) for n, v in found.items()}

    def quantity(self, name: str) -> Callable[[Parameters, Any], Any]:
        """Return a quantity as a function of parameters and points, to differentiate and compile.

        Raises
        ------
        EquationError
            When the name is not known.
        """
        lowered = self._lowered((name,))

        def values(parameters: Parameters, X: Any) -> Any:
            return evaluate(lowered, self.fields(parameters), X, self.split(parameters)[1])[name]

        return values

    def _lowered(self, names: Sequence[str]) -> LoweredResidual:
        known = self.quantities
        for name in names:
            if name not in known:
                raise EquationError(f"no quantity {name!r}; known are {', '.join(known)}")
        pde = self.problem.pde
        return lower({n: known[n] for n in names}, pde.coordinates, pde.fields)


def double(parameters: Parameters) -> Parameters:
    """Return parameters in float64."""
    return map_leaves(lambda leaf: np.asarray(leaf, dtype=np.float64), parameters)


def residual_sizes(constraints: Sequence[Constraint], parameters: Parameters) -> dict[str, float]:
    """Return the root mean square of each residual, over its scale."""
    exact = double(parameters)
    return {
        c.name: float(np.sqrt(np.mean(np.asarray(c.residual(exact, *c.arrays)) ** 2)))
        for c in constraints
    }

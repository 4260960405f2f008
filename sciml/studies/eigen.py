"""Eigenproblems: frequencies, buckling loads and their shapes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np
import sympy

from sciml.equations.given import UnknownSymbol
from sciml.equations.unknown import UnknownParameter
from sciml.framework.errors import ConfigError, EquationError, GeometryError
from sciml.networks import Network, Parameters
from sciml.problem.constraint import Array, Constraint, Residual
from sciml.problem.points import Points
from sciml.problem.problem import Problem
from sciml.problem.solution import Solution
from sciml.problem.trial import Requirement, Trial
from sciml.training.session import Packing, one_blas_thread

from .pencil import Pencil
from .rows import linearised

# Root mean square residual, over lambda, above which a guess is none.
_POOR = 0.1
# Gauss points along each coordinate for the size of a mode.
_NODES = 24
_ROUNDING = 1e-8


@final
@dataclass(frozen=True)
class Mode:
    """An eigenvalue with its function.

    Parameters
    ----------
    value : float
        The unknown number, such as an angular frequency, in its unit.
    residual : float
        Root mean square of the equations at fresh points, over that of the term with the
        eigenvalue. In a self-adjoint problem whose conditions hold exactly there is an eigenvalue
        at most this far away, relatively (Krylov and Weinstein); usually its square is nearer.
    solution : Solution
        Its shape, positive where it is largest. The integral of its squared fields is 1, by
        quadrature or, where the geometry has no rule, by the mean at points inside.
    """

    value: float
    residual: float
    solution: Solution


def eigen(
    problem: Problem,
    network: Network,
    count: int = 1,
    points: Points | None = None,
    seed: int = 0,
) -> list[Mode]:
    """Return the eigenvalues of smallest size of a linear problem, with their functions.

    The eigenvalue is an `UnknownParameter` among the coefficients, in the equation or a condition:
    of `PlateMode` its frequency, of `PlateBuckling` a thrust. All residuals must be linear in the
    fields and zero for zero fields, and a power of the eigenvalue may stand in them linearly:
    A(u) - lambda^p B(u) = 0.

    Parameters
    ----------
    problem : Problem
        Geometry, PDE and conditions.
    network : Network
        A trial space that is linear in its parameters, such as `RandomFeatures` or
        `SpectralFeatures`.
    count : int
        How many, counted with multiplicity, >= 1; only those between the bounds of the unknown.
    points : Points or None
        Counts of collocation points; None takes four inside and one on each part for every
        function.
    seed : int
        Seed of the points, >= 0.

    Returns
    -------
    list of Mode
        By rising size of the eigenvalue.

    Raises
    ------
    EquationError
        If there is not exactly one unknown, or the problem is not of this form.
    ConfigError
        If the network is not linear in its parameters, or too few eigenvalues are resolved.

    References
    ----------
    Betcke and Trefethen (2005), SIAM Rev. 47, 469; Weinstein and Stenger (1972), Methods of
    Intermediate Problems for Eigenvalues, for the bound.

    Examples
    --------
    A string: u'' + k^2 u = 0, u(0) = u(1) = 0 has k = pi, 2 pi, ...

    >>> from sciml import Problem, SpectralFeatures
    >>> from sciml.equations import CustomPDE, Dirichlet, UnknownParameter
    >>> from sciml.geometry import Interval
    >>> string = CustomPDE({"r": "u__x__x + k^2*u"}, "x", "u", {"k": UnknownParameter(1.0)})
    >>> ends = [Dirichlet("u", "left"), Dirichlet("u", "right")]
    >>> modes = eigen(Problem(Interval(0, 1), string, ends), SpectralFeatures(degrees=20), count=2)
    >>> [round(mode.value / np.pi, 9) for mode in modes]
    [1.0, 2.0]
    """
    if count < 1:
        raise ConfigError(f"eigen: count must be 1 or more, got {count}")
    trial = problem.trial(network)
    name, unknown, power = _eigenvalue(trial)
    system = _System(trial, name, power)
    points = points or Points(4 * system.size, max(system.size, 32))
    with one_blas_thread():
        pencil, fresh = system.pencil(points, seed), system.pencil(points, seed + 1)
        modes: list[Mode] = []
        for cluster in pencil.clusters():
            if len(modes) >= count:
                break
            if not cluster.residual < _POOR:
                continue
            for value, vector in zip(cluster.values, cluster.vectors.T, strict=True):
                root = _root(float(value), power, pencil.size)
                low, high = unknown.range
                if root is not None and low < root < high:
                    number = np.asarray(unknown.parameter(root))
                    modes.append(system.mode(float(value), number, vector, fresh))
    if len(modes) < count:
        raise ConfigError(
            f"eigen: {len(modes)} eigenvalues are resolved, expected {count}; give the network "
            "more functions, or points more, or the unknown wider bounds"
        )
    return sorted(modes[:count], key=lambda mode: abs(mode.value))


@dataclass(frozen=True)
class _System:
    """The residuals of a problem as matrices, for a power of one unknown."""

    trial: Trial
    name: str
    power: int

    @cached_property
    def packing(self) -> Packing:
        return Packing(self.trial.network.initialise(0, np.float64))

    @property
    def size(self) -> int:
        """The number of functions."""
        return int(self.packing.pack(self.packing.example).size)

    def pencil(self, points: Points, seed: int) -> Pencil:
        """Return the matrices at sampled points.

        Raises
        ------
        EquationError
            If a residual is not zero for zero fields.
        ConfigError
            If one is not linear in the parameters.
        """
        geometry, scales = self.trial.problem.geometry, self.trial.scales.residuals
        pencil: list[tuple[Array, Array]] = []
        without: list[Array] = []
        for requirement in self.trial.requirements:
            arrays = requirement.arrays(geometry, points, seed)
            A = self._jacobian(self._residual(requirement, 0.0), arrays)
            factor = 1.0 / scales[requirement.name]
            if self.name in requirement.lowered.unknowns:
                AB = self._jacobian(self._residual(requirement, 1.0), arrays)
                pencil.append((factor * A, factor * (A - AB)))
            else:
                without.append(factor * A)
        X = geometry.sample_interior(points.interior, points.sampler, seed)
        A, B = (np.concatenate(blocks) for blocks in zip(*pencil, strict=True))
        C = np.concatenate([np.zeros((0, self.size)), *without])
        return Pencil(A, B, C, self.values(X))

    def values(self, X: Array) -> Array:
        """Return the values of all fields, over the root of the number of points."""
        names = [form.field.func.__name__ for form in self.trial.problem.forms]
        return np.concatenate([self._jacobian(self._field(name), (X,)) for name in names])

    def mode(self, value: float, number: Array, vector: Array, fresh: Pencil) -> Mode:
        """Return the mode of an eigenvalue, with the parameter of the unknown and coefficients."""
        vector = vector / self._norm(vector)
        solution = self.trial.solution((self.packing.unpack(vector), {self.name: number}))
        return Mode(solution.identified[self.name], fresh.residual(value, vector), solution)

    def _norm(self, vector: Array) -> float:
        """Return the root of the integral of the squared fields, with the sign of the largest."""
        geometry = self.trial.problem.geometry
        try:
            rule = geometry.quadrature(_NODES)
            X, weights = rule.points, rule.weights
        except GeometryError:  # shapes without a rule
            X = geometry.sample_interior(_NODES**geometry.dimension * 4)
            weights = np.full(len(X), geometry.measure / len(X))
        values = self.values(X) @ vector * np.sqrt(len(X))
        norm = float(np.sqrt(np.sum(values.reshape(-1, len(X)) ** 2 * weights)))
        return float(np.sign(values[np.argmax(np.abs(values))])) * norm

    def _field(self, name: str) -> Residual:
        def values(parameters: Parameters, X: Any) -> Any:
            return self.trial.fields((parameters, {}))[name](X)

        return values

    def _residual(self, requirement: Requirement, number: float) -> Residual:
        """Return a residual with a value of the power of the unknown."""
        lowered = requirement.lowered
        numbers = {self.name: number} if self.name in lowered.unknowns else {}

        def residual(parameters: Parameters, X: Any, *rest: Any) -> Any:
            fields = self.trial.fields((parameters, {}))
            given = dict(zip(lowered.parameters, rest, strict=False))
            (value,) = lowered(fields, X, **given, **numbers).values()
            return requirement.place.reduce(value, rest[len(given) :])

        return residual

    def _jacobian(self, residual: Residual, arrays: tuple[Array, ...]) -> Array:
        """Return the matrix of a linear residual, over the root of its rows, refusing others."""
        zero = self.packing.unpack(np.zeros(self.size))
        some = np.random.default_rng(0).normal(size=self.size)
        r, J = linearised(Constraint("eigen", residual, arrays), zero)
        moved = np.asarray(residual(self.packing.unpack(some), *arrays)) / np.sqrt(len(r))
        size = float(np.max(np.abs(J)) * np.sqrt(self.size)) or 1.0
        if np.max(np.abs(r)) > _ROUNDING * size:
            raise EquationError(
                "eigen: a residual is not zero for zero fields; sources and prescribed values of "
                "an eigenproblem must be zero"
            )
        if np.max(np.abs(moved - J @ some)) > _ROUNDING * size:
            raise ConfigError(
                f"eigen: {type(self.trial.network).__name__} or the equation is not linear in the "
                "parameters; give a network that is, such as RandomFeatures or SpectralFeatures"
            )
        return J


def _eigenvalue(trial: Trial) -> tuple[str, UnknownParameter, int]:
    """Return name, source and power of the one unknown.

    Raises
    ------
    EquationError
        If there is another number of unknowns, or the problem is not linear in a power of it.
    """
    found = trial.coefficients
    if len(found) != 1 or not isinstance(next(iter(found.values())), UnknownParameter):
        raise EquationError(
            f"eigen: expected one UnknownParameter as the eigenvalue, got {', '.join(found) or 0}"
        )
    ((name, source),) = found.items()
    pde, forms = trial.problem.pde, trial.problem.forms
    soft = [s.expression(pde) for form in forms for s in form.soft]
    powers: set[int] = set()
    for residual in (*pde.residuals().values(), *soft):
        for symbol in residual.atoms(UnknownSymbol):
            plain = sympy.Dummy()
            try:
                terms = sympy.Poly(sympy.expand(residual.doit().xreplace({symbol: plain})), plain)
            except sympy.PolynomialError:
                powers.add(-1)
            else:
                powers |= {power for (power,) in terms.monoms()}
    powers -= {0}
    if len(powers) != 1 or min(powers) < 1:
        raise EquationError(
            f"eigen: one power of {name} must stand in the residuals linearly, such as {name} or "
            f"{name}^2 alone; got the powers {sorted(powers)}"
        )
    assert isinstance(source, UnknownParameter)
    return name, source, powers.pop()


def _root(value: float, power: int, size: float) -> float | None:
    """Return the real root that is not negative, or of an odd power the real one; None if none.

    What is nothing beside the size of eigenvalues is zero.
    """
    if abs(value) < _ROUNDING * size:
        return 0.0
    if power % 2:
        return float(np.sign(value) * abs(value) ** (1 / power))
    return float(value ** (1 / power)) if value >= 0.0 else None

"""A prepared training: constraints, compiled step and parameters as one flat vector."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
import numpy.typing as npt

import sciml.framework as fw
from sciml.framework.core.tree import flatten, unflatten
from sciml.framework.errors import ConfigError, NonFiniteError
from sciml.networks import Parameters
from sciml.problem.constraint import (
    Array,
    Constraint,
    all_arrays,
    part_losses,
    total_loss,
    weighted_loss,
)
from sciml.problem.trial import double

from .balancers import Balancer, PartGradients, View, Weighing, even
from .linearised import Linearised
from .optimisers import ShapedLoss, Vector
from .optimisers.matrixwise import Shapes
from .optimisers.squares import Matrix, SumOfSquares
from .resampling import Cloud, Importance, Resampling

# Points whose residuals are looked at at once.
BLOCK = 4096


@dataclass
class Packing:
    """Nested parameters as one float64 vector, in a fixed order.

    Parameters
    ----------
    example : Parameters
        Parameters whose structure, shapes and element types are kept.
    """

    example: Parameters

    def __post_init__(self) -> None:
        leaves, self._structure = flatten(self.example)
        self._leaves = [np.asarray(leaf) for leaf in leaves]
        self._ends = np.cumsum([leaf.size for leaf in self._leaves])

    @property
    def shapes(self) -> Shapes:
        """The shapes of the arrays, in the order of the vector."""
        return tuple(leaf.shape for leaf in self._leaves)

    def pack(self, parameters: Parameters) -> Vector:
        """Return the vector, shape (n,)."""
        leaves, _ = flatten(parameters)
        return np.concatenate([np.asarray(leaf, dtype=np.float64).ravel() for leaf in leaves])

    def unpack(self, x: Vector) -> Parameters:
        """Return the nested parameters, rounded to their own element types."""
        pieces = np.split(x, self._ends[:-1])
        leaves = [
            piece.reshape(leaf.shape).astype(leaf.dtype)
            for piece, leaf in zip(pieces, self._leaves, strict=True)
        ]
        return unflatten(self._structure, leaves)


def like(given: Parameters, example: Parameters) -> Parameters:
    """Return given parameters in the element types of others of the same structure and shapes.

    Raises
    ------
    ConfigError
        If structure or shapes differ.
    """
    (leaves, structure), (wanted, expected) = flatten(given), flatten(example)
    shapes, due = [np.shape(leaf) for leaf in leaves], [np.shape(leaf) for leaf in wanted]
    if structure != expected or shapes != due:
        raise ConfigError(
            f"the initial parameters have the shapes {shapes}, the network has {due}; give those "
            "of a network of the same sizes"
        )
    pairs = zip(leaves, wanted, strict=True)
    return unflatten(expected, [np.asarray(a, dtype=np.asarray(b).dtype) for a, b in pairs])


@dataclass(frozen=True)
class SessionLoss(SumOfSquares, ShapedLoss):
    """The loss of a session at its present points, as optimisers see it.

    Parameters
    ----------
    session : Session
        Constraints and compiled functions.
    """

    session: Session

    def __call__(self, x: Vector) -> tuple[float, Vector]:
        """Return the loss and its gradient of shape (n,)."""
        return self.session.objective(x)

    def residuals(self, x: Vector) -> Vector:
        """Return the weighted residuals, shape (m,)."""
        return self.session.linearised.residuals(*self._at(x))

    def linearise(self, x: Vector) -> tuple[Vector, Matrix]:
        """Return the weighted residuals of shape (m,) and their Jacobian of shape (m, n)."""
        return self.session.linearised.linearise(*self._at(x))

    def _at(self, x: Vector) -> tuple[Parameters, list[Array], list[tuple[Array, ...]]]:
        session = self.session
        return session.packing.unpack(x), session.weights, [c.arrays for c in session.constraints]

    @property
    def shapes(self) -> Shapes:
        """The shapes of the arrays of parameters, in order."""
        return self.session.packing.shapes


@dataclass
class Session:
    """Loss and gradient of a list of constraints, ready for an optimiser.

    Parameters
    ----------
    constraints : sequence of Constraint
        What is to be satisfied.
    initial : Parameters
        Where training starts.
    dtype : data type
        Element type of points and parameters.
    threads : int or None
        Threads of the compiled step; None uses all cores.
    balancer : Balancer or None
        What finds the weights; None keeps those of the constraints.
    """

    constraints: Sequence[Constraint]
    initial: Parameters
    dtype: npt.DTypeLike = np.float64
    threads: int | None = None
    balancer: Balancer | None = None
    packing: Packing = field(init=False)

    def __post_init__(self) -> None:
        """Prepare the functions; they compile when first called."""
        self.constraints = [c.cast(self.dtype) for c in self.constraints]
        self.packing = Packing(self.initial)
        self._arrays: list[Array] = all_arrays(self.constraints)
        self._found = even(self.constraints)
        # fixed weights are constants of the step, others are arguments
        loss = total_loss if self.balancer is None else weighted_loss
        gradient = fw.value_and_grad(loss(self.constraints), allow_unused=True)
        self.step = fw.jit(gradient, threads=self.threads)
        self.linearised = Linearised(self.constraints, self.threads)
        self._gradients = PartGradients(self.constraints, self.threads)
        self._parts = fw.jit(part_losses(self.constraints), threads=self.threads)

    @property
    def start(self) -> Vector:
        """The initial parameters, shape (n,)."""
        return self.packing.pack(self.initial)

    @property
    def compile_time_s(self) -> float:
        """Time spent compiling so far [s]."""
        functions = (self.step, self._parts, self.linearised, self._gradients)
        return float(sum(f.compile_time_s for f in functions))

    def objective(self, x: Vector) -> tuple[float, Vector]:
        """Return the loss and its gradient of shape (n,) at parameters of shape (n,)."""
        value, gradient = self.step(self.packing.unpack(x), *self._arguments)
        return float(value), self.packing.pack(gradient)

    @property
    def weights(self) -> list[Array]:
        """The weights in force, of shape () or (points,) for each constraint."""
        pairs = zip(self.constraints, self._found, strict=True)
        return [np.asarray(c.weight * found) for c, found in pairs]

    @property
    def mean_weights(self) -> dict[str, float]:
        """The found weights in force by name of the constraint, means over points; mostly none."""
        if self.balancer is None:
            return {}
        pairs = zip(self.constraints, self.weights, strict=True)
        return {c.name: float(weight.mean()) for c, weight in pairs}

    @property
    def _arguments(self) -> list[Array]:
        """Arguments of the step after the parameters."""
        if self.balancer is None:
            return self._arrays
        return [w.astype(self.dtype) for w in self.weights] + self._arrays

    def weigh(self, weighing: Weighing) -> None:
        """Take the loss with weights that a balancer has found from now on."""
        self._found = weighing.weights

    def reweigh(
        self, balancer: Balancer, x: Vector, before: Weighing | None, seed: Sequence[int]
    ) -> Weighing:
        """Find weights for parameters of shape (n,), take them, and return them.

        Parameters
        ----------
        balancer : Balancer
            The method.
        x : Vector
            Parameters, shape (n,).
        before : Weighing or None
            What the last update returned.
        seed : sequence of int
            What the draws of a method follow from; the last is the step.
        """
        view = View(
            tuple(self.constraints), self.packing.unpack(x), self.linearised, self._gradients,
            even(self.constraints), seed[-1], np.random.default_rng(seed),
        )  # fmt: skip
        with np.errstate(over="ignore", invalid="ignore"):
            found = balancer.update(view, before)
        for c, weight in zip(self.constraints, found.weights, strict=True):
            if not np.isfinite(weight).all():
                raise NonFiniteError(
                    f"{type(balancer).__name__}: a weight of {c.name!r} is {np.max(weight)}"
                )
        self.weigh(found)
        return found

    @property
    def loss(self) -> SessionLoss:
        """The same with what else optimisers may ask."""
        return SessionLoss(self)

    def move(self, points: Sequence[tuple[Array, ...]]) -> None:
        """Take the loss at other points from now on, one tuple of arrays per constraint."""
        moved = zip(self.constraints, points, strict=True)
        self.constraints = [replace(c, arrays=arrays).cast(self.dtype) for c, arrays in moved]
        self._arrays = all_arrays(self.constraints)

    def check(self, stage: Resampling) -> None:
        """Refuse a stage that names no constraint, or one whose points are given.

        Of a density, refuse names that are no coordinates.
        """
        names: object = stage.constraints
        if isinstance(names, str):
            raise ConfigError(
                f"{type(stage).__name__}: constraints are a row of names; give ({names!r},)"
            )
        if isinstance(stage, Importance):
            for c in self.constraints:
                if c.supply is not None and stage.moves(c):
                    stage.expression(c.supply.coordinates)
        movable = [c.name for c in self.constraints if c.supply is not None]
        unknown = [name for name in stage.constraints if name not in movable]
        if unknown:
            raise ConfigError(
                f"{type(stage).__name__}: {unknown[0]!r} is no constraint whose points may move; "
                f"these are {', '.join(map(repr, movable))}"
            )

    def resample(
        self, stage: Resampling, x: Vector, seed: Sequence[int]
    ) -> tuple[tuple[Array, ...], ...]:
        """Move points as a stage says for parameters of shape (n,), and return them.

        Raises
        ------
        ConfigError
            If the stage names no constraint, or one whose points are given.
        NonFiniteError
            If the residual is not a number at a point.
        """
        self.check(stage)
        parameters = double(self.packing.unpack(x))
        moved = []
        for number, c in enumerate(self.constraints):
            if c.supply is None or not stage.moves(c):
                moved.append(c.arrays)
                continue
            size = partial(_sizes, c, parameters)
            cloud = Cloud(c.arrays, c.supply.draw, size, c.supply.coordinates)
            moved.append(stage.choose(cloud, np.random.default_rng([*seed, number])))
        self.move(moved)
        return tuple(c.arrays for c in self.constraints)

    def parts(self, x: Vector) -> dict[str, float]:
        """Return the mean squared residual of each constraint by name, unweighted."""
        values = self._parts(self.packing.unpack(x), *self._arrays)
        return {c.name: float(v) for c, v in zip(self.constraints, values, strict=True)}

    def explain(self) -> str:
        """Return the program of the step before and after each pass, with operation counts."""
        return str(self.step.explain(self.initial, *self._arguments))

    def explain_failure(self, x: Vector, error: NonFiniteError) -> NonFiniteError:
        """Return the error with the constraint, operation and point where NaN or Inf came up."""
        from sciml.problem.diagnosis import first_non_finite

        parameters = self.packing.unpack(x)
        for constraint in self.constraints:
            found = first_non_finite(constraint, parameters)
            if found is not None:
                return NonFiniteError(f"{error}; constraint {constraint.name!r}: {found}")
        return NonFiniteError(f"{error}; every residual is finite, so it came up in the gradient")


def _sizes(constraint: Constraint, parameters: Parameters, arrays: tuple[Array, ...]) -> Array:
    """Return |r| at points, shape (n,), in blocks."""
    n = len(arrays[0])
    found = []
    for first in range(0, n, BLOCK):
        block = [np.asarray(a[first : first + BLOCK], dtype=float) for a in arrays]
        found.append(np.abs(np.asarray(constraint.residual(parameters, *block), dtype=float)))
    sizes = np.concatenate(found)
    if not np.isfinite(sizes).all():
        place = tuple(map(float, arrays[0][int(np.argmin(np.isfinite(sizes)))]))
        raise NonFiniteError(
            f"constraint {constraint.name!r}: the residual is no number at {place}"
        )
    return sizes


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep library threads out of the way, so that sums have one order and cores one owner."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        yield

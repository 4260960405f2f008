"""What any first-order method may have on top: clipped gradients and averaged parameters."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from .base import Objective, OptimiserState, Vector, require
from .first_order import FirstOrder

_MEAN, _ITERATE, _INNER = "mean", "iterate", "inner."


def _require_first_order(name: str, optimiser: object) -> None:
    """Refuse others: a line search or an inverse Hessian needs the true gradient where it is."""
    holds = isinstance(optimiser, FirstOrder)
    require(holds, name, "a first-order method such as Adam", optimiser=optimiser)


@final
@dataclass(frozen=True)
class Clipped(FirstOrder):
    """A method that sees no gradient longer than a bound: g <- g min(1, norm / |g|).

    Parameters
    ----------
    optimiser : FirstOrder
        The method.
    norm : float
        Largest Euclidean norm, > 0.

    Raises
    ------
    ConfigError
        If the norm is out of range, or the method is not of first order.

    References
    ----------
    Pascanu, Mikolov and Bengio (2013), On the difficulty of training recurrent neural networks,
    ICML, algorithm 1.

    Examples
    --------
    >>> from sciml.training.optimisers import SGD
    >>> method = Clipped(SGD(1, rate=1.0), norm=0.5)
    >>> def loss(x):
    ...     return float(x @ x), 2.0 * x
    >>> method.advance(method.start(np.array([3.0, 4.0]), loss), loss).x
    array([2.7, 3.6])
    """

    optimiser: FirstOrder
    norm: float = 1.0

    def __post_init__(self) -> None:
        """Refuse settings that mean nothing."""
        require(self.norm > 0.0, "Clipped", "norm > 0", norm=self.norm)
        _require_first_order("Clipped", self.optimiser)

    @property
    def step_limit(self) -> int:
        """The number of steps."""
        return self.optimiser.step_limit

    def start(self, x: Vector, objective: Objective) -> OptimiserState:
        """Start the method."""
        return self.optimiser.start(x, objective)

    def advance(self, state: OptimiserState, objective: Objective) -> OptimiserState:
        """Let the method move; the norm in its state is that of the gradient before clipping."""
        norm = state.gradient_norm

        def clipped(x: Vector) -> tuple[float, Vector]:
            nonlocal norm
            value, gradient = objective(x)
            norm = float(np.linalg.norm(gradient))
            return value, gradient * (self.norm / norm) if norm > self.norm else gradient

        moved = self.optimiser.advance(state, clipped)
        return replace(moved, gradient_norm=norm)


@final
@dataclass(frozen=True)
class Averaged(FirstOrder):
    """A method whose result is a running mean of the parameters it goes through.

    a_t = (sum over k <= t of decay^(t - k) x_k) / (sum over k <= t of decay^(t - k)), the x_k after
    each step. The loss in a state is that of the method, not of the mean.

    Parameters
    ----------
    optimiser : FirstOrder
        The method.
    decay : float
        Forgetting factor, in (0, 1): about 1 / (1 - decay) steps count.

    Raises
    ------
    ConfigError
        If the factor is out of range, or the method is not of first order.

    References
    ----------
    Polyak and Juditsky (1992), SIAM J. Control Optim. 30, 838, for even weights; Kingma and Ba
    (2015), section 7.2, for these.
    """

    optimiser: FirstOrder
    decay: float = 0.999

    def __post_init__(self) -> None:
        """Refuse settings that mean nothing."""
        require(0.0 < self.decay < 1.0, "Averaged", "decay in (0, 1)", decay=self.decay)
        _require_first_order("Averaged", self.optimiser)

    @property
    def step_limit(self) -> int:
        """The number of steps."""
        return self.optimiser.step_limit

    def start(self, x: Vector, objective: Objective) -> OptimiserState:
        """Start the method."""
        return self._joined(self.optimiser.start(x, objective), x)

    def advance(self, state: OptimiserState, objective: Objective) -> OptimiserState:
        """Let the method move on from where it was, and the mean follow."""
        own = state.memory.items()
        memory = {k.removeprefix(_INNER): v for k, v in own if k.startswith(_INNER)}
        inner = replace(state, x=state.memory[_ITERATE], memory=memory)
        moved = self.optimiser.advance(inner, objective)
        mean = state.memory[_MEAN]
        if moved.step > state.step:
            share = (1.0 - self.decay) / (1.0 - self.decay**moved.step)
            mean = mean + share * (moved.x - mean)
        return self._joined(moved, mean)

    def _joined(self, inner: OptimiserState, mean: Vector) -> OptimiserState:
        """Return the state with the mean as parameters, whenever training may end."""
        memory = {f"{_INNER}{k}": v for k, v in inner.memory.items()}
        memory |= {_MEAN: mean, _ITERATE: inner.x}
        return replace(inner, x=mean, memory=memory)

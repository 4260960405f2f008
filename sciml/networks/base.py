"""What the solver asks of a network."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from sciml.framework.core.tree import flatten
from sciml.framework.errors import ConfigError, ShapeError

from .activations import ACTIVATIONS

Parameters: TypeAlias = Any
"""Nested lists, tuples and dictionaries of arrays."""


class Network(ABC):
    """A function of parameters and points, written with `sciml.framework` operations."""

    @abstractmethod
    def on_box(self, lower: Sequence[float], upper: Sequence[float], outputs: int) -> Self:
        """Return the network for coordinates in a box and a number of fields.

        Parameters
        ----------
        lower, upper : sequence of float
            Corners of the bounding box [coordinate units], one entry per coordinate.
        outputs : int
            Number of fields.
        """

    @abstractmethod
    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        """Return fresh parameters; the same seed gives the same bits in every dtype's rounding."""

    @abstractmethod
    def __call__(self, parameters: Parameters, X: Any) -> Any:
        """Return the outputs, shape (points, outputs), at X of shape (points, coordinates)."""


class BoxNetwork(Network):
    """A network on coordinates that are scaled to [-1, 1] by the bounding box of the problem.

    A subclass is a frozen dataclass with the fields below.

    Attributes
    ----------
    inputs : int or None
        Number of coordinates; None takes it from the problem.
    outputs : int
        Number of fields, >= 1.
    lower, upper : tuple of float or None
        Bounding box of the coordinates; None takes it from the problem.
    """

    inputs: int | None
    outputs: int
    lower: tuple[float, ...] | None
    upper: tuple[float, ...] | None

    @property
    def name(self) -> str:
        """The name of the class, for messages."""
        return type(self).__name__

    @property
    def input_count(self) -> int:
        """The number of coordinates."""
        if self.inputs is None:
            raise ConfigError(f"{self.name}: the number of inputs is not known; give inputs=...")
        return self.inputs

    def check_hidden(self, hidden: object) -> tuple[int, ...]:
        """Return the widths of the hidden layers, refusing what is no row of them."""
        if isinstance(hidden, tuple | list):
            return tuple(hidden)
        raise ConfigError(
            f"{self.name}: hidden must be a row of widths, one per layer, such as (32, 32); got "
            f"{hidden!r}"
        )

    def check_sizes(self, *sizes: int) -> None:
        """Refuse numbers of coordinates, fields and other widths that are not 1, 2, ..."""
        widths = (*sizes, self.outputs, 1 if self.inputs is None else self.inputs)
        for width in widths:
            if isinstance(width, bool) or not isinstance(width, int | np.integer):
                raise ConfigError(
                    f"{self.name}: every width must be an integer, got {width!r}; give sizes by "
                    "their names, such as hidden=(32, 32) or width=64"
                )
        if min(widths) < 1:
            raise ConfigError(f"{self.name}: every width must be 1 or more, got {widths}")

    def check_activation(self, activation: str) -> None:
        """Refuse an unknown activation."""
        check_choice(self.name, "activation", activation, ACTIVATIONS)

    def on_box(self, lower: Sequence[float], upper: Sequence[float], outputs: int) -> Self:
        """Return the network for a box, keeping what was set by hand."""
        if self.inputs is not None and self.inputs != len(lower):
            raise ConfigError(
                f"{self.name}: inputs={self.inputs}, the problem has {len(lower)} coordinates"
            )
        return replace(  # type: ignore[type-var]
            self,
            inputs=len(lower),
            outputs=outputs,
            lower=tuple(map(float, lower)) if self.lower is None else self.lower,
            upper=tuple(map(float, upper)) if self.upper is None else self.upper,
        )

    def scaled(self, X: Any) -> Any:
        """Return the points (X - centre) / half width, after a check of their shape."""
        if len(X.shape) != 2 or X.shape[1] != self.input_count:
            raise ShapeError(
                f"{self.name}: expected points of shape (points, {self.inputs}), got {X.shape}"
            )
        if self.lower is None or self.upper is None:
            return X
        lower, upper = np.asarray(self.lower), np.asarray(self.upper)
        centre, factor = 0.5 * (lower + upper), 2.0 / (upper - lower)
        return (X - centre.astype(X.dtype)) * factor.astype(X.dtype)


def check_choice(owner: str, what: str, got: str, valid: Iterable[str]) -> None:
    """Refuse a word that is none of the valid ones, in the name of the network it is given to.

    Examples
    --------
    >>> check_choice("MLP", "weights", "heavy", ("plain", "factorised"))
    Traceback (most recent call last):
    sciml.framework.errors.ConfigError: MLP: unknown weights 'heavy'; valid are plain, factorised
    """
    words = tuple(valid)
    if got not in words:
        raise ConfigError(f"{owner}: unknown {what} {got!r}; valid are {', '.join(words)}")


def generator(seed: int) -> np.random.Generator:
    """Return the generator of initial parameters, Philox; draw in float64 and round."""
    return np.random.Generator(np.random.Philox(seed))


def parameter_count(parameters: Parameters) -> int:
    """Return the number of scalars in nested parameters.

    Examples
    --------
    >>> parameter_count([(np.zeros((2, 3)), np.zeros(3))])
    9
    """
    return sum(int(np.asarray(leaf).size) for leaf in flatten(parameters)[0])

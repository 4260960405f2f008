"""A trial space that is linear in its parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import sciml.framework as fw
from sciml.networks import BoxNetwork, Parameters


@dataclass(frozen=True)
class Polynomials(BoxNetwork):
    """sum over k of C_k T_k1(z_1) T_k2(z_2) ..., Chebyshev polynomials up to a degree in each."""

    degree: int
    inputs: int | None = None
    outputs: int = 1
    lower: tuple[float, ...] | None = None
    upper: tuple[float, ...] | None = None

    def initialise(self, seed: int, dtype: npt.DTypeLike = np.float64) -> Parameters:
        return {"C": np.zeros(((self.degree + 1) ** self.input_count, self.outputs), dtype)}

    def __call__(self, parameters: Parameters, X: Any) -> Any:
        z = self.scaled(X)
        columns = [fw.ones_like(z[:, 0])]
        for i in range(self.input_count):
            own = [fw.ones_like(z[:, 0]), z[:, i]]
            while len(own) <= self.degree:
                own.append(2.0 * z[:, i] * own[-1] - own[-2])
            columns = [c * f for c in columns for f in own]
        return fw.stack(columns, axis=1) @ parameters["C"]

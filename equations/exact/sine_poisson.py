"""Poisson's equation on a rectangle with a sinusoidal source."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from ..library.poisson import Poisson
from .solution import Array, ExactSolution, decimal, from_expressions, positive


@final
@dataclass(frozen=True)
class SinePoisson(ExactSolution):
    """u = A sin(pi x/a) sin(pi y/b), zero on the edges of (0, a) x (0, b).

    It solves -k laplacian(u) = k A pi^2 (1/a^2 + 1/b^2) sin(pi x/a) sin(pi y/b).

    Parameters
    ----------
    width, height
        a, b [m].
    amplitude
        A [unit of u].
    coefficient
        k, positive.
    """

    width: float = 1.0
    height: float = 1.0
    amplitude: float = 1.0
    coefficient: float = 1.0

    def __post_init__(self) -> None:
        positive("SinePoisson", width=self.width, height=self.height, coefficient=self.coefficient)

    @property
    def solution(self) -> sympy.Expr:
        """The closed form of u."""
        x, y = sympy.symbols("x y")
        a, b = decimal(self.width), decimal(self.height)
        return decimal(self.amplitude) * sympy.sin(sympy.pi * x / a) * sympy.sin(sympy.pi * y / b)

    @property
    def pde(self) -> Poisson:
        a, b = decimal(self.width), decimal(self.height)
        square = sympy.pi**2 * (1 / a**2 + 1 / b**2)
        return Poisson(decimal(self.coefficient) * square * self.solution, self.coefficient)

    def __call__(self, X: Array) -> dict[str, Array]:
        pde = self.pde
        return from_expressions(pde, {pde.u: self.solution}, X)

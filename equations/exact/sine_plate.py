"""The simply supported plate under a sinusoidal load: one term of Navier's series."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from ..library.kirchhoff_plate import KirchhoffPlate
from .solution import Array, ExactSolution, decimal, from_expressions, positive


@final
@dataclass(frozen=True)
class SinePlate(ExactSolution):
    """w = q0 / (pi^4 D (m^2/a^2 + n^2/b^2)^2) sin(m pi x/a) sin(n pi y/b) on (0, a) x (0, b).

    Simply supported on all edges, under q = q0 sin(m pi x/a) sin(n pi y/b).

    Parameters
    ----------
    width, height
        a, b [m].
    amplitude
        q0 [N/m^2].
    rigidity
        D [N m].
    poisson_ratio
        nu [-].
    waves
        Half waves (m, n) along x and y.

    References
    ----------
    Timoshenko and Woinowsky-Krieger (1959), Theory of Plates and Shells, section 27.
    """

    width: float = 1.0
    height: float = 1.0
    amplitude: float = 1.0
    rigidity: float = 1.0
    poisson_ratio: float = 0.3
    waves: tuple[int, int] = (1, 1)

    def __post_init__(self) -> None:
        positive("SinePlate", width=self.width, height=self.height, rigidity=self.rigidity)
        positive("SinePlate", m=self.waves[0], n=self.waves[1])

    @property
    def _shape(self) -> tuple[sympy.Expr, sympy.Expr]:
        """Wave and (m/a)^2 + (n/b)^2."""
        x, y = sympy.symbols("x y")
        m, n = self.waves[0] / decimal(self.width), self.waves[1] / decimal(self.height)
        return sympy.sin(sympy.pi * m * x) * sympy.sin(sympy.pi * n * y), m**2 + n**2

    @property
    def solution(self) -> sympy.Expr:
        """The closed form of w."""
        wave, square = self._shape
        stiffness = sympy.pi**4 * decimal(self.rigidity) * square**2
        return decimal(self.amplitude) / stiffness * wave

    @property
    def pde(self) -> KirchhoffPlate:
        load = decimal(self.amplitude) * self._shape[0]
        return KirchhoffPlate(self.rigidity, self.poisson_ratio, load)

    def __call__(self, X: Array) -> dict[str, Array]:
        pde = self.pde
        return from_expressions(pde, {pde.w: self.solution}, X)

"""The disc under uniform load, clamped or simply supported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, final

import sympy

from sciml.framework.errors import EquationError

from ..library.kirchhoff_plate import KirchhoffPlate
from .solution import Array, ExactSolution, decimal, from_expressions, positive


@final
@dataclass(frozen=True)
class UniformDisc(ExactSolution):
    """w = q (R^2 - r^2) (c R^2 - r^2) / (64 D), with r from the origin.

    Clamped: c = 1. Simply supported: c = (5 + nu)/(1 + nu).

    Parameters
    ----------
    radius
        R [m].
    load
        q [N/m^2].
    rigidity
        D [N m].
    poisson_ratio
        nu [-].
    edge
        ``"clamped"`` or ``"simply_supported"``.

    References
    ----------
    Timoshenko and Woinowsky-Krieger (1959), Theory of Plates and Shells, section 16.
    """

    radius: float = 1.0
    load: float = 1.0
    rigidity: float = 1.0
    poisson_ratio: float = 0.3
    edge: Literal["clamped", "simply_supported"] = "clamped"

    def __post_init__(self) -> None:
        positive("UniformDisc", radius=self.radius, rigidity=self.rigidity)
        if self.edge not in ("clamped", "simply_supported"):
            raise EquationError(
                f"UniformDisc: edge must be 'clamped' or 'simply_supported', got {self.edge!r}"
            )

    @property
    def solution(self) -> sympy.Expr:
        """The closed form of w."""
        x, y = sympy.symbols("x y")
        nu, square = decimal(self.poisson_ratio), decimal(self.radius) ** 2
        c = 1 if self.edge == "clamped" else (5 + nu) / (1 + nu)
        scale = decimal(self.load) / (64 * decimal(self.rigidity))
        return scale * (square - x**2 - y**2) * (c * square - x**2 - y**2)

    @property
    def pde(self) -> KirchhoffPlate:
        return KirchhoffPlate(self.rigidity, self.poisson_ratio, self.load)

    def __call__(self, X: Array) -> dict[str, Array]:
        pde = self.pde
        return from_expressions(pde, {pde.w: self.solution}, X)

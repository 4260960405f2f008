"""The simply supported rectangular plate under uniform load: Levy's single series, summed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from ..library.kirchhoff_plate import KirchhoffPlate
from .chi import chi
from .solution import Array, ExactSolution, checked, from_derivatives, positive

_ODD = np.arange(1, 32, 2)


@final
@dataclass(frozen=True)
class UniformSimplySupportedPlate(ExactSolution):
    """Levy's solution on (0, a) x (0, b) under uniform load q.

    w = q/(24 D) (x^4 - 2 a x^3 + a^3 x)
    + 4 q a^4/(pi^5 D) sum over odd m of m^-5 f_m(y) sin(m pi x/a), where f_m falls off from the
    edges y = 0 and y = b.

    Parameters
    ----------
    width, height
        a, b [m].
    load
        q [N/m^2].
    rigidity
        D [N m].
    poisson_ratio
        nu [-].

    Notes
    -----
    The leading part of f_m near an edge, -exp(-b_m t) (1 + b_m t/2) with b_m = m pi/a and the
    distance t, is summed in closed form by `chi`; what is left falls like exp(-m pi b/(2 a)), and
    the shorter side takes the part of a. So the error is near 1e-15 of the largest value
    everywhere, also at the edges, where the plain series of the shear forces hardly converges.

    References
    ----------
    Timoshenko and Woinowsky-Krieger (1959), Theory of Plates and Shells, section 30.
    """

    width: float = 1.0
    height: float = 1.0
    load: float = 1.0
    rigidity: float = 1.0
    poisson_ratio: float = 0.3

    def __post_init__(self) -> None:
        positive("UniformSimplySupportedPlate", width=self.width, height=self.height)
        positive("UniformSimplySupportedPlate", rigidity=self.rigidity)

    @property
    def pde(self) -> KirchhoffPlate:
        return KirchhoffPlate(self.rigidity, self.poisson_ratio, self.load)

    def __call__(self, X: Array) -> dict[str, Array]:
        X = checked(X, 2)
        x, y = X.T
        scale = self.load / self.rigidity

        def derivative(p: int, q: int) -> Array:
            if self.width <= self.height:
                return scale * _derivative(x, y, self.width, self.height, p, q)
            return scale * _derivative(y, x, self.height, self.width, q, p)

        return from_derivatives(self.pde, derivative, X)


def _derivative(x: Array, y: Array, a: float, b: float, p: int, q: int) -> Array:
    """Return d^(p+q) w / dx^p dy^q for q/D = 1 and a <= b, with p + q <= 3."""
    # By symmetry in the quarter next to the origin, where the expansions are best.
    sign = np.where(x > a / 2, (-1.0) ** p, 1.0) * np.where(y > b / 2, (-1.0) ** q, 1.0)
    x, t = np.minimum(x, a - x), np.minimum(y, b - y)
    value = _leading(x, t, a, p, q) + _rest(x, t, a, b, p, q)
    value *= 4 * a**4 / math.pi**5
    if q == 0:
        beam = np.polynomial.Polynomial([0, a**3, 0, -2 * a, 1]) / 24
        value += beam.deriv(p)(x)
    return np.asarray(sign * value)


def _leading(x: Array, t: Array, a: float, p: int, q: int) -> Array:
    """Differentiate -Im(chi_5 + (k t/2) chi_4) at mu = k (t - i x), k = pi/a."""
    k = math.pi / a
    mu = k * (t - 1j * x)
    n = p + q
    value = (-k) ** q * (chi(5 - n, mu) + k / 2 * t * chi(4 - n, mu))
    if q:
        value += q * (-k) ** (q - 1) * k / 2 * chi(5 - n, mu)
    return np.asarray(-((1j * k) ** p * value).imag)


def _rest(x: Array, t: Array, a: float, b: float, p: int, q: int) -> Array:
    """Sum what the leading part leaves out: (c0 + c1 t) exp(-b_m t) and the far edge's terms."""
    beta = math.pi / a * _ODD
    alpha = beta * b / 2
    e = np.exp(-2 * alpha)
    near = e / (1 + e) * (1 + alpha / (1 + e)), beta / 2 * e / (1 + e)
    far = -(2 + alpha * np.tanh(alpha) + alpha) / (2 * (1 + e)), beta / (2 * (1 + e))
    t = t[:, None]
    along = _term(near, -beta, t, np.exp(-beta * t), q)
    along += _term(far, beta, t, np.exp(beta * (t - b)), q)
    across = beta**p * np.sin(np.outer(x, beta) + p * math.pi / 2)
    return np.asarray((along * across / _ODD**5).sum(axis=1))


def _term(c: tuple[Array, Array], rate: Array, t: Array, decay: Array, q: int) -> Array:
    """Return the derivative of order q of (c0 + c1 t) exp(rate t)."""
    value = rate**q * (c[0] + c[1] * t)
    if q:
        value = value + q * c[1] * rate ** (q - 1)
    return np.asarray(value * decay)

"""Self-scaled Broyden, the quasi-Newton method for the last digits."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from .quasi_newton import Curvature, QuasiNewton

_EPSILON = float(np.finfo(np.float64).eps)


@final
@dataclass(frozen=True)
class SSBroyden(QuasiNewton):
    """A member of the Broyden family that chooses its own update and size at every step.

    With a = b h - 1 and r = min(1, h (1 - sqrt(a / (1 + a)))),

        theta = max((r - 1) / a, min(1 / r, (1 - b) / b)),
        sigma = 1 + a theta, k = min(1, 1/b), m = sigma^(1 / (1 - n)),
        tau = min(k m, sigma) for theta <= 0, else k min(m, 1 / theta).

    Settings, memory and errors are those of `QuasiNewton`.

    Notes
    -----
    The loss ends where rounding hides its decrease. Networks of 500 to 3000 parameters are what
    it is made for. Where a is so large that sigma vanishes in rounding, the step is one of BFGS.

    References
    ----------
    Al-Baali and Khalfan (2005), Wide interval for efficient self-scaling quasi-Newton algorithms,
    Optim. Methods Softw. 20, 679. Urbán, Stefanou and Pons (2025), J. Comput. Phys. 523, 113656
    (arXiv:2405.04230), section 3.2.

    Examples
    --------
    >>> theta, tau = SSBroyden().factors(Curvature(b=2.0, h=1.0, size=3))
    >>> f"{theta:.3f} {tau:.3f}"
    '-0.500 0.500'
    """

    def factors(self, seen: Curvature) -> tuple[float, float]:
        a, b, h = seen.a, seen.b, seen.h
        r = min(1.0, h * (1.0 - math.sqrt(a / (1.0 + a))))
        if r <= _EPSILON:
            return 0.0, 1.0
        lowest = (r - 1.0) / a if a > 0.0 else -math.inf
        theta = max(lowest, min(1.0 / r, (1.0 - b) / b))
        sigma = 1.0 + a * theta
        shrink = min(1.0, 1.0 / b)
        mean = sigma ** (1.0 / (1.0 - seen.size)) if seen.size > 1 else 1.0
        if theta <= 0.0:
            return theta, min(shrink * mean, sigma)
        return theta, shrink * min(mean, 1.0 / theta)

"""Self-scaled BFGS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from .quasi_newton import Curvature, QuasiNewton


@final
@dataclass(frozen=True)
class SSBFGS(QuasiNewton):
    """BFGS that corrects the size of the inverse Hessian before each update.

    theta = 0 and tau = min(1, 1/b): where the old estimate sees more curvature along the step than
    there is (b > 1), the inverse grows as a whole. Settings, memory and errors are those of
    `QuasiNewton`.

    References
    ----------
    Al-Baali (1998), Numerical experience with a class of self-scaling quasi-Newton algorithms, J.
    Optim. Theory Appl. 96, 533. Urbán, Stefanou and Pons (2025), J. Comput. Phys. 523, 113656
    (arXiv:2405.04230), section 3.2.

    Examples
    --------
    >>> SSBFGS().factors(Curvature(b=4.0, h=1.0, size=9))
    (0.0, 0.25)
    """

    def factors(self, seen: Curvature) -> tuple[float, float]:
        return 0.0, min(1.0, 1.0 / seen.b)

"""BFGS, the quasi-Newton method with the whole inverse Hessian."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from .quasi_newton import Curvature, QuasiNewton


@final
@dataclass(frozen=True)
class BFGS(QuasiNewton):
    """Quasi-Newton steps by the update of Broyden, Fletcher, Goldfarb and Shanno.

    theta = 0 and tau = 1: H' = (1 - s y^T / y.s) H (1 - y s^T / y.s) + s s^T / y.s. Settings,
    memory and errors are those of `QuasiNewton`.

    References
    ----------
    Nocedal and Wright (2006), Numerical Optimization, equations 6.17 and 6.20.

    Examples
    --------
    >>> from sciml.training.optimisers.base import minimise
    >>> state = minimise(BFGS(), np.array([3.0, 1.0]), lambda x: (float(x @ x), 2 * x))
    >>> bool(abs(state.x).max() < 1e-12)
    True
    """

    def factors(self, seen: Curvature) -> tuple[float, float]:
        return 0.0, 1.0

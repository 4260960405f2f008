"""The velocity near a wall in turbulent flow: viscous sublayer and logarithmic layer."""

from __future__ import annotations

import functools
import math

import numpy as np
import numpy.typing as npt
import sympy

from sciml.framework.errors import EquationError

KARMAN, INTERCEPT = 0.41, 5.2
"""von Karman's constant kappa and the constant B of the logarithm [-]."""

_STEPS = 8


def wall_velocity(
    y_plus: sympy.Expr, karman: float = KARMAN, intercept: float = INTERCEPT
) -> sympy.Expr:
    """Return u+ = U/u_tau at y+ = d u_tau/nu, for the friction velocity u_tau.

    The law is u+ = y+ below the y+ at which it meets u+ = log(y+)/kappa + B, about 11, and this
    logarithm above.

    Parameters
    ----------
    y_plus
        y+, not negative [-].
    karman
        kappa [-].
    intercept
        B [-].

    References
    ----------
    Pope (2000), Turbulent Flows, chapter 7.

    Examples
    --------
    >>> float(wall_velocity(sympy.Integer(5)))
    5.0
    >>> bool(abs(wall_velocity(sympy.Integer(100)) - math.log(100) / 0.41 - 5.2) < 1e-14)
    True
    """
    meeting = sympy.Float(sublayer(karman, intercept))
    kappa, B = (sympy.Rational(repr(float(v))) for v in (karman, intercept))
    # Each branch stays where it holds, so that the logarithm never leaves its range.
    logarithm = sympy.log(sympy.Max(y_plus, meeting)) / kappa + B
    return logarithm - meeting + sympy.Min(y_plus, meeting)


@functools.cache
def sublayer(karman: float = KARMAN, intercept: float = INTERCEPT) -> float:
    """Return the y+ at which the sublayer u+ = y+ meets the logarithm, the larger of two.

    Raises
    ------
    EquationError
        If they do not meet: kappa must be positive and B above (1 + log(kappa))/kappa.

    Examples
    --------
    >>> round(sublayer(), 2)
    11.06
    """
    if not (0 < karman < math.inf and (1 + math.log(karman)) / karman < intercept < math.inf):
        raise EquationError(
            f"law of the wall: kappa = {karman} and B = {intercept} give a logarithm that does not "
            "meet the sublayer u+ = y+; kappa must be positive and B above (1 + log(kappa))/kappa"
        )
    y = 100.0 / karman
    for _ in range(50):  # Newton's method on a convex function
        y -= (y - math.log(y) / karman - intercept) / (1 - 1 / (karman * y))
    return y


def friction_velocity(
    speed: npt.ArrayLike, distance: float, viscosity: float,
    karman: float = KARMAN, intercept: float = INTERCEPT,
) -> npt.NDArray[np.float64]:  # fmt: skip
    """Return u_tau from the speed U at the distance d from a wall, by Newton's method.

    With u+ y+ = U d/nu, u+ is the root of u+ + log(u+)/kappa = log(U d/nu)/kappa + B, or of
    u+^2 = U d/nu in the sublayer. The wall's shear stress is rho u_tau^2.

    Parameters
    ----------
    speed
        U, not negative [m/s].
    distance
        d [m].
    viscosity
        nu, kinematic viscosity [m^2/s].
    karman, intercept
        kappa and B of `wall_velocity`.

    Raises
    ------
    EquationError
        If a speed is negative, or the distance or viscosity is not positive.

    Examples
    --------
    >>> U = 0.01 * (math.log(100) / 0.41 + 5.2)  # y+ = 100 at 0.01 m/s
    >>> round(float(friction_velocity(U, 0.01, 1e-6)), 12)
    0.01
    """
    meeting = sublayer(karman, intercept)
    U = np.asarray(speed, dtype=np.float64)
    if (U < 0).any() or not (distance > 0 and viscosity > 0):
        raise EquationError(
            "friction_velocity: speeds must not be negative, distance and viscosity positive, got "
            f"{U.min()}, {distance} and {viscosity}"
        )
    reynolds = U * distance / viscosity
    A = np.log(np.maximum(reynolds, meeting**2)) / karman + intercept
    u = A
    for _ in range(_STEPS):
        u = u * (1 + karman * A - np.log(u)) / (1 + karman * u)
    # In the sublayer u_tau = sqrt(nu U/d), also at rest.
    linear = np.sqrt(viscosity * U / distance)
    return np.where(reynolds < meeting**2, linear, U / u)

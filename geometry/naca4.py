"""Wing sections of the NACA four-digit series."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import sciml.framework as framework
from sciml.framework.errors import GeometryError

from . import sizes
from .built_shape import BuiltShape
from .curved_shape import CurvedShape
from .motion import Motion
from .path_piece import PathPiece

# Coefficients of sqrt(x), x, x^2, x^3 in the thickness, and of x^4 with an open and a closed end.
THICKNESS, OPEN, CLOSED = (0.2969, -0.1260, -0.3516, 0.2843), -0.1015, -0.1036


@final
@dataclass(frozen=True)
class NACA4(BuiltShape):
    """A wing section of the four-digit series, with the parts ``upper`` and ``lower``.

    With the chord as unit of length, the half thickness at x is

    y_t = 5 t (0.2969 sqrt(x) - 0.1260 x - 0.3516 x^2 + 0.2843 x^3 - 0.1015 x^4)

    across the camber line y_c = m (2 p x - x^2) / p^2 up to x = p and
    m (1 - 2 p + 2 p x - x^2) / (1 - p)^2 behind it. Where m > 0, each side is cut at x = p, where
    its direction jumps a little, into ``front`` and ``rear``. The sharp end is a corner; a blunt
    one is the part ``trailing_edge`` between two.

    Parameters
    ----------
    digits
        Four digits: 100 m, 10 p and, with two digits, 100 t, such as ``"2412"``.
    chord
        Length of the chord [m].
    angle_of_attack
        Angle by which the nose is turned up [rad].
    leading_edge
        Place of the front end of the chord, about which it is turned [m].
    closed
        Whether the trailing edge is sharp, by -0.1036 as the last coefficient, rather than blunt.

    Raises
    ------
    GeometryError
        If the digits are not four, name no thickness or a camber without a place.

    References
    ----------
    Jacobs, Ward and Pinkerton (1933), The characteristics of 78 related airfoil sections from
    tests in the variable-density wind tunnel, NACA report 460.

    Examples
    --------
    >>> wing = NACA4("2412")
    >>> wing.resolve("upper")
    ('upper.rear', 'upper.front')
    >>> NACA4("0012", closed=False).resolve("boundary")
    ('upper', 'lower', 'trailing_edge')
    """

    digits: str = "0012"
    chord: float = 1.0
    angle_of_attack: float = 0.0
    leading_edge: tuple[float, float] = (0.0, 0.0)
    closed: bool = True

    def __post_init__(self) -> None:
        digits = self.digits
        if (
            not isinstance(digits, str)
            or len(digits) != 4
            or not (digits.isascii() and digits.isdigit())
        ):
            raise GeometryError(
                f"NACA4: digits must be a text of four digits such as '2412', got {digits!r}"
            )
        if digits.endswith("00") or (digits[0] != "0" and digits[1] == "0"):
            raise GeometryError(
                f"NACA4: {digits!r} has no thickness, or a camber without a place; the last two "
                "digits must not be 00, nor the second 0 where the first is not"
            )
        object.__setattr__(self, "chord", sizes.positive("NACA4", "chord", self.chord))
        angle = sizes.finite("NACA4", "angle_of_attack", self.angle_of_attack)
        object.__setattr__(self, "angle_of_attack", angle)
        place = sizes.point("NACA4", "leading_edge", self.leading_edge, 2)
        object.__setattr__(self, "leading_edge", place)
        _ = self.built  # its tables are made now, not while tracing

    @cached_property
    def built(self) -> CurvedShape:
        camber, peak = int(self.digits[0]) / 100, int(self.digits[1]) / 10
        thickness = int(self.digits[2:]) / 100
        last = CLOSED if self.closed else OPEN
        # By s = sqrt(x), in which the nose is smooth; from the tail over the nose to the tail.
        ends = [("", 0.0, 1.0)]
        if camber:
            ends = [(".front", 0.0, math.sqrt(peak)), (".rear", math.sqrt(peak), 1.0)]
        curves: dict[str, PathPiece] = {}
        for name, low, high in reversed(ends):
            surface = _Surface(1.0, thickness, last, camber, peak, name == ".rear")
            curves[f"upper{name}"] = PathPiece(surface, high, low)
        for name, low, high in ends:
            surface = _Surface(-1.0, thickness, last, camber, peak, name == ".rear")
            curves[f"lower{name}"] = PathPiece(surface, low, high)
        if not self.closed:
            behind = _Blunt(*(
                _Surface(side, thickness, last, camber, peak, camber > 0) for side in (-1.0, 1.0)
            ))  # fmt: skip
            curves["trailing_edge"] = PathPiece(behind, 0.0, 1.0)
        turn = Motion.rotation(-self.angle_of_attack, (0.0, 0.0))
        x, y = self.leading_edge
        place = Motion(turn.matrix, self.chord, (x, y))
        return CurvedShape({name: piece.placed(place) for name, piece in curves.items()})


@final
@dataclass(frozen=True)
class _Surface:
    """The upper (side 1) or lower (-1) surface by s = sqrt(x), before or behind the peak."""

    side: float
    thickness: float
    last: float
    camber: float
    peak: float
    rear: bool

    def __call__(self, s: Any) -> tuple[Any, Any]:
        x = s * s
        a, b, c, d = THICKNESS
        half = 5 * self.thickness * (a * s + x * (b + x * (c + x * (d + x * self.last))))
        if not self.camber:
            return x, self.side * half
        m, p = self.camber, self.peak
        scale = m / (1 - p) ** 2 if self.rear else m / p**2
        line = scale * ((1 - 2 * p if self.rear else 0.0) + 2 * p * x - x * x)
        slope = 2 * scale * (p - x)
        across = self.side * half / framework.sqrt(1 + slope * slope)
        return x - across * slope, line + across


@final
@dataclass(frozen=True)
class _Blunt:
    """The straight line between the ends of two surfaces."""

    lower: _Surface
    upper: _Surface

    def __call__(self, t: Any) -> tuple[Any, Any]:
        one = 0.0 * t + 1.0
        (ax, ay), (bx, by) = self.lower(one), self.upper(one)
        return ax + t * (bx - ax), ay + t * (by - ay)

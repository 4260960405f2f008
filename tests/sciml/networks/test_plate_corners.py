"""Exponents of plate corners against the characteristic equations of Williams (1952)."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.networks.plate_corners import Support, plate_exponents

NU = 0.3
Edges = tuple[Support, Support]
CC: Edges = ("clamped", "clamped")
SS: Edges = ("simply supported", "simply supported")
FF: Edges = ("free", "free")
SC: Edges = ("simply supported", "clamped")
CF: Edges = ("clamped", "free")
FS: Edges = ("free", "simply supported")


def equation(edges: Edges, w: float) -> Callable[[complex], complex]:
    """The characteristic function of m = l - 1 for an angle w."""
    q = (1 - NU) / (3 + NU)
    c = (3 + NU) * (1 - NU)
    return {
        # over m - 1, since l = 2 makes sin((l - 2) theta) zero, which is no deflection
        CC: lambda m: (cmath.sin(m * w) ** 2 - m * m * math.sin(w) ** 2) / (m - 1),
        SS: lambda m: (cmath.cos(m * w) ** 2 - math.cos(w) ** 2) / (m - 1),
        SC: lambda m: (cmath.sin(2 * m * w) - m * math.sin(2 * w)) / (m - 1),
        # and w = r^2 (a + b cos(2 theta)), whose moments are constant
        FF: lambda m: (cmath.sin(m * w) ** 2 - (q * m * math.sin(w)) ** 2) * (m - 1),
        CF: lambda m: cmath.sin(m * w) ** 2 - (4 - ((1 - NU) * m * math.sin(w)) ** 2) / c,
        FS: lambda m: cmath.sin(2 * m * w) + q * m * math.sin(2 * w),
    }[edges]


def roots_inside(f: Callable[[complex], complex], low: float, high: float, top: float) -> float:
    """Zeros of a rectangle symmetric about the real axis, by the argument principle."""
    corners = [complex(low, -top), complex(high, -top), complex(high, top), complex(low, top)]
    total = 0.0
    for a, b in zip(corners, [*corners[1:], corners[0]], strict=True):
        values = np.array([f(a + (b - a) * t) for t in np.linspace(0, 1, 4001)])
        total += float(np.sum(np.angle(values[1:] / values[:-1])))
    return total / (2 * math.pi)


@pytest.mark.parametrize("angle", [math.pi / 2, 2.0, 3 * math.pi / 2, 2 * math.pi - 0.3, 1.0])
@pytest.mark.parametrize("edges", [CC, SS, FF, SC, CF, FS])
def test_all_roots_of_the_characteristic_equation(edges: Edges, angle: float) -> None:
    f, below = equation(edges, angle), 7.13
    found = plate_exponents(angle, edges, NU, below)
    for l in found:
        assert abs(f(l - 1 + 1e-9)) < 1e-7 * (1 + abs(cmath.cos((l - 1) * angle)) ** 2), l
    simple = [l for l in found if abs(f(l - 1 + 1e-4)) > 1e-6]  # a double root counts twice
    inside = [l for l in found if l.real > 1.05]
    double = [l for l in inside if l not in simple]
    counted = sum(2 if l.imag else 1 for l in inside) + len(double)
    assert counted == pytest.approx(roots_inside(f, 0.05, below - 1, 6.0), abs=1e-3)


def test_known_ones() -> None:
    halves = plate_exponents(2 * math.pi, CC, below=4.2)
    assert halves == pytest.approx((1.5, 2.0, 2.5, 3.0, 3.5, 4.0), abs=1e-9)
    assert plate_exponents(math.pi / 2, SS, below=7.0) == (2.0, 4.0, 6.0)
    first = plate_exponents(math.pi / 2)[0]
    assert (first.real, first.imag) == pytest.approx((3.73959, 1.11902), abs=1e-5)


def test_motions_of_a_rigid_body_are_none() -> None:
    assert plate_exponents(math.pi / 2, FF, below=2.5) == (2.0,)


def test_mistakes() -> None:
    with pytest.raises(ConfigError, match="angle in"):
        plate_exponents(0.0)
    with pytest.raises(ConfigError, match="edges of clamped"):
        plate_exponents(1.0, ("clamped", "welded"))  # type: ignore[arg-type]

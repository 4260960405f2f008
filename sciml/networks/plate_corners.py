"""The exponents with which the deflection of a plate goes to zero in a corner."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

import numpy as np

from sciml.framework.errors import ConfigError

Support: TypeAlias = Literal["clamped", "simply supported", "free"]
# f of w = r^l f(theta) and its first three derivatives, for l and Poisson's ratio, to what is zero
_Row: TypeAlias = Callable[[tuple[complex, ...], complex, float], complex]

_EDGES: Mapping[str, tuple[_Row, _Row]] = MappingProxyType(
    {
        "clamped": (lambda f, l, nu: f[0], lambda f, l, nu: f[1]),
        "simply supported": (lambda f, l, nu: f[0], lambda f, l, nu: f[2]),
        "free": (
            lambda f, l, nu: f[2] + (l + nu * l * (l - 1)) * f[0],
            lambda f, l, nu: f[3] + (l * l + (1 - nu) * (l - 1) * (l - 2)) * f[1],
        ),
    }
)
# Roots closer than this are one; a real part this close to a whole number is one.
_SAME = 1e-5
_REFINED = 60


def plate_exponents(
    angle: float,
    edges: tuple[Support, Support] = ("clamped", "clamped"),
    poisson_ratio: float = 0.3,
    below: float = 9.0,
) -> tuple[complex, ...]:
    """Return the exponents l of a plate in a corner, w = r^l f(theta), by their real parts.

    f is a combination of cos and sin of l theta and (l - 2) theta for which both conditions of
    both edges are zero; the determinant of these four equations is zero at the exponents. Those
    with Re l <= 1 have no finite energy or are motions of a rigid body, and are left out.

    Parameters
    ----------
    angle : float
        The angle of the corner [rad], in (0, 2 pi].
    edges : pair of str
        ``clamped``, ``simply supported`` or ``free``, of the two edges.
    poisson_ratio : float
        nu [-], which matters at free edges.
    below : float
        Exponents with real parts up to this.

    Raises
    ------
    ConfigError
        If the angle is out of its range, or an edge is none of the three.

    References
    ----------
    Williams (1952), Surface stress singularities resulting from various boundary conditions in
    angular corners of plates under bending, Proc. First US Nat. Congr. Appl. Mech., 325.

    Examples
    --------
    >>> print(f"{plate_exponents(np.pi / 2)[0]:.4f}")
    3.7396+1.1190j
    """
    if not 0.0 < angle <= 2.0 * np.pi or not set(edges) <= _EDGES.keys():
        raise ConfigError(
            f"plate_exponents: expected an angle in (0, 2 pi] and edges of {', '.join(_EDGES)}, got "
            f"{angle} and {edges}"
        )
    rows = [(row, s * angle / 2) for edge, s in zip(edges, (1, -1), strict=True)
            for row in _EDGES[edge]]  # fmt: skip

    def determinant(l: complex) -> complex:
        matrix = [[row(f, l, poisson_ratio) for f in _functions(l, theta)] for row, theta in rows]
        return complex(np.linalg.det(np.array(matrix)))

    found: list[complex] = []
    for start in np.arange(0.9, below + 0.5, 0.11):
        for height in (0.0, 0.4, 1.0, 1.7):
            root = _root(determinant, complex(start, height), found)
            if root is not None and 1.0 + _SAME < root.real <= below:
                found.append(root)
    distinct: list[complex] = []
    for root in sorted(found, key=lambda l: (l.real, l.imag)):
        if all(abs(root - other) > _SAME for other in distinct):
            distinct.append(root)
    return tuple(distinct)


def _functions(l: complex, theta: float) -> list[tuple[complex, ...]]:
    """Return cos(k theta) and sin(k theta)/k for k = l and l - 2, each with three derivatives."""
    found = []
    for k in (l, l - 2):
        # over k, since sin(k theta) alone is zero at k = 0, which is no exponent
        c, s = np.cos(k * theta), np.sin(k * theta) / k if abs(k) > 1e-9 else theta
        found.append((c, -k * k * s, -k * k * c, k**4 * s))
        found.append((s, c, -k * k * s, -k * k * c))
    return found


def _root(
    function: Callable[[complex], complex], start: complex, known: list[complex]
) -> complex | None:
    """Return a root by Newton's method, away from those known; None where it finds none."""
    z, step = start, 1e-6
    for _ in range(_REFINED):
        value = function(z)
        slope = (function(z + step) - function(z - step)) / (2 * step)
        # division by the known factors makes a double root come out twice, and then no more
        away = sum(1.0 / (z - k) + 1.0 / (z - k.conjugate()) for k in known if abs(z - k) > 1e-12)
        correction = slope - value * away
        if correction == 0.0 or not np.isfinite(correction):
            return None
        move = value / correction
        z -= move
        if not np.isfinite(z) or abs(z - start) > 3.0:
            return None
        if abs(move) < 1e-12 * max(1.0, abs(z)):
            break
    else:
        return None
    z = complex(z.real, abs(z.imag))
    if z.imag < _SAME:
        whole = round(z.real)
        return complex(whole if abs(z.real - whole) < _SAME else z.real)
    return z

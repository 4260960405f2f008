"""The exponents with which the deflection of a plate goes to zero in a corner."""

from __future__ import annotations

import typing
from collections.abc import Sequence
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import scipy.linalg
from numpy.polynomial import chebyshev

from sciml.framework.errors import ConfigError

Support: TypeAlias = Literal["clamped", "simply supported", "free"]
# What is zero at an edge: coefficients of 1, l, l^2 of f, f', g and g', with g = f'' + l^2 f.
_Row: TypeAlias = tuple[tuple[float, float, float], ...]
_Edge: TypeAlias = tuple[_Row, _Row]

_NONE, _ONE = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0)
# Functions of theta in the eigenvalue problem; 9 half waves of an angle of 2 pi need some 40.
_DEGREE = 48
# Roots closer than this are one; a real part this close to a whole number is one.
_SAME = 1e-5
# How far the refinement of an eigenvalue may move it before it is taken for none.
_NEAR = 1e-3
_REFINED = 8


def _edge(support: Support, nu: float) -> _Edge:
    if support == "clamped":
        return (_ONE, _NONE, _NONE, _NONE), (_NONE, _ONE, _NONE, _NONE)
    if support == "simply supported":
        return (_ONE, _NONE, _NONE, _NONE), (_NONE, _NONE, _ONE, _NONE)
    # the moment g - (1 - nu) l (l - 1) f and the shear g' + (1 - nu) (l - 1) (l - 2) f'
    q = 1.0 - nu
    return ((0.0, q, -q), _NONE, _ONE, _NONE), (_NONE, (2.0 * q, -3.0 * q, q), _NONE, _ONE)


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
    supports = typing.get_args(Support)
    if not 0.0 < angle <= 2.0 * np.pi or not set(edges) <= set(supports):
        raise ConfigError(
            f"plate_exponents: expected an angle in (0, 2 pi] and edges of {', '.join(supports)}, "
            f"got {angle} and {edges}"
        )
    pair = [_edge(edge, poisson_ratio) for edge in edges]
    found: list[complex] = []
    for start in _eigenvalues(pair, angle / 2.0):
        # spurious ones of the discretisation have large imaginary parts
        if 0.9 < start.real < below + 0.1 and -_SAME < start.imag < 2.0 * below:
            root = _refined(start, pair, angle / 2.0)
            # motions of a rigid body are a root of high order at 1, which rounding splits
            if root is not None and 1.0 + _NEAR < root.real <= below:
                found.append(root)
    distinct: list[complex] = []
    for root in sorted(found, key=lambda l: (l.real, l.imag)):
        if all(abs(root - other) > _SAME for other in distinct):
            distinct.append(root)
    return tuple(distinct)


def _eigenvalues(edges: Sequence[_Edge], half: float) -> Sequence[complex]:
    """Return the l with f'' + l^2 f = g, g'' + (l - 2)^2 g = 0 and the conditions of both edges.

    f and g are sums of Chebyshev polynomials; l f and l g as further unknowns make the squares of
    l first powers.
    """
    n = _DEGREE
    inside = np.cos(np.pi * (np.arange(n - 2) + 0.5) / (n - 2))

    def at(order: int, z: Any) -> Any:
        return chebyshev.chebval(z, chebyshev.chebder(np.eye(n), order)).T / half**order

    f, second, none = at(0, inside), at(2, inside), np.zeros((n - 2, n))
    powers = [
        [np.block([[second, -f], [none, second + 4.0 * f]])],
        [np.block([[none, none], [none, -4.0 * f]])],
        [np.block([[f, none], [none, f]])],
    ]
    for edge, side in zip(edges, (1.0, -1.0), strict=True):
        values = [at(order, np.array([side])) for order in (0, 1)]
        for row in edge:
            for k, coefficients in enumerate(zip(*row, strict=True)):
                one = [c * values[i % 2] for i, c in enumerate(coefficients)]
                powers[k].append(np.hstack([one[0] + one[1], one[2] + one[3]]))
    constant, linear, square = (np.vstack(rows) for rows in powers)
    size = 2 * n
    left = np.block([[np.zeros((size, size)), np.eye(size)], [-constant, -linear]])
    right = scipy.linalg.block_diag(np.eye(size), square)
    values = scipy.linalg.eig(left, right, right=False)
    return [complex(l) for l in values if np.isfinite(l)]


def _refined(start: complex, edges: Sequence[_Edge], half: float) -> complex | None:
    """Return the root of the determinant beside an eigenvalue; None where there is none."""

    def determinant(l: complex) -> complex:
        powers = np.array([1.0, l, l * l])
        matrix = [
            [powers @ np.transpose(row) @ f for f in _functions(l, side * half)]
            for edge, side in zip(edges, (1.0, -1.0), strict=True)
            for row in edge
        ]
        return complex(np.linalg.det(np.array(matrix)))

    z, step = start, 1e-6
    for _ in range(_REFINED):
        slope = (determinant(z + step) - determinant(z - step)) / (2.0 * step)
        if slope == 0.0:
            break
        z -= determinant(z) / slope
        if not abs(z - start) < _NEAR:
            return None
    if abs(z.imag) < _SAME:
        whole = round(z.real)
        return complex(whole if abs(z.real - whole) < _SAME else z.real)
    return z if z.imag > 0.0 else None


def _functions(l: complex, theta: float) -> Sequence[npt.NDArray[np.complex128]]:
    """Return f, f', g, g' for f = cos(k theta) and sin(k theta)/k with k = l and l - 2."""
    found = []
    for k in (l, l - 2):
        # over k, since sin(k theta) alone is zero at k = 0, which is no exponent
        c, s = np.cos(k * theta), np.sin(k * theta) / k if abs(k) > 1e-9 else theta
        square = l * l - k * k
        found.append(np.array([c, -k * k * s, square * c, -square * k * k * s]))
        found.append(np.array([s, c, square * s, square * c]))
    return found

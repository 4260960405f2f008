"""`check_derivatives`: Taylor-mode derivatives against differences of many digits."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from ..core.dtypes import FLOAT64, Array
from ..errors import DifferentiationError, ShapeError
from ..ir.program import Program, Value
from ..transforms.custom import expand
from ..transforms.derivatives import derivatives
from ..transforms.jets import jet
from ..transforms.pointwise import Mixing, follow_axis
from ..transforms.trace import trace_call
from .multiprecision import evaluate_multiprecision, load_mpmath, multiprecision

__all__ = ["DerivativeCheck", "check_derivatives"]

Function = Callable[..., Any]
Index = tuple[int, ...]

# Differences at a step of 10^-20 are off by its square times derivatives of two orders more;
# every order costs as many digits as the step has.
_STEP_DIGITS = 20
_SPARE_DIGITS = 100
# A derivative that vanishes is measured by those of up to three orders before, times this.
_NEIGHBOUR = 1e-3


@dataclass(frozen=True)
class DerivativeCheck:
    """The largest relative error of each order of derivative, and what was allowed.

    Attributes
    ----------
    name
        What the function is called.
    errors, tolerances
        By order.
    """

    name: str
    errors: Mapping[int, float]
    tolerances: Mapping[int, float]

    @property
    def failures(self) -> list[int]:
        """The orders whose error is above the tolerance, or not a number."""
        return [k for k, e in self.errors.items() if not e <= self.tolerances[k]]

    @property
    def passed(self) -> bool:
        """Whether every order is within its tolerance."""
        return not self.failures

    def require(self) -> DerivativeCheck:
        """Return the check, or raise `DifferentiationError` with its table where it failed."""
        if not self.passed:
            raise DifferentiationError(
                f"derivatives of {self.name} differ from the reference:\n{self}"
            )
        return self

    def __str__(self) -> str:
        failed = self.failures
        rows = [
            f"{k:5}  {e:14.2e}  {self.tolerances[k]:9.0e}  {'FAILED' if k in failed else 'ok'}"
            for k, e in self.errors.items()
        ]
        return "\n".join(["order  relative error  tolerance", *rows])


def check_derivatives(
    function: Function,
    x: Any,
    orders: int | Sequence[int] = 10,
    *,
    direction: Any = None,
    mixed: bool = False,
    reference: Function | None = None,
    tolerance: float | None = None,
) -> DerivativeCheck:
    """Compare the derivatives of a function by Taylor mode with an independent reference.

    Either the derivatives d^k f(x + t v) / dt^k at t = 0 along a direction v, or with `mixed` all
    mixed derivatives of a pointwise field at points. The reference is never a rule of the
    framework: it is central differences, at a step of 1e-20 and with twenty digits more for every
    order, of mpmath values of a closed form or, without one, of the traced function itself,
    evaluated primitive by primitive on mpmath numbers.

    Parameters
    ----------
    function
        Function of one float64 array with one array as result; with `mixed` a pointwise field, as
        for `derivatives`.
    x
        Where: an array, or with `mixed` points of shape (points, d).
    orders
        The orders, each at least 1; a number K means 1 to K.
    direction
        v, of the shape of x; None means ones, which suits functions by element.
    mixed
        Whether to compare every multi-index of these orders instead.
    reference
        A closed form over mpmath numbers, such as ``mpmath.tanh``: of one number, the element, for
        a function by element; of the whole array of numbers for any other; with `mixed` of the
        coordinates of one point.
    tolerance
        Largest relative error; None means 1e-10 up to order 6 and 1e-8 above.

    Returns
    -------
    DerivativeCheck
        Prints as a table; ``require()`` raises where an order failed.

    Raises
    ------
    MissingPackageError
        If mpmath is not installed.
    ShapeError
        If x is not float64, or shapes do not fit.
    LoweringError
        If the function uses something that has no meaning over mpmath numbers.

    Notes
    -----
    An error is relative to the reference of the same result element, the largest of its order over
    multi-indices; where that vanishes, to a thousandth of the orders just below. Functions
    with derivative rules of their own are measured by what they compute.

    Examples
    --------
    >>> import sciml.framework as sf
    >>> check = sf.check_derivatives(lambda x: sf.tanh(x) * x, np.array([0.3, 1.2]), orders=8)
    >>> check.passed, list(check.errors)
    (True, [1, 2, 3, 4, 5, 6, 7, 8])
    """
    mp = load_mpmath()
    wanted = sorted(range(1, orders + 1) if isinstance(orders, int) else {int(k) for k in orders})
    if not wanted or wanted[0] < 1:
        raise ShapeError(f"check_derivatives: orders must be 1 or more, got {orders}")
    point = np.asarray(x)
    if point.dtype != FLOAT64 or (mixed and point.ndim != 2):
        raise ShapeError(
            "check_derivatives: x must be float64"
            f"{', of shape (points, d)' if mixed else ''}, got {point.dtype}{list(point.shape)}"
        )
    if mixed and direction is not None:
        raise ShapeError("check_derivatives: mixed derivatives have no direction")
    v = np.ones_like(point) if direction is None else np.asarray(direction, dtype=FLOAT64)
    if v.shape != point.shape:
        raise ShapeError(f"check_derivatives: direction {v.shape} and x {point.shape} differ")
    axes = list(_axes(point)) if mixed else [v]
    # neighbours below the orders give the scale where a derivative vanishes
    lowest = max(1, wanted[0] - 3)
    indices = [
        a
        for a in itertools.product(range(wanted[-1] + 1), repeat=len(axes))
        if lowest <= sum(a) <= wanted[-1]
    ]
    with mp.workdps(_STEP_DIGITS * wanted[-1] + _SPARE_DIGITS):
        values = _Values(function, reference, point, axes, mixed)
        exact = {a: values.difference(a) for a in indices}
        got = _taylor(function, point, v, indices, mixed)
        errors = {k: _error(k, indices, got, exact) for k in wanted}
    limits = {
        k: tolerance if tolerance is not None else (1e-10 if k <= 6 else 1e-8) for k in wanted
    }
    name = getattr(function, "__name__", "function")
    return DerivativeCheck(name, MappingProxyType(errors), MappingProxyType(limits))


def _axes(points: Array) -> Sequence[Array]:
    """The directions of the coordinates, at every point."""
    return [np.broadcast_to(row, points.shape) for row in np.eye(points.shape[1])]


def _taylor(
    function: Function, x: Array, v: Array, indices: Sequence[Index], mixed: bool
) -> dict[Index, Array]:
    """Return derivatives by Taylor mode."""
    if mixed:
        found = derivatives(function, indices)(x)
        return dict(zip(indices, map(np.asarray, found), strict=True))
    order = max(a[0] for a in indices)
    _, terms = jet(function, (x,), ([v, *[np.zeros_like(v)] * (order - 1)],))
    return {a: np.asarray(terms[a[0] - 1]) for a in indices}


class _Values:
    """Values of a function around a point at the working precision, each computed once."""

    def __init__(
        self,
        function: Function,
        reference: Function | None,
        x: Array,
        axes: Sequence[Array],
        mixed: bool,
    ) -> None:
        self.x = multiprecision(x)
        self.axes = [multiprecision(v) for v in axes]
        self.step = load_mpmath().mpf(10) ** -_STEP_DIGITS
        self.known: dict[Index, Array] = {}
        traced, operands = trace_call(function, (x,))
        program = expand(traced.program)
        if len(program.outputs) != 1:
            raise ShapeError(f"{program.name} must return one array")
        self.shape = tuple(int(s) for s in program.outputs[0].type.shape)
        frozen: dict[Value, Array] = {}

        captured = [np.asarray(o) for o in operands[1:]]

        def interpreted(point: Array) -> Array:
            return evaluate_multiprecision(program, [point, *captured], frozen)[0]

        self.at: Callable[[Array], Array] = interpreted
        if reference is None:
            interpreted(self.x)  # which freezes what is constant to derivatives
        else:
            self.at = _closed(reference, program, self.shape, mixed)

    def value(self, place: Index) -> Array:
        """Return the value at x + step * (place along the axes)."""
        if place not in self.known:
            moved = self.x
            for n, axis in zip(place, self.axes, strict=True):
                moved = moved + axis * (self.step * n)
            self.known[place] = self.at(moved)
        return self.known[place]

    def difference(self, a: Index) -> Array:
        """Return the central difference of a multi-index over a grid of spacing 2 steps."""
        total, largest = multiprecision(np.zeros(self.shape)), multiprecision(0.0)
        for j in itertools.product(*(range(n + 1) for n in a)):
            weight = math.prod((-1) ** k * math.comb(n, k) for k, n in zip(j, a, strict=True))
            term = self.value(tuple(n - 2 * k for k, n in zip(j, a, strict=True))) * weight
            total, largest = total + term, np.maximum(largest, np.abs(term))
        # what rounding leaves of a difference of equal numbers is zero
        rounding = largest * load_mpmath().eps * 10**5
        difference = np.where(np.abs(total) > rounding, total, 0 * total)
        return np.asarray(difference / (2 * self.step) ** sum(a), dtype=object)


def _closed(
    reference: Function, program: Program, shape: tuple[int, ...], mixed: bool
) -> Callable[[Array], Array]:
    """Return a closed form as a function of arrays."""
    by_element = not mixed and _by_element(program)

    def at(x: Array) -> Array:
        if mixed:
            result: Any = [reference(*row) for row in x]
        elif by_element:
            result = [reference(value) for value in x.ravel()]
        else:
            result = reference(x)
        values = multiprecision(result)
        if values.size != math.prod(shape):
            raise ShapeError(
                f"check_derivatives: the reference gives {values.shape}, the function {shape}"
            )
        return values.reshape(shape)

    return at


def _by_element(program: Program) -> bool:
    """Return whether each element of the result comes from the same element of the input."""
    value, (output,) = program.inputs[0], program.outputs
    carried = [follow_axis(program, {value: axis}) for axis in range(value.type.rank)]
    return value.type.shape == output.type.shape and all(
        not isinstance(c, Mixing) and c.get(output) == axis for axis, c in enumerate(carried)
    )


def _error(
    order: int,
    indices: Sequence[Index],
    got: Mapping[Index, Array],
    exact: Mapping[Index, Array],
) -> float:
    """Return the largest error of an order, element by element of the result."""
    sizes = {
        k: np.max([np.abs(exact[a]) for a in indices if sum(a) == k], axis=0)
        for k in range(max(1, order - 3), order + 1)
    }
    below = np.max(list(sizes.values()), axis=0)
    largest = 0.0
    for a in (a for a in indices if sum(a) == order):
        difference = np.abs(multiprecision(got[a]) - exact[a])
        for d, size, neighbour in np.nditer(
            [difference, sizes[order], below], flags=["refs_ok", "zerosize_ok"]
        ):
            scale = max(size.item(), _NEIGHBOUR * neighbour.item())
            error = d.item() / scale if scale else (math.inf if d.item() else 0.0)
            largest = max(largest, float(error)) if error == error else math.nan
    return largest

"""Coefficients given as values on a grid."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, final

import numpy as np

import sciml.framework as framework
from sciml.framework.errors import EquationError

from .given import CoefficientFunction

_SLACK = 1e-6


@final
@dataclass(frozen=True, eq=False)
class Tabulated(CoefficientFunction):
    """Values on a tensor grid over one to three coordinates, with a spline through them.

    The spline is the tensor product of one-dimensional interpolating splines without a knot at the
    second and the last but one value, as `scipy.interpolate.make_interp_spline`.

    Parameters
    ----------
    axes
        For each coordinate its values on the grid, increasing [coordinate units].
    values
        Values in the unit of the coefficient, one axis per coordinate in the same order.
    degree
        1, linear, continuous; 3, cubic, with two continuous derivatives; or 5, with four.
    outside
        What is outside the grid: ``"error"``, ``"constant"``, the value at the nearest point of
        it, or ``"extend"``, the polynomials of the outermost cells.
    name
        Its name in formulas where none is declared.

    Raises
    ------
    EquationError
        If there are not one to three axes, an axis is not increasing or too short for the degree,
        or the shape of the values does not fit.

    References
    ----------
    de Boor (2001), A Practical Guide to Splines, chapters XIII and XVII.

    Examples
    --------
    >>> k = Tabulated({"x": [0.0, 1.0, 2.0, 3.0]}, [0.0, 1.0, 8.0, 27.0])
    >>> k(None, np.array([[1.5], [2.5]]))
    array([ 3.375, 15.625])
    """

    axes: Mapping[str, Sequence[float]]
    values: Any
    degree: Literal[1, 3, 5] = 3
    outside: Literal["error", "constant", "extend"] = "error"
    name: str = ""

    def __post_init__(self) -> None:
        try:
            axes = {str(k): np.array(v, dtype=float) for k, v in dict(self.axes).items()}
            values = np.array(self.values, dtype=float)
        except (TypeError, ValueError) as error:
            raise EquationError(f"Tabulated: axes and values must be numbers: {error}") from None
        object.__setattr__(self, "axes", axes)
        object.__setattr__(self, "values", values)
        if self.degree not in (1, 3, 5) or self.outside not in ("error", "constant", "extend"):
            raise EquationError(
                "Tabulated: degree must be 1, 3 or 5 and outside 'error', 'constant' or 'extend', "
                f"got {self.degree!r} and {self.outside!r}"
            )
        if not 1 <= len(axes) <= 3:
            raise EquationError(f"Tabulated: expected 1 to 3 axes, got {len(axes)}")
        for word, axis in axes.items():
            if axis.ndim != 1 or len(axis) <= self.degree or not (np.diff(axis) > 0).all():
                raise EquationError(
                    f"Tabulated: the axis {word!r} must be increasing with {self.degree + 1} "
                    f"values or more for degree {self.degree}, got {axis}"
                )
        expected = tuple(map(len, axes.values()))
        if values.shape != expected or not np.isfinite(values).all():
            raise EquationError(
                f"Tabulated: values must be finite numbers of shape {expected}, one axis per "
                f"coordinate {', '.join(axes)}; got shape {values.shape}"
            )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tabulated) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @cached_property
    def _key(self) -> tuple[object, ...]:
        grid = tuple((word, np.asarray(axis).tobytes()) for word, axis in self.axes.items())
        return (grid, self.values.tobytes(), self.degree, self.outside, self.name)

    @classmethod
    def read(cls, path: str | Path, value: str, **options: Any) -> Tabulated:
        """Return the table of a file.

        Parameters
        ----------
        path
            A CSV file whose first line names the columns, with one line per point of the grid in
            any order; or an NPZ file with one array per axis and one of the values.
        value
            Name of the column or array of the values; the others are the axes.
        **options
            ``degree``, ``outside`` and ``name``.

        Raises
        ------
        EquationError
            If the file has no such column, or its points are not those of a grid.
        """
        path = Path(path)
        if path.suffix == ".npz":
            with np.load(path) as stored:
                content = {word: np.asarray(stored[word]) for word in stored.files}
            _has(content, value, path)
            values = content.pop(value)
            return cls(content, values, **options)  # type: ignore[arg-type]
        header = path.read_text(encoding="utf-8").partition("\n")[0]
        words = [word.strip().strip("\"'") for word in header.split(",")]
        rows = np.loadtxt(path, delimiter=",", skiprows=1, ndmin=2)
        content = dict(zip(words, rows.T, strict=True))
        _has(content, value, path)
        column = content.pop(value)
        axes = {word: np.unique(c) for word, c in content.items()}
        places = tuple(np.searchsorted(axes[word], c) for word, c in content.items())
        values = np.full(tuple(map(len, axes.values())), np.nan)
        values[places] = column
        if values.size != len(column) or np.isnan(values).any():
            raise EquationError(
                f"{path}: expected each of the {values.size} points of the grid over "
                f"{', '.join(axes)} once, got {len(column)} lines"
            )
        return cls(axes, values, **options)  # type: ignore[arg-type]

    @property
    def over(self) -> tuple[str, ...]:
        return tuple(self.axes)

    @property
    def trainable(self) -> bool:
        return False

    @property
    def smoothness(self) -> int:
        return self.degree - 1

    @property
    def range(self) -> tuple[float, float]:
        """Smallest and largest value of the table; a spline may go a little beyond."""
        return float(self.values.min()), float(self.values.max())

    def initialise(self) -> None:
        return None

    def check(self, X: np.ndarray, where: str) -> None:
        if self.outside != "error":
            return
        for column, (word, axis) in zip(X.T, self.axes.items(), strict=True):
            slack = _SLACK * (axis[-1] - axis[0])
            beyond = column[(column < axis[0] - slack) | (column > axis[-1] + slack)]
            if beyond.size:
                raise EquationError(
                    f"{where}: the table goes from {word} = {axis[0]:g} to {axis[-1]:g}, got "
                    f"{word} = {beyond[0]:g}; give more values, or outside='constant' or 'extend'"
                )

    def __call__(self, parameters: Any, X: Any) -> Any:
        """Return the spline at X, shape (n,).

        At points that cannot be looked at beforehand, outside="error" gives NaN.
        """
        kind = X.dtype
        result = framework.ones_like(X[:, 0])
        table = None
        for number, (basis, axis) in enumerate(zip(self._bases, self.axes.values(), strict=True)):
            x = X[:, number]
            if self.outside == "constant":
                low, high = float(axis[0]), float(axis[-1])
                x = framework.minimum(framework.maximum(x, low), high)
            elif self.outside == "error":
                slack = _SLACK * float(axis[-1] - axis[0])
                inside = (x >= float(axis[0]) - slack) & (x <= float(axis[-1]) + slack)
                result = framework.where(inside, result, result * math.nan)
            if table is None:
                flat = self.values.reshape(len(axis), -1)
                table = _pieces([c @ flat for c in basis], np.asarray(axis), x, kind, self.degree)
                continue
            weights = _pieces(basis, np.asarray(axis), x, kind, self.degree)
            count = len(axis)
            size = math.prod(self.values.shape[number + 1 :])
            split = framework.reshape(table, (x.shape[0], count, size))
            table = (split * framework.reshape(weights, (x.shape[0], count, 1))).sum(axis=1)
        return framework.reshape(table, (X.shape[0],)) * result

    @cached_property
    def _bases(self) -> list[list[np.ndarray]]:
        """For each axis the pieces of the splines that are 1 at one value and 0 at the others."""
        from scipy.interpolate import make_interp_spline

        result = []
        for axis in self.axes.values():
            spline = make_interp_spline(axis, np.eye(len(axis)), k=self.degree)
            left = _breaks(np.asarray(axis), self.degree)[:-1]
            orders = range(self.degree, -1, -1)
            result.append([spline(left, nu=p) / math.factorial(p) for p in orders])
        return result


def _breaks(axis: np.ndarray, degree: int) -> np.ndarray:
    """Return where one polynomial ends and the next begins, the ends included."""
    skipped = (degree - 1) // 2
    return np.concatenate([axis[:1], axis[1 + skipped : len(axis) - 1 - skipped], axis[-1:]])


def _pieces(
    coefficients: Sequence[np.ndarray], axis: np.ndarray, x: Any, kind: Any, degree: int
) -> Any:
    """Return piecewise polynomials at x, shape (n, m), from coefficients of shape (pieces, m).

    What a piece has is that of the first plus all changes up to it, so that choosing the piece is a
    product with the steps at the breaks, whose derivatives vanish.
    """
    left = _breaks(axis, degree)[:-1]
    shape = (x.shape[0], len(left) - 1)
    column = framework.reshape(x, (x.shape[0], 1))
    steps = None
    if len(left) > 1:
        wide = framework.broadcast_to(column, shape)
        past = wide >= framework.broadcast_to(left[None, 1:].astype(kind), shape)
        steps = framework.where(past, framework.ones_like(wide), framework.zeros_like(wide))

    def chosen(by_piece: np.ndarray) -> Any:
        first = by_piece[:1].astype(kind)
        if steps is None:
            return first
        return steps @ np.diff(by_piece, axis=0).astype(kind) + first

    inside = column - chosen(left[:, None])
    result = chosen(coefficients[0]) + framework.zeros_like(column)
    for coefficient in coefficients[1:]:
        result = result * inside + chosen(coefficient)
    return result


def _has(content: Mapping[str, object], value: str, path: Path) -> None:
    if value not in content:
        raise EquationError(f"{path}: no column {value!r}; there are {', '.join(content)}")

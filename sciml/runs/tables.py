"""Tables of numbers: points that are read, and values that are written."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sciml.framework.errors import ConfigError

Numbers = npt.NDArray[np.float64]


def point(text: str, names: Sequence[str]) -> list[float]:
    """Return the coordinates in ``0.5,0.5``.

    Raises
    ------
    ConfigError
        When these are no numbers, or not one for each coordinate.

    Examples
    --------
    >>> point("0.5, 2", ("x", "t"))
    [0.5, 2.0]
    """
    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if len(values) != len(names):
        raise ConfigError(
            f"--at {text}: expected {len(names)} numbers with commas between them, for "
            f"{', '.join(names)}"
        )
    return values


def read_points(path: Path, names: Sequence[str]) -> Numbers:
    """Return points of shape (n, d) from a file.

    Parameters
    ----------
    path : Path
        An NPY file of this shape, or a CSV file with the names of the coordinates, among others,
        in its first line.
    names : sequence of str
        Names of the coordinates.

    Raises
    ------
    ConfigError
        When it cannot be read, or does not hold a number for every coordinate of every point.
    """
    try:
        X = (
            np.load(path, allow_pickle=False)
            if path.suffix == ".npy"
            else read_columns(path, names)
        )
    except (OSError, ValueError, EOFError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise ConfigError(f"{path}: cannot be read: {reason}") from None
    wrong = f"expected numbers of shape (points, {len(names)})"
    if not isinstance(X, np.ndarray) or X.ndim != 2 or X.shape[1] != len(names):
        raise ConfigError(f"{path}: {wrong}, got {getattr(X, 'shape', 'several arrays')}")
    if X.dtype.kind not in "fiu" or not np.isfinite(X).all() or not len(X):
        raise ConfigError(f"{path}: {wrong}, all finite and at least one")
    return X.astype(float)


def read_columns(path: Path, names: Sequence[object]) -> Numbers:
    """Return columns of a CSV file by the names in its first line, shape (rows, columns).

    Raises
    ------
    ValueError
        When there is no such column, a row is of another length, or a cell no number.
    OSError
        When it cannot be opened.
    """
    with open(path, encoding="utf-8", newline="") as stream:
        header, *rows = [row for row in csv.reader(stream) if row] or [[]]
    titles = [title.strip() for title in header]
    for name in names:
        if name not in titles:
            raise ValueError(f"the first line names no {name!r}, only {', '.join(titles)}")
    columns = [titles.index(str(name)) for name in names]
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise ValueError(f"row {number} has {len(row)} entries, expected {len(header)}")
    return np.array([[float(row[i]) for i in columns] for row in rows]).reshape(-1, len(names))


def csv_text(columns: Mapping[str, Numbers]) -> str:
    """Return columns of equal length as CSV, with all digits.

    Examples
    --------
    >>> print(csv_text({"x": np.array([0.5]), "u": np.array([0.1])}), end="")
    x,u
    0.5,0.1
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(values.tolist() for values in columns.values()), strict=True))
    return stream.getvalue()

"""A solution as files for other programs."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from sciml.framework.errors import EquationError, MissingPackageError

from .constraint import Array
from .vtu import Cells, pvd, vtu

if TYPE_CHECKING:
    from xarray import Dataset

    from .solution import Solution

_TIME = "t"
_MOST = 3
_LARGEST = 10_000_000
# Corners along the longest side in 1, 2 and 3 dimensions.
_SIZES = (1001, 101, 41)


def has_vtk(solution: Solution) -> bool:
    """Return whether a solution has one to three coordinates besides time."""
    return 1 <= len(_space(solution)) <= _MOST


def vtk_files(
    solution: Solution, name: str, size: int | None = None, times: int = 21
) -> dict[str, bytes]:
    """Return all quantities of a solution as the contents of VTK files by file name.

    Parameters
    ----------
    solution : Solution
        What to write.
    name : str
        Name of the first file: ``NAME.vtu``, or where there is a coordinate t ``NAME.pvd``, which
        refers to ``NAME-000.vtu`` and so on.
    size : int or None
        Points along the longest side, >= 2; None chooses 1001, 101 or 41 in 1, 2 or 3 dimensions.
    times : int
        Number of equal times from the first to the last, >= 2.

    Raises
    ------
    EquationError
        With none or more than three coordinates besides time, another ending, no cell of the grid
        inside the domain, or numbers out of range.

    Notes
    -----
    Cells of a regular grid that lie in the domain are written, so that a curved boundary has steps
    of the size of a cell.
    """
    space, names = _space(solution), [c for c, _ in solution.coordinates]
    if not has_vtk(solution):
        raise EquationError(
            f"a VTK file has one to three coordinates besides {_TIME}, got {', '.join(names)}; "
            "evaluate the solution and write NPZ instead"
        )
    moving = _TIME in names
    path, ending = PurePath(name), ".pvd" if moving else ".vtu"
    if path.suffix != ending:
        raise EquationError(
            f"a solution {'with' if moving else 'without'} time is written to a file that ends "
            f"in {ending}, got {name!r}"
        )
    size = _SIZES[len(space) - 1] if size is None else size
    if size < 2 or times < 2:
        raise EquationError(f"size and times must be 2 or more, got size={size} and times={times}")
    lower, upper = solution.trial.problem.geometry.bounding_box
    if not moving:
        return {path.name: _snapshot(solution, space, size, None)}
    i = names.index(_TIME)
    instants = np.linspace(lower[i], upper[i], times).tolist()
    files = {f"{path.stem}-{k:03d}.vtu": t for k, t in enumerate(instants)}
    snapshots = {f: _snapshot(solution, space, size, t) for f, t in files.items()}
    return {path.name: pvd(files), **snapshots}


def dataset(solution: Solution, size: int) -> Dataset:
    """Return all quantities on the regular grid of the box around the domain, NaN outside of it.

    Parameters
    ----------
    solution : Solution
        What to evaluate.
    size : int
        Points along every coordinate, >= 2.

    Raises
    ------
    MissingPackageError
        When xarray is not installed.
    EquationError
        When the grid would have too many points.
    """
    try:
        from xarray import Dataset
    except ImportError:
        raise MissingPackageError(
            "to_xarray needs the package xarray, which is not installed; "
            'pip install "sciml[xarray]"'
        ) from None
    names = [name for name, _ in solution.coordinates]
    if size < 2 or size ** len(names) > _LARGEST:
        raise EquationError(
            f"to_xarray: {size} points along each of {', '.join(names)}; expected 2 or more, and "
            f"not more than {_LARGEST:,} in all"
        )
    geometry = solution.trial.problem.geometry
    axes = [np.linspace(low, high, size) for low, high in zip(*geometry.bounding_box, strict=True)]
    X = np.stack([c.ravel() for c in np.meshgrid(*axes, indexing="ij")], axis=1)
    inside = np.asarray(geometry.contains(X))
    fields = {}
    for name, values in solution.evaluate(solution.names, X[inside]).items():
        full = np.full(len(X), np.nan)
        full[inside] = values
        attributes = {"units": solution[name].unit}
        fields[name] = (names, full.reshape([size] * len(names)), attributes)
    units = dict(solution.coordinates)
    coordinates = {n: (n, axis, {"units": units[n]}) for n, axis in zip(names, axes, strict=True)}
    return Dataset(fields, coordinates)


def _space(solution: Solution) -> list[int]:
    """Return the numbers of the coordinates besides time."""
    return [i for i, (name, _) in enumerate(solution.coordinates) if name != _TIME]


def _snapshot(solution: Solution, space: list[int], size: int, time: float | None) -> bytes:
    geometry = solution.trial.problem.geometry
    lower, upper = geometry.bounding_box

    def lift(Y: Array) -> Array:
        X = np.full((len(Y), geometry.dimension), 0.0 if time is None else time)
        X[:, space] = Y
        return X

    box = [lower[i] for i in space], [upper[i] for i in space]
    cells = Cells.inside(box, size, lambda Y: np.asarray(geometry.contains(lift(Y))))
    if not len(cells.corners):
        where = "" if time is None else f" at t = {time:g}"
        raise EquationError(f"no cell of a grid of size {size} lies in the domain{where}")
    return vtu(cells, solution.evaluate(solution.names, lift(cells.points)))

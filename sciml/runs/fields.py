"""The fields of a run as files: points and values as NPZ, and for ParaView as VTU or PVD."""

from __future__ import annotations

import io

import numpy as np

from sciml.problem.export import has_vtk, vtk_files
from sciml.problem.solution import Solution
from sciml.training.atomic import make_folder, write_bytes

from .folder import RunFolder
from .report import Reporter

_NAME = "fields"


def write(folder: RunFolder, size: int, solution: Solution, reporter: Reporter) -> None:
    """Write all quantities of a solution.

    Parameters
    ----------
    folder : RunFolder
        Where; the files lie in its folder ``fields``.
    size : int
        Points along the longer side in the NPZ file, which holds one array per coordinate and
        per quantity by name, each of shape (n,).
    solution : Solution
        What to write.
    reporter : Reporter
        Is told where a problem has too many coordinates for ParaView.

    Raises
    ------
    OutputError
        When a file cannot be written.
    """
    make_folder(folder.fields)
    write_bytes(folder.fields / f"{_NAME}.npz", npz(solution, solution.points(size)))
    if not has_vtk(solution):
        reporter.say("no VTU files: there are more than three coordinates besides time")
        return
    moving = any(name == "t" for name, _ in solution.coordinates)
    for name, content in vtk_files(solution, f"{_NAME}.{'pvd' if moving else 'vtu'}").items():
        write_bytes(folder.fields / name, content)


def table(solution: Solution, X: np.ndarray, names: list[str]) -> dict[str, np.ndarray]:
    """Return coordinates and quantities at points of shape (n, d) by name, each of shape (n,)."""
    columns = {name: X[:, i] for i, (name, _) in enumerate(solution.coordinates)}
    return columns | solution.evaluate(names, X)


def npz(solution: Solution, X: np.ndarray) -> bytes:
    """Return all quantities at points of shape (n, d) as the content of an NPZ file."""
    stream = io.BytesIO()
    np.savez(stream, **table(solution, X, solution.names))  # type: ignore[arg-type]
    return stream.getvalue()

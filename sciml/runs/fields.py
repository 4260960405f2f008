"""The fields of a run as files: points and values as NPZ, and for ParaView as VTU or PVD."""

from __future__ import annotations

import io
from collections.abc import Mapping

import numpy as np

from sciml.problem.export import has_vtk, vtk_files
from sciml.problem.solution import Solution
from sciml.training.atomic import make_folder, write_bytes

from .folder import RunFolder
from .report import Reporter
from .tables import Numbers, csv_text

_NAME = "fields"
_SIZE = 101


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
    contents = files(solution, "npz", size)
    if has_vtk(solution):
        contents |= files(solution, "vtu", None)
    else:
        reporter.say("no VTU files: there are more than three coordinates besides time")
    make_folder(folder.fields)
    for name, content in contents.items():
        write_bytes(folder.fields / name, content)


def table(solution: Solution, X: Numbers, names: list[str]) -> dict[str, Numbers]:
    """Return coordinates and quantities at points of shape (n, d) by name, each of shape (n,)."""
    columns = {name: X[:, i] for i, (name, _) in enumerate(solution.coordinates)}
    return columns | solution.evaluate(names, X)


def npz(columns: Mapping[str, Numbers]) -> bytes:
    """Return arrays by name as the content of an NPZ file."""
    stream = io.BytesIO()
    np.savez(stream, **columns)  # type: ignore[arg-type]
    return stream.getvalue()


def files(solution: Solution, kind: str, size: int | None) -> dict[str, bytes]:
    """Return all quantities on a grid as the contents of files by name.

    Parameters
    ----------
    solution : Solution
        What to write.
    kind : str
        ``vtu``, ``npz`` or ``csv``.
    size : int or None
        Points along the longest side, >= 2; None chooses 101, or for ``vtu`` as `vtk_files` does.

    Raises
    ------
    EquationError
        When ParaView cannot show so many coordinates.
    """
    if kind == "vtu":
        moving = any(name == "t" for name, _ in solution.coordinates)
        return vtk_files(solution, f"{_NAME}.{'pvd' if moving else 'vtu'}", size)
    columns = table(solution, solution.points(size or _SIZE), solution.names)
    content = npz(columns) if kind == "npz" else csv_text(columns).encode()
    return {f"{_NAME}.{kind}": content}

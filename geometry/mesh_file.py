"""Reading meshes from files, with names of groups where the file has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, final

import numpy as np

from sciml.framework.errors import GeometryError, MissingPackageError

from .parts import BOUNDARY

if TYPE_CHECKING:
    import meshio

Array = np.ndarray

# Formats of surfaces alone; all others are read as meshes of cells.
SURFACES = (".stl", ".obj", ".ply")
# Name of the part in no group.
REST = "rest"


@final
@dataclass(frozen=True, eq=False)
class MeshFile:
    """Vertices, cells and named groups of cells.

    Parameters
    ----------
    vertices
        Shape (n, 3) or (n, 2) [m].
    triangles
        Indices of the vertices of triangles, shape (m, 3).
    groups
        Numbers of the triangles in each physical group, by name; empty where the file has none.
    lines
        Indices of the ends of lines, shape (k, 2).
    line_groups
        Numbers of the lines in each physical group, by name.
    """

    vertices: Array
    triangles: Array
    groups: dict[str, Array]
    lines: Array
    line_groups: dict[str, Array]


def read(path: str) -> MeshFile:
    """Return what a file holds: STL, OBJ and PLY by trimesh, all others by meshio.

    Raises
    ------
    GeometryError
        If there is no such file, or it holds no triangles.
    MissingPackageError
        If the package for its format is not installed.
    """
    if not Path(path).is_file():
        raise GeometryError(f"Mesh: there is no file {path!r}")
    surface = Path(path).suffix.lower() in SURFACES
    try:
        found = _surface(path) if surface else _cells(path)
    except ImportError as error:
        raise MissingPackageError(
            f"Mesh: reading {path!r} needs {error.name}; pip install 'sciml[mesh]'"
        ) from None
    if not len(found.triangles):
        raise GeometryError(f"Mesh: {path!r} holds no triangles")
    return found


def parts(groups: Mapping[str, Array], count: int, whole: str) -> dict[str, Array]:
    """Return the numbers of cells of each part of a boundary, each cell in one of them.

    Parameters
    ----------
    groups
        Numbers of the cells in each physical group, by name.
    count
        Number of all cells; those in no group are the part ``rest``.
    whole
        Name of all cells where there is no group.

    Raises
    ------
    GeometryError
        If a cell lies in two groups, or a group has the name of another part.
    """
    every = {name: np.unique(rows) for name, rows in groups.items()}
    times = np.bincount(np.concatenate([np.zeros(0, dtype=int), *every.values()]), minlength=count)
    if (times > 1).any():
        cell = int(np.argmax(times > 1))
        names = [name for name, rows in every.items() if cell in rows]
        raise GeometryError(
            f"Mesh: {np.sum(times > 1)} cells of the boundary lie in several physical groups, one "
            f"of them in {names}; put each in one group of the file"
        )
    left = np.flatnonzero(times == 0)
    if not every:
        return {whole: left}
    rest = {REST: left} if len(left) else {}
    for name in every:
        if name == BOUNDARY or name in rest:
            raise GeometryError(
                f"Mesh: {name!r} is the name of all of the boundary, or of what is in no group; "
                "give the physical group of the file another one"
            )
    return {**every, **rest}


def _surface(path: str) -> MeshFile:
    import trimesh

    mesh = trimesh.load(path, force="mesh", process=False)
    assert isinstance(mesh, trimesh.Trimesh)  # which force="mesh" returns
    return MeshFile(np.asarray(mesh.vertices, dtype=float), np.asarray(mesh.faces), {},
                    np.zeros((0, 2), dtype=int), {})  # fmt: skip


def _cells(path: str) -> MeshFile:
    import meshio

    mesh = meshio.read(path)
    triangles, groups = _of_kind(mesh, "triangle", 2)
    lines, line_groups = _of_kind(mesh, "line", 1)
    return MeshFile(np.asarray(mesh.points, dtype=float), triangles, groups, lines, line_groups)


def _of_kind(mesh: meshio.Mesh, kind: str, dimension: int) -> tuple[Array, dict[str, Array]]:
    """Return the cells of a kind, and their numbers by the names of their physical groups."""
    cells = [np.zeros((0, dimension + 1), dtype=int)]
    tags = [np.zeros(0, dtype=int)]
    physical = mesh.cell_data.get("gmsh:physical", [np.zeros(len(b.data)) for b in mesh.cells])
    for block, values in zip(mesh.cells, physical, strict=True):
        if block.type == kind:
            cells.append(block.data)
            tags.append(np.asarray(values, dtype=int))
    tag = np.concatenate(tags)
    groups = {
        name: np.flatnonzero(tag == number)
        for name, (number, own) in mesh.field_data.items()
        if own == dimension
    }
    return np.concatenate(cells), {name: rows for name, rows in groups.items() if len(rows)}

"""Reading meshes from files, with names of groups where the file has them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import final

import numpy as np

from sciml.framework.errors import GeometryError, MissingPackageError

Array = np.ndarray

# Formats of surfaces alone; all others are read as meshes of cells.
SURFACES = (".stl", ".obj", ".ply")


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
    """

    vertices: Array
    triangles: Array
    groups: dict[str, Array]


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


def _surface(path: str) -> MeshFile:
    import trimesh

    mesh = trimesh.load(path, force="mesh", process=False)
    assert isinstance(mesh, trimesh.Trimesh)  # which force="mesh" returns
    return MeshFile(np.asarray(mesh.vertices, dtype=float), np.asarray(mesh.faces), {})


def _cells(path: str) -> MeshFile:
    import meshio

    mesh = meshio.read(path)
    triangles = [block.data for block in mesh.cells if block.type == "triangle"]
    names = {
        int(number): name for name, (number, dimension) in mesh.field_data.items() if dimension == 2
    }
    tags = [
        np.asarray(values)
        for block, values in zip(mesh.cells, mesh.cell_data.get("gmsh:physical", []), strict=False)
        if block.type == "triangle"
    ]
    groups: dict[str, Array] = {}
    if tags and names:
        tag = np.concatenate(tags)
        groups = {name: np.flatnonzero(tag == number) for number, name in names.items()}
    return MeshFile(
        np.asarray(mesh.points, dtype=float),
        np.concatenate(triangles) if triangles else np.zeros((0, 3), dtype=int),
        {name: rows for name, rows in groups.items() if len(rows)},
    )

"""Fields on points and cells as VTK XML files, which ParaView opens."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
import numpy.typing as npt

from .constraint import Array

# VTK's numbers of a line, a quadrilateral and a hexahedron, and the corners of a cell of the unit
# lattice in VTK's order, which goes round the faces.
_KINDS = (3, 9, 12)
_CORNERS = (
    ((0,), (1,)),
    ((0, 0), (1, 0), (1, 1), (0, 1)),
    (
        (0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0),
        (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1),
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Cells:
    """Equal boxes with their corners, in 1 to 3 dimensions.

    Parameters
    ----------
    points : Array
        Corners, shape (n, d).
    corners : array of int
        Numbers of the corners of each cell in VTK's order, shape (cells, 2^d).
    """

    points: Array
    corners: npt.NDArray[np.int64]

    @classmethod
    def inside(
        cls,
        box: tuple[Sequence[float], Sequence[float]],
        size: int,
        contains: Callable[[Array], npt.NDArray[np.bool_]],
    ) -> Cells:
        """Return the cells of a lattice over a box whose corners all lie in a domain.

        Parameters
        ----------
        box : pair of sequences of float
            Lower and upper corner, of one to three numbers each.
        size : int
            Corners along the longest side.
        contains : function
            Which points, shape (n, d), lie in the domain.

        Examples
        --------
        >>> cells = Cells.inside(((0, 0), (2, 1)), 3, lambda X: X[:, 0] < 1.5)
        >>> cells.points.tolist(), cells.corners.tolist()
        ([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [[0, 2, 3, 1]])
        """
        lower, upper = (np.asarray(side, dtype=float) for side in box)
        sides = upper - lower
        counts = np.maximum(2, np.rint((size - 1) * sides / sides.max()).astype(int) + 1)
        axes = [np.linspace(a, b, n) for a, b, n in zip(lower, upper, counts, strict=True)]
        points = np.stack([c.ravel() for c in np.meshgrid(*axes, indexing="ij")], axis=1)
        number = np.arange(len(points)).reshape(counts)
        corners = np.stack(
            [number[tuple(slice(c, n - 1 + c) for c, n in zip(corner, counts, strict=True))].ravel()
             for corner in _CORNERS[len(counts) - 1]],
            axis=1,
        )  # fmt: skip
        corners = corners[np.asarray(contains(points))[corners].all(axis=1)]
        used, renumbered = np.unique(corners, return_inverse=True)
        return cls(points[used], renumbered.reshape(corners.shape))


def vtu(cells: Cells, fields: Mapping[str, Array]) -> bytes:
    """Return an unstructured grid with point data, as XML with numbers in base64.

    Parameters
    ----------
    cells : Cells
        Where the values are.
    fields : Mapping of str to Array
        Values by name, one per point, shape (n,).

    Notes
    -----
    The format is that of Kitware, VTK File Formats, "UnstructuredGrid"; each array is preceded by
    its number of bytes as an unsigned integer of 64 bits.
    """
    n, d = cells.points.shape
    m, corners = cells.corners.shape
    places = np.zeros((n, 3))
    places[:, :d] = cells.points
    lines = [
        '<?xml version="1.0"?>',
        '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" '
        'header_type="UInt64">',
        "<UnstructuredGrid>",
        f'<Piece NumberOfPoints="{n}" NumberOfCells="{m}">',
        "<Points>", _array("Points", places, "Float64", 3), "</Points>",
        "<Cells>",
        _array("connectivity", cells.corners, "Int64"),
        _array("offsets", corners * np.arange(1, m + 1), "Int64"),
        _array("types", np.full(m, _KINDS[d - 1]), "UInt8"),
        "</Cells>",
        "<PointData>",
        *(_array(name, values, "Float64") for name, values in fields.items()),
        "</PointData>",
        "</Piece>", "</UnstructuredGrid>", "</VTKFile>", "",
    ]  # fmt: skip
    return "\n".join(lines).encode()


def pvd(files: Mapping[str, float]) -> bytes:
    """Return a collection of files, each at a time, as ParaView opens a film.

    Parameters
    ----------
    files : Mapping of str to float
        Time by file name, which is relative to that of the collection.
    """
    lines = [
        '<?xml version="1.0"?>',
        '<VTKFile type="Collection" version="1.0" byte_order="LittleEndian">',
        "<Collection>",
        *(f'<DataSet timestep="{t!r}" part="0" file="{escape(f)}"/>' for f, t in files.items()),
        "</Collection>", "</VTKFile>", "",
    ]  # fmt: skip
    return "\n".join(lines).encode()


def _array(name: str, values: npt.NDArray[np.generic], kind: str, components: int = 1) -> str:
    content = np.ascontiguousarray(values, dtype=f"<{_CODES[kind]}").tobytes()
    text = base64.b64encode(np.uint64(len(content)).astype("<u8").tobytes() + content).decode()
    shape = f' NumberOfComponents="{components}"' if components > 1 else ""
    return (
        f'<DataArray type="{kind}" Name="{escape(name)}"{shape} format="binary">{text}</DataArray>'
    )


_CODES = {"Float64": "f8", "Int64": "i8", "UInt8": "u1"}

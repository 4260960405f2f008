"""Pictures of shapes: the boundary with its parts in colours, on what they bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sciml.framework.errors import GeometryError

from .pieces import Piece
from .samplers import unit_points
from .space_time import SpaceTime

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sciml.picture import Picture

    from .geometry import Geometry

Array = np.ndarray

# Parts that are told apart by colour; a shape of more has one colour for each group of parts.
COLOURED = 12
# Points along a curve, and along each side of a surface; more where only some of it is there.
ALONG, ACROSS, FINE = 241, 33, 161
# Points that show a piece between whose points no lines may be drawn.
DOTS = 2048
# Nodes of the grid that shows the inside of a plane shape, by its curves or point by point.
NODES, COARSE_NODES = 301, 121
ARROWS = 48
# Room around a shape, as a share of its size.
MARGIN = 0.1


def figure(geometry: Geometry, normals: bool = False) -> Picture:
    """Return the picture of a shape of one, two or three dimensions.

    Raises
    ------
    GeometryError
        If it has more.
    """
    from sciml.picture import Picture

    d = geometry.dimension
    if d > 3:
        raise GeometryError(
            f"{type(geometry).__name__}.plot: a picture has up to three coordinates, the shape {d}"
        )
    picture = Picture(figsize=(6.4, 4.4 if d > 1 else 1.6), layout="constrained", dpi=150)
    axes: Any = picture.add_subplot(projection="3d" if d == 3 else None)
    groups = grouped(geometry)
    colours = _colours(len(groups))
    (_draw_line, _draw_plane, _draw_solid)[d - 1](axes, geometry, groups, colours)
    if normals:
        _draw_normals(axes, geometry)
    names = _axis_labels(geometry)
    axes.set(title=type(geometry).__name__, xlabel=names[0])
    if d > 1:
        axes.set_ylabel(names[1])
    if d > 2:
        axes.set_zlabel(names[2])
    from matplotlib.lines import Line2D

    handles = [Line2D([], [], color=c, lw=3, label=name)
               for name, c in zip(groups, colours, strict=True)]  # fmt: skip
    picture.legend(handles=handles, loc="outside right upper", frameon=False, fontsize=9)
    return picture


def grouped(geometry: Geometry) -> dict[str, list[Piece]]:
    """Return the pieces of positive measure under the names that a legend has room for.

    These are the parts themselves, or, where they are too many, the shortest beginnings of their
    dotted names; ends of an interval are parts as well.
    """
    leaves = [n for n, p in geometry.pieces.items() if p.measure > 0]
    deepest = max((name.count(".") for name in leaves), default=0) + 1
    found: dict[str, list[Piece]] = {}
    for depth in range(deepest, 0, -1):
        found = {}
        for name in leaves:
            found.setdefault(".".join(name.split(".")[:depth]), []).append(geometry.pieces[name])
        if len(found) <= COLOURED:
            return found
    return {"boundary": [geometry.pieces[name] for name in leaves]}


def _colours(count: int) -> list[Any]:
    from matplotlib import colormaps

    table = colormaps["tab10" if count <= 10 else "tab20"]
    return [table(i) for i in range(count)]


def _axis_labels(geometry: Geometry) -> list[str]:
    """Return x, y, z, or t for the last coordinate of a shape over time, with units."""
    labels = [f"${c}$ [m]" for c in "xyz"[: geometry.dimension]]
    if isinstance(geometry, SpaceTime):
        labels[-1] = "$t$ [s]"
    return labels


def _draw_line(
    axes: Axes, geometry: Geometry, groups: Mapping[str, list[Piece]], colours: list[Any]
) -> None:
    (low,), (high,) = geometry.bounding_box
    axes.plot([low, high], [0, 0], color="0.8", lw=6, solid_capstyle="butt")
    for pieces, colour in zip(groups.values(), colours, strict=True):
        for piece in pieces:
            axes.plot(piece.frame(np.zeros((1, 0)))[0][:, 0], [0], "o", color=colour, ms=8)
    margin = MARGIN * (high - low)
    axes.set(yticks=[], ylim=(-1, 1), xlim=(low - margin, high + margin))
    axes.spines[["left", "right", "top"]].set_visible(False)


def _draw_plane(
    axes: Axes, geometry: Geometry, groups: Mapping[str, list[Piece]], colours: list[Any]
) -> None:
    (x0, y0), (x1, y1) = geometry.bounding_box
    along = np.linspace(0.0, 1.0, ALONG)[:, None]
    curves = []
    for pieces, colour in zip(groups.values(), colours, strict=True):
        for piece in pieces:
            if piece.joined:
                curves.append(piece.frame(along)[0])
                axes.plot(*curves[-1].T, color=colour, lw=2, solid_capstyle="round")
            else:
                axes.plot(*_dots(piece).T, ".", color=colour, ms=2)
    whole = all(piece.joined for pieces in groups.values() for piece in pieces)
    count = NODES if whole else COARSE_NODES
    x, y = np.linspace(x0, x1, count), np.linspace(y0, y1, count)
    grid = np.stack([c.ravel() for c in np.meshgrid(x, y)], axis=1)
    filled = _between(curves, x, y) if whole else geometry.contains(grid).reshape(count, count)
    axes.contourf(x, y, filled, levels=[0.5, 1.5], colors=["0.92"])
    sharp = [geometry.pieces[name] for name in geometry.corners]
    if sharp and len(sharp) <= COLOURED * 4:
        places = np.concatenate([p.frame(np.zeros((1, 0)))[0] for p in sharp])
        axes.plot(*places.T, ".", color="0.15", ms=4, zorder=3)
    alike = not isinstance(geometry, SpaceTime)
    axes.set_aspect("equal" if alike else "auto")
    margin = MARGIN * max(x1 - x0, y1 - y0) if alike else MARGIN * np.array([x1 - x0, y1 - y0])
    dx, dy = np.broadcast_to(margin, 2)
    axes.set(xlim=(x0 - dx, x1 + dx), ylim=(y0 - dy, y1 + dy))


def _dots(piece: Piece) -> Array:
    """Return even points of a piece, shape (n, d)."""
    unit = unit_points("hammersley", DOTS, (1.0,) * piece.parameters, 0)
    return piece.frame(unit[piece.kept(unit)])[0]


def _between(curves: Sequence[Array], x: Array, y: Array) -> Array:
    """Return 1 at grid points inside closed curves, else 0: an odd number of them lies left."""
    starts = np.concatenate([c[:-1] for c in curves])
    ends = np.concatenate([c[1:] for c in curves])
    rows = np.zeros((len(y), len(x)))
    for row, height in zip(rows, y, strict=True):
        here = (starts[:, 1] <= height) != (ends[:, 1] <= height)
        a, b = starts[here], ends[here]
        crossed = a[:, 0] + (height - a[:, 1]) * (b[:, 0] - a[:, 0]) / (b[:, 1] - a[:, 1])
        row[:] = np.searchsorted(np.sort(crossed), x) % 2
    return rows


def _draw_solid(
    axes: Any, geometry: Geometry, groups: Mapping[str, list[Piece]], colours: list[Any]
) -> None:
    for pieces, colour in zip(groups.values(), colours, strict=True):
        for piece in pieces:
            if not piece.joined or piece.parameters != 2:
                axes.plot(*_dots(piece).T, ".", color=colour, ms=2)
                continue
            x, y, z = _sheet(piece)
            axes.plot_surface(x, y, z, color=colour, alpha=0.6, lw=0, rcount=FINE, ccount=FINE)
            for end in (0, -1):
                for line in ((x[end], y[end], z[end]), (x[:, end], y[:, end], z[:, end])):
                    axes.plot(*line, color="0.25", lw=0.6)
    lower, upper = map(np.array, geometry.bounding_box)
    axes.set_box_aspect(np.maximum(upper - lower, 0.05 * (upper - lower).max()))
    axes.locator_params(nbins=5)


def _sheet(piece: Piece) -> Array:
    """Return points of a surface, shape (3, n, n), NaN where the map leaves the piece."""
    for across in (ACROSS, FINE):
        side = np.linspace(0.0, 1.0, across)
        unit = np.stack([c.ravel() for c in np.meshgrid(side, side, indexing="ij")], axis=1)
        kept = piece.kept(unit)
        if kept.all():
            break
    points = np.where(kept[:, None], piece.frame(unit)[0], np.nan)
    return points.T.reshape(3, across, across)


def _draw_normals(axes: Any, geometry: Geometry) -> None:
    sample = geometry.sample_boundary("boundary", ARROWS, "grid")
    lower, upper = map(np.array, geometry.bounding_box)
    length = 0.07 * float((upper - lower).max())
    arrows = [*sample.points.T, *(length * sample.normals.T)]
    if geometry.dimension == 3:
        axes.quiver(*arrows, color="0.2", linewidth=0.8)
        return
    if geometry.dimension == 1:
        zero = np.zeros(len(sample.points))
        arrows = [arrows[0], zero, arrows[1], zero]
    axes.quiver(*arrows, color="0.2", angles="xy", scale_units="xy", scale=1, width=0.003, zorder=4)
    axes.update_datalim(
        sample.points + length * sample.normals
    ) if geometry.dimension == 2 else None
    axes.autoscale_view()

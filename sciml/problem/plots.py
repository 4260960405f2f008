"""Pictures of fields and losses; matplotlib loads when the first one is drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Values = npt.NDArray[np.floating[Any]]

# Up to so many rows each is marked by a point.
_SINGLE = 20


@dataclass(frozen=True)
class Grid:
    """A rectangular grid over a bounding box, with the points outside the domain left out.

    Parameters
    ----------
    x, y : Values
        Coordinates of columns and rows, shapes (nx,), (ny,).
    distance : Values
        Signed distance to the boundary, not positive in the domain, shape (ny, nx).
    units : pair of (name, unit)
        Names and units of the two coordinates.
    """

    x: Values
    y: Values
    distance: Values
    units: tuple[tuple[str, str], tuple[str, str]] = (("x", "m"), ("y", "m"))

    @classmethod
    def over(
        cls,
        box: tuple[Sequence[float], Sequence[float]],
        size: int,
        units: tuple[tuple[str, str], tuple[str, str]],
        distance: Callable[[Values], Values],
    ) -> Grid:
        """Return the grid over a box with ``size`` nodes along its longer side."""
        lower, upper = map(np.asarray, box)
        sides = upper - lower
        counts = np.maximum(2, np.rint((size - 1) * sides / sides.max()).astype(int) + 1)
        x, y = (np.linspace(lower[i], upper[i], counts[i]) for i in range(2))
        X, Y = np.meshgrid(x, y)
        found = np.asarray(distance(np.stack([X.ravel(), Y.ravel()], axis=1)))
        return cls(x, y, found.reshape(X.shape), units)

    @property
    def inside(self) -> npt.NDArray[np.bool_]:
        """Which nodes lie in the domain or on its boundary, shape (ny, nx)."""
        return np.asarray(self.distance <= 0.0)

    @property
    def points(self) -> Values:
        """The nodes inside, shape (points, 2)."""
        X, Y = np.meshgrid(self.x, self.y)
        return np.stack([X[self.inside], Y[self.inside]], axis=1)

    def spread(self, values: Values) -> Values:
        """Return values at `points` on the whole grid, NaN outside; shape (ny, nx)."""
        full = np.full(self.inside.shape, np.nan)
        full[self.inside] = values
        return full


def draw_field(
    axes: Axes, grid: Grid, values: Values, title: str, label: str, signed: bool = False
) -> None:
    """Draw a field over the plane with a colour bar, to scale if both coordinates have one unit.

    Time is not drawn to the scale of a length, even where neither has a unit.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    grid : Grid
        The nodes.
    values : Values
        One value per node inside, shape (points,).
    title, label : str
        Text above, and symbol with unit beside the colour bar.
    signed : bool
        Use diverging colours centred at zero, as for errors.
    """
    from matplotlib.ticker import ScalarFormatter

    largest = float(np.max(np.abs(values))) or 1.0
    colours: dict[str, Any] = {"cmap": "viridis"}
    if signed:
        colours = {"cmap": "RdBu_r", "vmin": -largest, "vmax": largest}
    mesh = axes.pcolormesh(
        grid.x, grid.y, grid.spread(values), shading="nearest", rasterized=True, **colours
    )
    if not grid.inside.all():
        axes.contour(grid.x, grid.y, grid.distance, levels=[0.0], colors="0.3", linewidths=1.5)
    elif not signed and np.ptp(values) > 0.0:
        axes.contour(
            grid.x, grid.y, grid.spread(values), levels=8, colors="white", linewidths=0.5, alpha=0.6
        )
    (x, x_unit), (y, y_unit) = grid.units
    axes.set(title=title, xlabel=f"${x}$ [{x_unit}]", ylabel=f"${y}$ [{y_unit}]")
    to_scale = x_unit == y_unit and "t" not in (x, y)
    axes.set_aspect("equal" if to_scale else "auto")
    notation = ScalarFormatter(useMathText=True)
    notation.set_powerlimits((-2, 3))
    axes.figure.colorbar(mesh, ax=axes, label=label, format=notation)


def field_figure(
    grid: Grid, values: Values, title: str, label: str, exact: Values | None = None
) -> Figure:
    """Return a figure of a field, beside its error where a reference is known."""
    from sciml.picture import Picture

    columns = 1 if exact is None else 2
    figure = Picture(figsize=(1.0 + 4.6 * columns, 4.2), layout="constrained", dpi=150)
    axes = figure.subplots(1, columns, squeeze=False)[0]
    draw_field(axes[0], grid, values, title, label)
    if exact is not None:
        symbol, _, unit = label.partition(" [")
        error_label = f"{symbol} minus reference [{unit}" if unit else f"{symbol} minus reference"
        draw_field(axes[1], grid, values - exact, "Error against the reference", error_label, True)
    return figure


def line_figure(
    x: Values, values: Values, title: str, label: str, exact: Values | None = None,
    coordinate: tuple[str, str] = ("x", "m"),
) -> Figure:  # fmt: skip
    """Return a figure of a field of one coordinate, given by name and unit."""
    from sciml.picture import Picture

    figure = Picture(figsize=(5.6, 4.0), layout="constrained", dpi=150)
    axes = figure.subplots()
    axes.plot(x, values, label="solution")
    if exact is not None:
        axes.plot(x, exact, "k--", lw=1.0, label="reference")
        axes.legend()
    axes.set(title=title, xlabel=f"${coordinate[0]}$ [{coordinate[1]}]", ylabel=label)
    axes.grid(alpha=0.3)
    return figure


def convergence_figure(
    sizes: Sequence[float], errors: Mapping[str, Sequence[float]], label: str
) -> Figure:
    """Return errors by name over sizes, both on logarithmic axes.

    Parameters
    ----------
    sizes : sequence of float
        Such as numbers of neurons or points.
    errors : Mapping of str to sequence of float
        Relative errors by name, each as long as ``sizes``; those that are zero are not drawn.
    label : str
        What the sizes are.
    """
    from sciml.picture import Picture

    figure = Picture(figsize=(6.4, 4.0), layout="constrained", dpi=150)
    axes = figure.subplots()
    for name, values in errors.items():
        positive = [v if v > 0.0 else np.nan for v in values]
        axes.loglog(sizes, positive, "o-", lw=1.2, ms=4, label=name)
    axes.set_xticks(sizes, [f"{s:g}" for s in sizes])
    axes.set_xticks([], minor=True)
    axes.set(title="Error against the reference", xlabel=label, ylabel="relative L2 error [-]")
    axes.grid(which="both", alpha=0.25)
    axes.legend()
    return figure


def history_figure(
    quantity: str,
    steps: Sequence[float],
    rows: Mapping[str, Sequence[float]],
    stages: Mapping[str, float],
    step: str = "step",
) -> Figure:
    """Return what changed while training over the steps, on a logarithmic axis.

    Parameters
    ----------
    quantity : str
        What the values are, such as ``loss``.
    steps : sequence of float
        Steps of the rows.
    rows : Mapping of str to sequence of float
        Values by name, each as long as ``steps``.
    stages : Mapping of str to float
        First step of each stage, marked by a line.
    step : str
        What a step is called.
    """
    from matplotlib.ticker import MaxNLocator

    from sciml.picture import Picture

    figure = Picture(figsize=(6.4, 4.0), layout="constrained", dpi=150)
    axes = figure.subplots()
    marker = "o-" if len(steps) <= _SINGLE else "-"
    for name, values in rows.items():
        axes.semilogy(steps, values, marker, lw=1.2, label=name)
    for number, (name, start) in enumerate(stages.items()):
        if number > 0:
            axes.axvline(start, color="0.5", lw=0.8, ls=":")
        axes.annotate(
            name, (start, 1.0), xycoords=("data", "axes fraction"), xytext=(4, -12),
            textcoords="offset points", color="0.35", fontsize=9,
        )  # fmt: skip
    axes.set(
        title=f"{quantity.capitalize()} history", xlabel=f"{step} [-]", ylabel=f"{quantity} [-]"
    )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(which="both", alpha=0.25)
    if len(rows) > 1:
        axes.legend()
    return figure

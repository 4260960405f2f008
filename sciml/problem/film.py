"""A quantity over time as moving pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from sciml.framework.errors import EquationError

if TYPE_CHECKING:
    from matplotlib.animation import FuncAnimation

    from .solution import Solution

_TIME = "t"
# Between two pictures [ms].
_INTERVAL = 80


def film(
    solution: Solution, name: str, times: int, size: int, at: Mapping[str, float]
) -> FuncAnimation:
    """Return pictures of a quantity at equal times, with the same axes and colours in all.

    Parameters
    ----------
    solution : Solution
        What to draw.
    name : str
        Field or derived quantity.
    times : int
        Number of pictures, >= 2.
    size : int
        Points along the longer side, >= 2.
    at : Mapping of str to float
        Values of coordinates that do not vary.

    Raises
    ------
    EquationError
        If the problem has no time, or time is held, or the domain is empty at some time.
    """
    from matplotlib.animation import FuncAnimation

    names = [n for n, _ in solution.coordinates]
    if _TIME not in names or _TIME in at or times < 2 or len(names) < 2:
        raise EquationError(
            f"animate: needs a coordinate {_TIME} that varies beside another, and times >= 2; the "
            f"coordinates are {', '.join(names)}, at = {dict(at)}, times = {times}; see plot"
        )
    box = solution.trial.problem.geometry.bounding_box
    lower, upper = (side[names.index(_TIME)] for side in box)
    instants = np.linspace(lower, upper, times).tolist()
    shots = [solution.shot(name, size, {**at, _TIME: t}) for t in instants]
    lowest = min(float(values.min()) for _, _, values in shots)
    highest = max(float(values.max()) for _, _, values in shots)
    figure = solution.plot(name, size=size, at={**at, _TIME: instants[0]})
    axes = figure.axes[0]
    artist: Any = axes.lines[0] if shots[0][1] is None else axes.collections[0]
    for contour in axes.collections[1:]:
        contour.remove()  # they belong to the first picture only
    if shots[0][1] is None:
        room = 0.05 * (highest - lowest or 1.0)
        axes.set_ylim(lowest - room, highest + room)
    else:
        artist.set_clim(lowest, highest)

    def show(number: int) -> list[Any]:
        x, grid, values = shots[number]
        if grid is None:
            artist.set_data(x, values)
        else:
            artist.set_array(grid.spread(values))
        axes.set_title(f"{name} at ${_TIME}$ = {instants[number]:.3g}")
        return [artist]

    return FuncAnimation(figure, show, frames=times, interval=_INTERVAL, blit=False)

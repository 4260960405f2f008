"""The pictures of a run: fields with their errors, the loss, and weights that were found."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from sciml.problem.plots import history_figure
from sciml.problem.solution import Solution
from sciml.training.atomic import make_folder, write_bytes

from .config import Automatic, RunConfig
from .folder import RunFolder
from .history import WEIGHT, read, stage_starts

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PREFERRED = ("w", "M_x", "u")
_OTHER = ("step", "gradient_norm", "rate", "elapsed_s", "unknowns")


def write(folder: RunFolder, config: RunConfig, solution: Solution) -> list[str]:
    """Draw the main fields, beside their errors where there is a reference, loss and weights.

    Returns
    -------
    list of str
        Names of the files.
    """
    drawn: dict[str, Figure] = {}
    for name in [n for n in _PREFERRED if n in solution.names] or solution.names[:1]:
        drawn[name] = solution.plot(name, reference=config.validation.reference)
    columns = read(folder.history)
    steps = columns["step"]
    weights = {k.removeprefix(WEIGHT): v for k, v in columns.items() if k.startswith(WEIGHT)}
    rest = {k: v for k, v in columns.items() if k not in _OTHER and not k.startswith(WEIGHT)}
    search = isinstance(config.solver, Automatic)
    first, step = ("error", "attempt") if search else ("loss", "step")
    starts = stage_starts(folder.history)
    for quantity, rows in ((first, rest), ("weight", weights)):
        if steps and rows:
            drawn[quantity] = history_figure(quantity, steps, rows, starts, step)
    make_folder(folder.figures)
    for name, figure in drawn.items():
        write_bytes(folder.figures / f"{name}.png", png(figure))
    return [f"{name}.png" for name in drawn]


def png(figure: Figure) -> bytes:
    """Return the content of a PNG file."""
    stream = io.BytesIO()
    figure.savefig(stream, format="png")
    return stream.getvalue()

"""The commands on run folders: evaluate, plot, export, compare."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from .printing import complain, show

if TYPE_CHECKING:
    from sciml.problem.solution import Solution

Command: TypeAlias = Callable[..., Any]
_FOLDER = click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")


def _output(help_text: str) -> Callable[[Command], Command]:
    return click.option("--output", type=click.Path(path_type=Path), metavar="FILE", help=help_text)


@click.command("evaluate")
@_FOLDER
@click.option("--at", "places", multiple=True, metavar="X,Y,...",
              help="A point, e.g. --at 0.5,0.5; may be given several times.")  # fmt: skip
@click.option("--points", type=click.Path(path_type=Path), metavar="FILE",
              help="Points from a CSV file with the coordinates' names in its first line, or from "
              "an NPY file of shape (points, coordinates).")  # fmt: skip
@click.option("--quantities", metavar="NAMES", help="Such as w,M_x; by default all.")
@_output("A CSV or NPZ file instead of a table.")
def evaluate_command(
    folder: Path, places: tuple[str, ...], points: Path | None, quantities: str | None,
    output: Path | None,
) -> None:  # fmt: skip
    """Print the values of the solution of a run at points, as CSV."""
    import numpy as np

    from sciml.runs.fields import npz, table
    from sciml.runs.tables import csv_text, point, read_points
    from sciml.training.atomic import write_bytes, write_text

    if bool(places) == (points is not None):
        raise click.UsageError("give points by --at, or by --points FILE (not both)")
    solution = _solution(folder)
    names = [name for name, _ in solution.coordinates]
    X = np.array([point(text, names) for text in places]) if points is None else (
        read_points(points, names)
    )  # fmt: skip
    wanted = solution.names if quantities is None else quantities.split(",")
    for name in wanted:
        solution[name]  # refuses what it does not know
    outside = int((~solution.trial.problem.geometry.contains(X)).sum())
    if outside:
        complain(
            f"warning: {outside} of {len(X)} points lie outside the domain; values there mean "
            "nothing"
        )
    columns = table(solution, X, wanted)
    if output is None:
        show(csv_text(columns).rstrip("\n"))
    elif _ending(output, (".csv", ".npz")) == ".csv":
        write_text(output, csv_text(columns))
    else:
        write_bytes(output, npz(columns))


@click.command("plot")
@_FOLDER
@click.argument("quantity", metavar="QUANTITY")
@click.option("--at", "places", multiple=True, metavar="NAME=VALUE",
              help="Value of a coordinate that does not vary, e.g. --at t=0.5.")  # fmt: skip
@_output("The picture; by default QUANTITY.png in the folder of figures.")
def plot_command(folder: Path, quantity: str, places: tuple[str, ...], output: Path | None) -> None:
    """Draw a quantity of a run, beside its error where a reference is known."""
    from sciml.runs.figures import png
    from sciml.runs.reopen import reopened
    from sciml.training.atomic import make_folder, write_bytes

    from .reporter import reporter

    at = {}
    for text in places:
        name, equals, value = text.partition("=")
        try:
            at[name] = float(value)
        except ValueError:
            equals = ""
        if not equals:
            raise click.UsageError(f"--at {text}: expected NAME=VALUE, e.g. --at t=0.5")
    run = reopened(folder, reporter(quiet=False))
    figure = run.solution.plot(quantity, run.config.validation.reference, at=at)
    if output is None:
        make_folder(run.folder.figures)
        output = run.folder.figures / f"{quantity}.png"
    write_bytes(output, png(figure))
    show(str(output))


@click.command("export")
@_FOLDER
@click.option("--format", "kind", type=click.Choice(["vtu", "npz", "csv"]), required=True,
              help="vtu is for ParaView, with a time as a film.")  # fmt: skip
@click.option("--size", type=click.IntRange(2), metavar="N",
              help="Points along the longest side; by default validation.grid.")  # fmt: skip
@click.option("--output", type=click.Path(path_type=Path), metavar="DIR",
              help="Folder of the files; by default fields in the folder of the run.")  # fmt: skip
def export_command(folder: Path, kind: str, size: int | None, output: Path | None) -> None:
    """Write all quantities of a run on a grid, for other programs."""
    from sciml.runs.fields import files
    from sciml.runs.reopen import reopened
    from sciml.training.atomic import make_folder, write_bytes

    from .reporter import reporter

    run = reopened(folder, reporter(quiet=False))
    place = run.folder.fields if output is None else output
    contents = files(run.solution, kind, run.config.validation.grid if size is None else size)
    make_folder(place)
    for name, content in contents.items():
        write_bytes(place / name, content)
    show(str(place / next(iter(contents))))


@click.command("compare")
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path),
                metavar="DIR...")  # fmt: skip
def compare_command(folders: tuple[Path, ...]) -> None:
    """Print where the configurations of runs differ, and their losses, errors and times."""
    from sciml.runs.comparison import compared

    from .reporter import reporter

    reporter(quiet=False).table(compared(folders))


def _solution(folder: Path) -> Solution:
    """Return the solution of a run, with nothing said among the numbers."""
    from sciml.runs.reopen import reopened
    from sciml.runs.report import Quiet

    return reopened(folder, Quiet()).solution


def _ending(path: Path, known: tuple[str, ...]) -> str:
    if path.suffix not in known:
        raise click.UsageError(
            f"--output {path}: expected a file that ends in {' or '.join(known)}"
        )
    return path.suffix


FINISHED = (evaluate_command, plot_command, export_command, compare_command)

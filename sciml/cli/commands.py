"""The commands: what a user types, and which code the shell gets back."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

import sciml
from sciml.framework.errors import (
    CheckpointError,
    ConfigError,
    EquationError,
    GeometryError,
    NonFiniteError,
    ParseError,
    ScimlError,
    ShapeError,
)

from .finished import FINISHED
from .printing import complain, show

if TYPE_CHECKING:
    from sciml.runs.outcome import Outcome
    from sciml.runs.report import Reporter

OK, FAILED, USAGE, NOT_FINITE = 0, 1, 2, 3
SIGNALLED = 128
INTERRUPTED = SIGNALLED + signal.SIGINT
_USAGE_ERRORS = (
    ConfigError, CheckpointError, EquationError, GeometryError, ParseError, ShapeError,
)  # fmt: skip


def run_cli(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code, with every expected error on one line."""
    try:
        code = cli.main(args=arguments, prog_name="sciml", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return USAGE
    except (click.exceptions.Abort, KeyboardInterrupt):
        complain("interrupted")
        return INTERRUPTED
    except NonFiniteError as error:
        complain(str(error))
        return NOT_FINITE
    except ScimlError as error:
        complain(str(error))
        return USAGE if isinstance(error, _USAGE_ERRORS) else FAILED
    except (MemoryError, OverflowError) as error:
        complain(f"too large for this computer: {error or 'the memory is used up'}")
        return FAILED
    except OSError as error:
        if isinstance(error, BrokenPipeError) or error.filename is None:
            return _output_lost()
        complain(f"{error.filename}: {error.strerror}")
        return FAILED
    if not _flushed():
        return _output_lost()
    return code if isinstance(code, int) else OK


def _flushed() -> bool:
    """Write what is waiting for the standard output; return whether that went well."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        return False
    return True


def _output_lost() -> int:
    """Drop what cannot be written, so that nothing complains when Python ends."""
    if sys.stdout is None:
        return FAILED
    with suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
    return FAILED


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(sciml.__version__, prog_name="sciml")
def cli() -> None:
    """Solve partial differential equations with physics-informed learning."""


@cli.command("run")
@click.argument("problem", metavar="NAME_OR_FILE")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE",
              help="Replace a value of the configuration, e.g. --set solver.seed=3.")  # fmt: skip
@click.option("--output", type=click.Path(path_type=Path), metavar="DIR",
              help="Run folder; by default runs/NAME-001 and so on.")  # fmt: skip
@click.option("--sweep", "sweeps", multiple=True, metavar="KEY=VALUES",
              help="Run for each value, e.g. --sweep solver.seed=0:8 (a range) or --sweep "
              "network.hidden=[8],[16]; several give all combinations.")  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), default=1, metavar="N",
              help="Runs of a sweep at a time.")  # fmt: skip
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
@click.option("--json", "as_json", is_flag=True, help="Print an object of JSON on each line.")
def run_command(
    problem: str, overrides: tuple[str, ...], output: Path | None, sweeps: tuple[str, ...],
    jobs: int, quiet: bool, as_json: bool,
) -> int:  # fmt: skip
    """Train on a shipped problem or a YAML file and write a run folder."""
    import sciml.runs.catalogue as catalogue
    import sciml.runs.execute as execute

    from .reporter import reporter

    watcher = reporter(quiet, as_json)
    if sweeps:
        return _swept(problem, overrides, output, sweeps, jobs, watcher)
    if jobs > 1:
        raise click.UsageError("--jobs goes with --sweep, which makes several runs")
    return _ended(execute.start(catalogue.load(problem, overrides), output, watcher))


@cli.command("resume")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE",
              help="Replace a value of the configuration of what is still to come.")  # fmt: skip
@click.option("--quiet", is_flag=True, help="Print nothing but errors.")
@click.option("--json", "as_json", is_flag=True, help="Print an object of JSON on each line.")
def resume_command(folder: Path, overrides: tuple[str, ...], quiet: bool, as_json: bool) -> int:
    """Go on with an interrupted run in its folder, as if it had not stopped."""
    import sciml.runs.execute as execute

    from .reporter import reporter

    return _ended(execute.resume(folder, overrides, reporter(quiet, as_json)))


def _swept(
    problem: str, overrides: tuple[str, ...], output: Path | None, sweeps: tuple[str, ...],
    jobs: int, watcher: Reporter,
) -> int:  # fmt: skip
    import sciml.runs.sweep as sweep

    axes = dict(map(sweep.values, sweeps))
    if len(axes) != len(sweeps):
        raise click.UsageError("--sweep is given twice for one key; list its values in one")
    outcome = sweep.run(sweep.Sweep(problem, overrides, axes), output, jobs, watcher)
    if outcome.signal:
        complain("interrupted")
        return SIGNALLED + outcome.signal
    if outcome.failed:
        complain(f"{outcome.failed} runs ended without a result; summary.csv says why")
        return FAILED
    return OK


def _ended(outcome: Outcome) -> int:
    """Return the exit code of a run, which after a signal is that of a shell."""
    if not outcome.signal:
        return OK
    complain("interrupted")
    return SIGNALLED + outcome.signal


@cli.command("list")
@click.argument(
    "kind",
    type=click.Choice(
        [
            "problems",
            "equations",
            "geometries",
            "conditions",
            "networks",
            "stages",
            "balancers",
            "runs",
        ]
    ),
    default="problems",
)
def list_command(kind: str) -> None:
    """List the shipped problems, what problems are made of, or the runs in the folder runs."""
    import sciml.runs.listing as listing
    from sciml.runs.comparison import runs

    for line in runs(Path("runs")) if kind == "runs" else listing.LISTINGS[kind]():
        show(line)


@cli.command("validate")
@click.argument("problem", metavar="NAME_OR_FILE")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE",
              help="Replace a value of the configuration.")  # fmt: skip
def validate_command(problem: str, overrides: tuple[str, ...]) -> None:
    """Check a problem without training; the exit code is 0 when it can run."""
    import sciml.runs.catalogue as catalogue
    import sciml.runs.execute as execute
    from sciml.runs.config import Automatic

    from .reporter import reporter

    config = catalogue.load(problem, overrides)
    solver = execute.checked(config)
    if not isinstance(config.solver, Automatic):
        execute.prepared(solver, reporter(quiet=False))
    show(f"{problem}: valid: {type(config.pde).__name__} on {config.geometry}")


@cli.command("schema")
def schema_command() -> None:
    """Print the JSON Schema of run files, with which editors complete and check them."""
    import json

    from sciml.runs.json_schema import run_schema

    show(json.dumps(run_schema(), indent=1))


@cli.command("show")
@click.argument("problem", metavar="NAME_OR_FILE")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE",
              help="Replace a value of the configuration.")  # fmt: skip
@click.option("--ir", is_flag=True, help="Print the program before and after each pass.")
def show_command(problem: str, overrides: tuple[str, ...], ir: bool) -> None:
    """Print the equation, conditions, derivative plan, network and points of a problem."""
    import sciml.runs.catalogue as catalogue
    import sciml.runs.summary as summary

    config = catalogue.load(problem, overrides)
    show(summary.programs(config) if ir else summary.describe(config))


for _command in FINISHED:
    cli.add_command(_command)

"""Runs over ranges of values: one folder for each combination, and their medians over seeds."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from multiprocessing import get_context
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from sciml.framework.errors import ConfigError, ScimlError
from sciml.training.atomic import write_text

from . import catalogue, execute, folder
from .config import SolverOptions
from .folder import RunFolder
from .interrupt import Interruption
from .report import Quiet, Reporter, Table

_SEED = "solver.seed"
_RANGE = re.compile(r"(-?\d+):(-?\d+)(?::(\d+))?")
_MEASURES = ("parameters", "steps", "loss", "training_time_s", "wall_time_s")


@dataclass(frozen=True)
class Outcome:
    """How the runs ended.

    Parameters
    ----------
    failed : int
        How many ended without a result.
    signal : int
        Number of the signal that ended them; 0 for none.
    """

    failed: int
    signal: int


def values(text: str) -> tuple[str, list[str]]:
    """Return the key and the values that ``KEY=VALUES`` asks for, each as YAML text.

    Raises
    ------
    ConfigError
        When it is not of this form, or asks for no value.

    Examples
    --------
    >>> values("solver.seed=0:3"), values("network.hidden=[8],[16, 16]")
    (('solver.seed', ['0', '1', '2']), ('network.hidden', ['[8]', '[16, 16]']))
    """
    key, equals, rest = text.partition("=")
    if not equals or not all(key.split(".")) or not rest.strip():
        raise ConfigError(
            f"--sweep {text}: expected KEY=FIRST:END or KEY=VALUE,VALUE with a dotted key, e.g. "
            "solver.seed=0:8"
        )
    numbers = _RANGE.fullmatch(rest.strip())
    if numbers:
        first, end, by = int(numbers[1]), int(numbers[2]), int(numbers[3] or 1)
        found = [] if by == 0 else [str(i) for i in range(first, end, by)]
    else:
        found = _split(rest)
    if not all(found) or not found:
        raise ConfigError(f"--sweep {text}: a value is missing")
    return key, found


def _split(text: str) -> list[str]:
    """Return what commas outside of brackets divide."""
    depth, pieces = 0, [""]
    for character in text:
        depth += (character in "[{(") - (character in ")}]")
        if character == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += character
    return [piece.strip() for piece in pieces]


@dataclass(frozen=True)
class Sweep:
    """All combinations of values of a problem.

    Parameters
    ----------
    problem : str
        Name or file.
    overrides : tuple of str
        What is replaced in all runs.
    axes : Mapping of str to sequence of str
        Values by key.
    """

    problem: str
    overrides: tuple[str, ...]
    axes: Mapping[str, Sequence[str]]

    @property
    def choices(self) -> list[dict[str, str]]:
        """The value of each key for each run."""
        return [dict(zip(self.axes, row, strict=True)) for row in product(*self.axes.values())]

    def sets(self, choice: Mapping[str, str]) -> tuple[str, ...]:
        """Return the overrides of one run."""
        return (*self.overrides, *(f"{key}={value}" for key, value in choice.items()))


def run(sweep: Sweep, output: Path | None, jobs: int, reporter: Reporter) -> Outcome:
    """Run all combinations into ``DIR/000`` and so on, and write ``DIR/summary.csv``.

    Parameters
    ----------
    sweep : Sweep
        What to run; all configurations are checked before the first run.
    output : Path or None
        The folder of all; None makes ``runs/NAME-001`` and so on.
    jobs : int
        Processes at a time, which share the cores where the problem does not say how many threads.
    reporter : Reporter
        Is told the end of each run, and the medians.

    Raises
    ------
    ConfigError, OutputError
        When a configuration is not valid, or the folder holds runs or cannot be made.
    """
    choices = sweep.choices
    configs = [catalogue.load(sweep.problem, sweep.sets(choice)) for choice in choices]
    made = folder.create(configs[0].name, output)
    places = [RunFolder(made.path / f"{i:03d}") for i in range(len(choices))]
    for place in (made, *places):
        folder.require_new(place)
    shared = max(1, (os.cpu_count() or 1) // jobs)
    works = []
    for config, choice, place in zip(configs, choices, places, strict=True):
        sets = sweep.sets(choice)
        options = config.solver
        if jobs > 1 and isinstance(options, SolverOptions) and options.threads is None:
            sets = (*sets, f"solver.threads={shared}")
        works.append((sweep.problem, sets, place.path))
    rows: list[dict[str, str]] = []

    def ended(number: int) -> None:
        row = _row(choices[number], places[number])
        rows.append(row)
        reporter.say("  ".join(f"{key} {value}" for key, value in row.items() if value))
        write_text(made.path / "summary.csv", _csv(sorted(rows, key=lambda r: r["run"])))

    signal = _in_processes(works, jobs, ended) if jobs > 1 else _in_turn(works, ended)
    done = [row for row in rows if row["state"] == "done"]
    if done:
        reporter.table(_medians(done, [key for key in sweep.axes if key != _SEED]))
    reporter.say(f"folder {made.path}")
    return Outcome(len(rows) - len(done), signal)


_Work = tuple[str, tuple[str, ...], Path]


def _work(problem: str, overrides: tuple[str, ...], path: Path) -> int:
    """Run one; return the signal that ended it. What went wrong is left in its folder."""
    try:
        return execute.start(catalogue.load(problem, overrides), path, Quiet()).signal
    except ScimlError as error:
        write_text(_failure(path), f"{error}\n")
        return 0


def _work_apart(problem: str, overrides: tuple[str, ...], path: Path) -> None:
    """Run one in a process of its own, which only hears the signals that are passed on to it.

    A Ctrl-C in a terminal would else come twice, and the second one ends a run without checkpoint.
    """
    if os.name == "posix":
        os.setpgid(0, 0)
    _work(problem, overrides, path)


def _failure(path: Path) -> Path:
    return path / "failure.txt"


def _in_turn(works: Sequence[_Work], ended: Any) -> int:
    for number, work in enumerate(works):
        signal = _work(*work)
        ended(number)
        if signal:
            return signal
    return 0


def _in_processes(works: Sequence[_Work], jobs: int, ended: Any) -> int:
    """Run several at a time; a signal is passed on, and no more are begun."""
    context, waiting = get_context("spawn"), list(range(len(works)))
    running: dict[int, BaseProcess] = {}
    with Interruption() as interruption:
        while (waiting and not interruption.signal) or running:
            while waiting and len(running) < jobs and not interruption.signal:
                number = waiting.pop(0)
                running[number] = context.Process(target=_work_apart, args=works[number])
                running[number].start()
            wait([process.sentinel for process in running.values()], timeout=0.5)
            for number in [n for n, process in running.items() if not process.is_alive()]:
                running.pop(number).join()
                ended(number)
            if interruption.signal:
                for process in running.values():
                    process.terminate()
                for number, process in running.items():
                    process.join()
                    ended(number)
                running.clear()
    return interruption.signal


def _row(choice: Mapping[str, str], place: RunFolder) -> dict[str, str]:
    """Return one row of the summary: what was chosen, and what came out."""
    row = {"run": place.path.name, **choice, "state": "interrupted"}
    if _failure(place.path).is_file():
        return row | {"state": _failure(place.path).read_text(encoding="utf-8").strip()}
    if not place.result.is_file():
        return row
    content = json.loads(place.result.read_text(encoding="utf-8"))
    row["state"] = "done"
    row |= {name: f"{content[name]:.6g}" for name in _MEASURES if name in content}
    for name, error in content["errors"].items():
        row[f"error {name}"] = f"{error['relative_l2']:.6g}"
    for name, size in content["residual"].items():
        row[f"residual {name}"] = "" if size is None else f"{size:.6g}"
    return row


def _csv(rows: Sequence[Mapping[str, str]]) -> str:
    columns = list(dict.fromkeys(key for row in rows for key in row))
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def _medians(rows: Sequence[Mapping[str, str]], keys: Sequence[str]) -> Table:
    """Return medians over what is no key, one row for each combination of keys."""
    last = next(reversed(rows))
    errors = [c for c in last if c.startswith("error ")]
    residuals = [c for c in last if c.startswith("residual ")]
    columns = [c for c in ("parameters", "loss") if c in last][-1:]
    columns += [*(errors or residuals), "wall_time_s"]
    groups: dict[tuple[str, ...], list[Mapping[str, str]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    body = [
        (*group, str(len(members)), *(_median(members, column) for column in columns))
        for group, members in sorted(groups.items())
    ]
    return Table("medians", (*keys, "runs", *columns), tuple(body))


def _median(rows: Sequence[Mapping[str, str]], column: str) -> str:
    numbers = [float(row[column]) for row in rows if row.get(column)]
    return f"{statistics.median(numbers):.3g}" if numbers else ""

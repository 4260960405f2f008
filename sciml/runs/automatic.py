"""Runs with `solver: auto`: a search for a solution to a tolerance."""

from __future__ import annotations

import math
import warnings

from sciml.automatic import solve
from sciml.framework.compiler.jit import load_backend
from sciml.framework.errors import ConvergenceWarning
from sciml.problem.report import Attempt

from . import found, record
from .config import Automatic
from .environment import add_session
from .history import History
from .outcome import Ending, Outcome

_COLUMNS = ("step", "stage", "unknowns", "error", "residual", "elapsed_s")


def search(ending: Ending, options: Automatic) -> Outcome:
    """Search for a solution and write it into the folder of a run.

    Each attempt is a row of the history. What is interrupted leaves nothing to go on from: a
    search takes no state from one attempt to the next that is worth more than its time.

    Parameters
    ----------
    ending : Ending
        Configuration, folder and reporter.
    options : Automatic
        What is asked for.

    Raises
    ------
    ConfigError, OutputError, NonFiniteError
        One line each.
    """
    folder, reporter = ending.folder, ending.reporter
    reporter.say(
        f"looking for a solution to {options.tolerance:g}, in at most {options.max_minutes:g} min"
    )
    threads = load_backend("cpu").default_threads()
    add_session(folder.environment, options.seed, threads, "float64")
    attempts: list[Attempt] = []
    with History(folder.history, _COLUMNS) as history, warnings.catch_warnings():

        def attempted(attempt: Attempt) -> None:
            attempts.append(attempt)
            elapsed = sum(a.seconds for a in attempts)
            history.append(_row(len(attempts), attempt, elapsed))
            reporter.attempt(attempt)

        warnings.simplefilter("always")
        warnings.simplefilter("ignore", ConvergenceWarning)  # what the report says
        warnings.showwarning = lambda message, *_: reporter.say(f"warning: {message}")
        solution = solve(
            ending.config.problem, options.tolerance, options.max_minutes, options.seed, attempted
        )
    report = solution.report
    assert report is not None
    found.store(folder, ending.config, solution)
    first, *_ = str(report).splitlines()
    reporter.say(first if report.reached else f"warning: {first}")
    made = {"dtype": "float64", "threads": threads} | record.searched(report)
    return ending.outcome(solution, made)


def _row(number: int, attempt: Attempt, elapsed_s: float) -> list[float | int | str]:
    """Return the row of the history; the first of a kind has no error."""
    kind = attempt.method.partition(",")[0]
    error = attempt.error if math.isfinite(attempt.error) else math.nan
    return [number, kind, attempt.unknowns, error, attempt.residual, round(elapsed_s, 4)]

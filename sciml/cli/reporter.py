"""What a run shows while it works: a live bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import json
import math
import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING

from sciml.problem.report import Attempt
from sciml.runs.report import Progress, Quiet, Reporter, Table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bar

_LINE_EVERY_S = 5.0


def reporter(quiet: bool, as_json: bool = False) -> Reporter:
    """Return the reporter that fits the output."""
    if quiet or sys.stdout is None:  # it is None where the shell closed it
        return Quiet()
    if as_json:
        return Lines()
    return Live() if sys.stdout.isatty() else Plain()


class Plain(Reporter):
    """Lines of text without control characters."""

    def __init__(self) -> None:
        self._last = 0.0

    def say(self, text: str) -> None:
        """Print a line."""
        print(text, flush=True)

    def begin(self, steps: int, done: int) -> None:
        """Remember when training began."""
        self._last = time.perf_counter()

    def update(self, progress: Progress) -> None:
        """Print a line every few seconds and at the end of a stage."""
        now = time.perf_counter()
        if now - self._last >= _LINE_EVERY_S or progress.stage_ended:
            self._last = now
            self.say(
                f"step {progress.step}/{progress.steps}  {progress.stage}  "
                f"{_loss(progress.loss)}  rate {progress.rate:.2e}  "
                f"{progress.points_per_s:.3g} points/s  "
                f"{progress.elapsed_s:.1f} s, at most {progress.left_s:.0f} s left"
            )

    def attempt(self, attempt: Attempt) -> None:
        """Print a line."""
        self.say(str(attempt))

    def end(self) -> None:
        """Nothing is left open."""

    def table(self, table: Table) -> None:
        """Print aligned columns."""
        rows = [table.header, *table.rows]
        widths = [max(len(row[i]) for row in rows) for i in range(len(table.header))]
        self.say(table.title)
        for row in rows:
            cells = [row[0].ljust(widths[0])]
            cells += [c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True)]
            self.say("  " + "  ".join(cells).rstrip())


class Lines(Reporter):
    """An object of JSON on each line, with its kind under ``event``."""

    def say(self, text: str) -> None:
        """Print an event ``info``."""
        self._write("info", text=text)

    def begin(self, steps: int, done: int) -> None:
        """Print an event ``begin``."""
        self._write("begin", steps=steps, done=done)

    def update(self, progress: Progress) -> None:
        """Print an event ``step`` for each step."""
        rates = {"points_per_s": progress.points_per_s, "left_s": progress.left_s}
        self._write("step", **asdict(progress), **rates)

    def attempt(self, attempt: Attempt) -> None:
        """Print an event ``attempt``."""
        self._write("attempt", **asdict(attempt))

    def end(self) -> None:
        """Print an event ``end``."""
        self._write("end")

    def table(self, table: Table) -> None:
        """Print an event ``table``."""
        self._write("table", **asdict(table))

    def _write(self, event: str, **content: object) -> None:
        finite = {
            k: None if isinstance(v, float) and not math.isfinite(v) else v
            for k, v in content.items()
        }
        print(json.dumps({"event": event, **finite}), flush=True)


class Live(Reporter):
    """A bar with step, loss, rate and remaining time, drawn in place."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console: Console = Console(highlight=False)
        self._bar: Bar | None = None

    def say(self, text: str) -> None:
        """Print a line above the bar."""
        self._console.print(text, markup=False)

    def begin(self, steps: int, done: int) -> None:
        """Draw the bar."""
        from rich import progress as parts

        self._bar = parts.Progress(
            parts.TextColumn("{task.fields[stage]:<6}"),
            parts.BarColumn(),
            parts.TextColumn("step {task.completed:.0f}/{task.total:.0f}"),
            parts.TextColumn("{task.fields[loss]}"),
            parts.TextColumn("rate {task.fields[rate]:.2e}"),
            parts.TimeElapsedColumn(),
            parts.TextColumn("left"),
            parts.TimeRemainingColumn(),
            console=self._console,
            refresh_per_second=8,
        )
        self._task = self._bar.add_task(
            "", total=steps, completed=done, stage="", loss="", rate=0.0
        )
        self._bar.start()

    def update(self, progress: Progress) -> None:
        """Move the bar."""
        if self._bar is not None:
            self._bar.update(
                self._task, completed=progress.step, stage=progress.stage,
                loss=_loss(progress.loss), rate=progress.rate, total=progress.steps,
            )  # fmt: skip

    def attempt(self, attempt: Attempt) -> None:
        """Print a line."""
        self.say(str(attempt))

    def end(self) -> None:
        """Leave the bar as it stands."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def table(self, table: Table) -> None:
        """Draw a table."""
        from rich.table import Table as RichTable

        drawn = RichTable(title=table.title, title_justify="left")
        for i, name in enumerate(table.header):
            drawn.add_column(name, justify="right" if i else "left")
        for row in table.rows:
            drawn.add_row(*row)
        self._console.print(drawn)


def _loss(value: float) -> str:
    """Return the loss in words, nothing before the first one is known."""
    return "" if math.isnan(value) else f"loss {value:.3e}"

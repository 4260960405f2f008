"""What a run shows while it works: a live bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from sciml.runs.report import Progress, Quiet, Reporter, Table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bar

_LINE_EVERY_S = 5.0


def reporter(quiet: bool) -> Reporter:
    """Return the reporter that fits the output."""
    if quiet or sys.stdout is None:  # it is None where the shell closed it
        return Quiet()
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
                f"loss {progress.loss:.3e}  rate {progress.rate:.2e}  "
                f"{progress.elapsed_s:.1f} s"
            )

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
            parts.TextColumn("loss {task.fields[loss]:.3e}"),
            parts.TextColumn("rate {task.fields[rate]:.2e}"),
            parts.TimeElapsedColumn(),
            parts.TextColumn("left"),
            parts.TimeRemainingColumn(),
            console=self._console,
            refresh_per_second=8,
        )
        self._task = self._bar.add_task(
            "", total=steps, completed=done, stage="", loss=float("nan"), rate=0.0
        )
        self._bar.start()

    def update(self, progress: Progress) -> None:
        """Move the bar."""
        if self._bar is not None:
            self._bar.update(
                self._task, completed=progress.step, stage=progress.stage, loss=progress.loss,
                rate=progress.rate, total=progress.steps,
            )  # fmt: skip

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

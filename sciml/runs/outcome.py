"""How a run ends: its record, tables, fields, figures and report."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sciml.problem.solution import Solution
from sciml.training.atomic import write_text
from sciml.training.solver import poor_residual

from . import fields, figures, html_report, record
from .config import RunConfig
from .folder import RunFolder
from .report import Reporter


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    Parameters
    ----------
    folder : RunFolder
        Where everything lies.
    signal : int
        Number of the signal (Ctrl-C or termination) that ended it, after a checkpoint; 0 for none.
    result : dict
        Content of ``result.json``; empty when interrupted.
    """

    folder: RunFolder
    signal: int
    result: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Ending:
    """What the end of a run needs.

    Parameters
    ----------
    config : RunConfig
        The resolved configuration.
    folder : RunFolder
        Where to write.
    reporter : Reporter
        Is told the results.
    began : float
        When the session began, of `time.perf_counter` [s].
    """

    config: RunConfig
    folder: RunFolder
    reporter: Reporter
    began: float

    def outcome(self, solution: Solution, made: Mapping[str, Any]) -> Outcome:
        """Write and show the results.

        Parameters
        ----------
        solution : Solution
            What came out.
        made : Mapping
            How, as `record.result` takes it.

        Raises
        ------
        OutputError
            When a file cannot be written.
        """
        content, outputs = record.result(self.config, solution, made), self.config.outputs
        self._write(content)
        # the numbers are safe before the larger files are written
        if outputs.fields:
            fields.write(self.folder, self.config.validation.grid, solution, self.reporter)
        if outputs.figures:
            figures.write(self.folder, self.config, solution)
        self._write(content)
        if outputs.report:
            html_report.write(self.folder, self.config, content)
        for table in record.tables(content):
            self.reporter.table(table)
        doubt = poor_residual(content["residual"])
        if doubt:
            self.reporter.say(f"warning: {doubt}")
        self.reporter.say(f"wall time {content['wall_time_s']:.1f} s, folder {self.folder.path}")
        return Outcome(self.folder, 0, content)

    def _write(self, content: dict[str, Any]) -> None:
        content["wall_time_s"] = time.perf_counter() - self.began
        write_text(self.folder.result, record.to_json(content))

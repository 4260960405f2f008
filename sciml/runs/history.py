"""The loss history: `history.csv` and `metrics.jsonl`, which grow a whole row at a time."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from sciml.framework.errors import CheckpointError, OutputError

METRICS = "metrics.jsonl"
WEIGHT = "weight of "
"""How columns of found weights begin; the name of the constraint follows."""


class History:
    """Rows under a header, appended while a run goes on, and beside them as JSON objects.

    Parameters
    ----------
    path : Path
        The CSV file; created, or cut to ``size`` when a run resumes. The JSON lines are in
        ``metrics.jsonl`` in the same folder.
    columns : sequence of str
        Names in the header.
    size : int
        Length to keep of the CSV file [bytes]; 0 starts anew.

    Raises
    ------
    CheckpointError
        When a file is shorter than what is to be kept.
    OutputError
        When a file cannot be written.
    """

    def __init__(self, path: Path, columns: Sequence[str], size: int = 0) -> None:
        self.columns = tuple(columns)
        metrics = path.with_name(METRICS)
        rows = _rows_within(path, size)
        self._table = _Lines(path, size)
        try:
            self._objects = _Lines(metrics, _length_of(metrics, rows))
        except (OutputError, CheckpointError):
            self._table.close()
            raise
        if not size:
            self._table.append(",".join(self.columns))

    @property
    def size(self) -> int:
        """Length of the CSV file [bytes], which a checkpoint remembers."""
        return self._table.size

    def append(self, values: Sequence[float | int | str]) -> None:
        """Write one row; a failure leaves the rows before it.

        Raises
        ------
        OutputError
            When the disk is full or the file cannot be written.
        """
        if len(values) != len(self.columns):
            raise ValueError(f"{len(self.columns)} columns, got {len(values)} values")
        row = dict(zip(self.columns, map(_finite, values), strict=True))
        # The table counts the rows, so the object is there before its row is.
        self._objects.append(json.dumps(row))
        self._table.append(",".join(v if isinstance(v, str) else repr(v) for v in values))

    def flush(self) -> None:
        """Wait until all rows are on the disk, so that a checkpoint never counts on lost ones.

        Raises
        ------
        OutputError
            When the disk is full or a file cannot be written.
        """
        self._objects.flush()
        self._table.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._objects.close()
        self._table.close()


class _Lines:
    """A text file of which only the first ``size`` bytes are kept, and whole lines appended."""

    def __init__(self, path: Path, size: int) -> None:
        self.path, self.size = path, size
        flags = os.O_WRONLY | os.O_CREAT | (0 if size else os.O_TRUNC)
        held = path.stat().st_size if path.is_file() else 0
        if held < size:
            raise CheckpointError(
                f"{path}: holds {held} bytes, but the checkpoint goes on from {size}; "
                "put the file back, or start a new run"
            )
        try:
            self._descriptor = os.open(path, flags, 0o666)
            if size:
                os.ftruncate(self._descriptor, size)
                os.lseek(self._descriptor, 0, os.SEEK_END)
        except OSError as error:
            raise OutputError(f"{path}: cannot be written: {error.strerror}") from error

    def append(self, text: str) -> None:
        content = (text + "\n").encode()
        written = 0
        try:
            while written < len(content):
                written += os.write(self._descriptor, content[written:])
        except OSError as error:
            os.ftruncate(self._descriptor, self.size)
            raise OutputError(f"{self.path}: cannot be written: {error.strerror}") from error
        self.size += written

    def flush(self) -> None:
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise OutputError(f"{self.path}: cannot be written: {error.strerror}") from error

    def close(self) -> None:
        os.close(self._descriptor)


def _finite(value: float | int | str) -> float | int | str | None:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _rows_within(path: Path, size: int) -> int:
    """Return how many rows after the header the first bytes of a CSV file hold."""
    if not size or not path.is_file():
        return 0
    with open(path, "rb") as stream:
        return stream.read(size).count(b"\n") - 1


def _length_of(path: Path, rows: int) -> int:
    """Return the length of the first rows of a file of lines [bytes]."""
    if not rows:
        return 0
    lines = path.read_bytes().splitlines(keepends=True) if path.is_file() else []
    if len(lines) < rows:
        raise CheckpointError(
            f"{path}: holds {len(lines)} rows, but the checkpoint goes on from {rows}; "
            "put the file back, or start a new run"
        )
    return sum(map(len, lines[:rows]))


def read(path: Path) -> dict[str, list[float]]:
    """Return the numeric columns of a history file by name.

    Columns with text (the stage) are left out.
    """
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    names = header.split(",")
    rows = [line.split(",") for line in lines]
    result = {}
    for i, name in enumerate(names):
        try:
            result[name] = [float(row[i]) for row in rows]
        except ValueError:
            continue
    return result


def stage_starts(path: Path) -> dict[str, float]:
    """Return the first recorded step of each stage by name."""
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    names = header.split(",")
    step, stage = names.index("step"), names.index("stage")
    starts: dict[str, float] = {}
    for cells in (line.split(",") for line in lines):
        starts.setdefault(cells[stage], float(cells[step]))
    return starts

"""The loss history: a CSV file that grows a whole line at a time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from sciml.framework.errors import CheckpointError, OutputError


class History:
    """Rows of numbers under a header, appended while a run goes on.

    Parameters
    ----------
    path : Path
        The file; created, or cut to ``size`` when a run resumes.
    columns : sequence of str
        Names in the header.
    size : int
        Length to keep [bytes]; 0 starts anew.

    Raises
    ------
    CheckpointError
        When the file is shorter than the length to keep.
    OutputError
        When it cannot be written.
    """

    def __init__(self, path: Path, columns: Sequence[str], size: int = 0) -> None:
        self.path, self.columns, self.size = path, tuple(columns), 0
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
                self.size = os.lseek(self._descriptor, 0, os.SEEK_END)
        except OSError as error:
            raise OutputError(f"{path}: cannot be written: {error.strerror}") from error
        if not size:
            self._line(",".join(self.columns))

    def append(self, values: Sequence[float | int | str]) -> None:
        """Write one row; a failure leaves the rows before it.

        Raises
        ------
        OutputError
            When the disk is full or the file cannot be written.
        """
        if len(values) != len(self.columns):
            raise ValueError(f"{len(self.columns)} columns, got {len(values)} values")
        self._line(",".join(v if isinstance(v, str) else repr(v) for v in values))

    def flush(self) -> None:
        """Wait until all rows are on the disk, so that a checkpoint never counts on lost ones.

        Raises
        ------
        OutputError
            When the disk is full or the file cannot be written.
        """
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            raise OutputError(f"{self.path}: cannot be written: {error.strerror}") from error

    def _line(self, text: str) -> None:
        content = (text + "\n").encode()
        written = 0
        try:
            while written < len(content):
                written += os.write(self._descriptor, content[written:])
        except OSError as error:
            os.ftruncate(self._descriptor, self.size)
            raise OutputError(f"{self.path}: cannot be written: {error.strerror}") from error
        self.size += written

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        os.close(self._descriptor)


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

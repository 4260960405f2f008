"""The folder of a run: where everything it leaves behind lies."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from pathlib import Path

from sciml.framework.errors import ConfigError, OutputError


@dataclass(frozen=True)
class RunFolder:
    """Paths of one run.

    Parameters
    ----------
    path : Path
        The folder.
    """

    path: Path

    @property
    def config(self) -> Path:
        """The resolved configuration."""
        return self.path / "config.yaml"

    @property
    def result(self) -> Path:
        """The record of the finished run."""
        return self.path / "result.json"

    @property
    def history(self) -> Path:
        """The loss history; beside it, as JSON lines, ``metrics.jsonl``."""
        return self.path / "history.csv"

    @property
    def checkpoints(self) -> Path:
        """The folder of the last checkpoints."""
        return self.path / "checkpoints"

    @property
    def found(self) -> Path:
        """What the solution is made of, where ``solver: auto`` found it."""
        return self.path / "found.yaml"

    @property
    def environment(self) -> Path:
        """Versions, computer and command line."""
        return self.path / "environment.json"

    @property
    def figures(self) -> Path:
        """The folder of pictures."""
        return self.path / "figures"

    @property
    def fields(self) -> Path:
        """The folder of fields as NPZ and VTU files."""
        return self.path / "fields"

    @property
    def report(self) -> Path:
        """The report of the finished run."""
        return self.path / "report.html"


def create(name: str, output: Path | None) -> RunFolder:
    """Make the folder of a new run.

    Parameters
    ----------
    name : str
        Name of the problem; the default is ``runs/NAME-001``, with the next free number.
    output : Path or None
        The folder asked for; it may exist.

    Raises
    ------
    OutputError
        When it cannot be made.
    """
    try:
        if output is not None:
            output.mkdir(parents=True, exist_ok=True)
            return RunFolder(output)
        return _numbered(Path("runs"), name)
    except OSError as error:
        where = output or Path("runs")
        raise OutputError(f"{where}: cannot be created: {error.strerror}") from error


def require_new(folder: RunFolder) -> None:
    """Refuse a folder that holds a run.

    Raises
    ------
    ConfigError
        When it does.
    """
    if _is_file(folder.config):
        raise ConfigError(
            f"{folder.path} holds a run already; continue it with sciml resume {folder.path}, "
            "or choose another folder"
        )


def _numbered(parent: Path, name: str) -> RunFolder:
    parent.mkdir(parents=True, exist_ok=True)
    for number in count(1):
        path = parent / f"{name}-{number:03d}"
        try:
            path.mkdir()
        except FileExistsError:
            continue
        return RunFolder(path)
    raise AssertionError


def _is_file(path: Path) -> bool:
    """Whether a file is there; under a name too long for the system there is none."""
    try:
        return path.is_file()
    except OSError:
        return False


def existing(path: Path) -> RunFolder:
    """Return the folder of a run.

    Raises
    ------
    ConfigError
        When there is no run in it.
    """
    folder = RunFolder(path)
    if not _is_file(folder.config):
        raise ConfigError(f"{path}: no run here; config.yaml is missing")
    return folder

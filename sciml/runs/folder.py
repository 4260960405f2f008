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
        """The loss history."""
        return self.path / "history.csv"

    @property
    def checkpoint(self) -> Path:
        """The newest checkpoint."""
        return self.path / "checkpoint.npz"


def create(name: str, output: Path | None) -> RunFolder:
    """Make the folder of a new run.

    Parameters
    ----------
    name : str
        Name of the problem; the default is ``runs/NAME-001``, with the next free number.
    output : Path or None
        The folder asked for; it may exist, but not hold another run.

    Raises
    ------
    ConfigError
        When the folder holds a run already.
    OutputError
        When it cannot be made.
    """
    if output is not None and _is_file(RunFolder(output).config):
        raise ConfigError(
            f"{output} holds a run already; continue it with --resume {output}, "
            "or choose another folder"
        )
    try:
        if output is not None:
            output.mkdir(parents=True, exist_ok=True)
            return RunFolder(output)
        return _numbered(Path("runs"), name)
    except OSError as error:
        where = output or Path("runs")
        raise OutputError(f"{where}: cannot be created: {error.strerror}") from error


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
    """Return the folder of a run to go on with.

    Raises
    ------
    ConfigError
        When there is no run in it.
    """
    folder = RunFolder(path)
    if not _is_file(folder.config):
        raise ConfigError(f"{path}: no run to resume here; config.yaml is missing")
    return folder

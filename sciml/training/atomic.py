"""Files that appear whole or not at all."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from sciml.framework.errors import OutputError


def write_bytes(path: Path, content: bytes) -> None:
    """Write under a temporary name, flush to the disk, then rename.

    Raises
    ------
    OutputError
        When the folder cannot be written or the disk is full; an old file stays as it was.
    """
    temporary = path.with_name(f".{path.name}.part")
    try:
        with open(temporary, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(temporary, path)
        _flush_folder(path.parent)
    except OSError as error:
        # the first error says what is wrong, not the one of tidying up
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise OutputError(f"{path}: cannot be written: {error.strerror or error}") from error


def make_folder(path: Path) -> None:
    """Make a folder if it is not there.

    Raises
    ------
    OutputError
        When it cannot be made.
    """
    try:
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError(f"{path}: cannot be created: {error.strerror}") from error


def write_text(path: Path, content: str) -> None:
    """Write text as UTF-8, whole or not at all."""
    write_bytes(path, content.encode("utf-8"))


def _flush_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)

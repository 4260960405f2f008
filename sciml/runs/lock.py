"""One process at a time in a run folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sciml.framework.errors import ConfigError, OutputError


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder for this process.

    The system gives a lock up when its process ends, however it ends, so that a crash leaves a
    file ``.lock`` but no lock. Where the system has no such locks (Windows) nothing is held.

    Raises
    ------
    ConfigError
        When another process holds it.
    OutputError
        When the folder cannot be written.
    """
    if sys.platform == "win32":
        yield
        return
    import fcntl

    path = folder / ".lock"
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {error.strerror}") from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(descriptor, 32).decode(errors="replace").strip() or "unknown"
            raise ConfigError(
                f"{folder}: process {holder} is running here; wait for its end or stop it first"
            ) from None
        os.ftruncate(descriptor, 0)
        os.write(descriptor, f"{os.getpid()}\n".encode())
        yield
    finally:
        os.close(descriptor)

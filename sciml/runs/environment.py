"""`environment.json`: what a run was made with."""

from __future__ import annotations

import json
import os
import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import sciml
from sciml.framework.errors import ConfigError
from sciml.training.atomic import write_text

_PACKAGES = (
    "numpy", "scipy", "llvmlite", "sympy", "matplotlib", "ruamel.yaml", "pydantic", "click",
    "rich", "threadpoolctl",
)  # fmt: skip


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that produced a result."""
    found = {"sciml": sciml.__version__, "python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # installed without its record
            found[name] = "unknown"
    return found


def add_session(path: Path, seed: int, threads: int, dtype: str) -> None:
    """Add what this session is made with to a list in a file, a session for each resumption.

    Parameters
    ----------
    path : Path
        The file; made if it is not there.
    seed, threads, dtype
        As the solver has them.

    Raises
    ------
    OutputError
        When it cannot be written.
    """
    sessions = sessions_of(path) if path.is_file() else []
    sessions.append(_session(seed, threads, dtype))
    write_text(path, json.dumps(sessions, indent=2) + "\n")


def sessions_of(path: Path) -> list[dict[str, object]]:
    """Return the sessions that a file lists, the oldest first.

    Raises
    ------
    ConfigError
        When it is no such file.
    """
    try:
        sessions = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        sessions = None
    if not isinstance(sessions, list):
        raise ConfigError(f"{path}: not a list of sessions in JSON; remove the file")
    return sessions


def _session(seed: int, threads: int, dtype: str) -> dict[str, object]:
    return {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": sys.argv,
        "versions": versions(),
        "platform": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "threads": threads,
        "seed": seed,
        "dtype": dtype,
    }


def _processor() -> str:
    """Return the name of the processor, as the system gives it."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:  # not Linux
        pass
    return platform.processor() or platform.machine()

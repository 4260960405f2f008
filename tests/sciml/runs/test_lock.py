"""One process at a time in a run folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sciml.framework.errors import ConfigError, OutputError
from sciml.runs.lock import locked

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the system has no such locks")
HOLD = (
    "import sys, pathlib\nfrom sciml.runs.lock import locked\n"
    "with locked(pathlib.Path(sys.argv[1])):\n    print('held', flush=True)\n    sys.stdin.read()\n"
)


def test_a_second_process_is_refused_until_the_first_one_dies(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, tmp_path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        text=True,
    ) as holder:  # fmt: skip
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(ConfigError, match=f"process {holder.pid} is running here"):
            locked(tmp_path).__enter__()
        holder.kill()
    with locked(tmp_path):
        assert (tmp_path / ".lock").read_text() == f"{os.getpid()}\n"


def test_a_folder_that_is_not_there_is_an_output_error(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written"):
        locked(tmp_path / "none").__enter__()

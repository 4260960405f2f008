"""What a run was made with."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy
import pytest

import sciml
from sciml.framework.errors import ConfigError
from sciml.runs.environment import add_session, sessions_of, versions


def test_versions_name_python_and_the_packages() -> None:
    found = versions()
    assert (found["sciml"], found["numpy"]) == (sciml.__version__, numpy.__version__)
    assert found["python"] == ".".join(map(str, sys.version_info[:3]))


def test_each_session_is_added(tmp_path: Path) -> None:
    path = tmp_path / "environment.json"
    add_session(path, 3, 2, "float64")
    add_session(path, 3, 1, "float64")
    first, second = sessions_of(path)
    assert (first["threads"], second["threads"]) == (2, 1)
    assert (first["seed"], first["dtype"], first["command"]) == (3, "float64", sys.argv)
    assert first["cores"] == os.cpu_count()
    assert first["processor"]


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "environment.json"
    path.write_text("{")
    with pytest.raises(ConfigError, match=r"environment\.json: not a list of sessions"):
        add_session(path, 0, 1, "float64")

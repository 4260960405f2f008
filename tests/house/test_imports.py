"""Imports point downwards, and heavy packages load when used."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAVY = ("matplotlib", "sympy", "cupy", "mpi4py", "rich", "scipy", "llvmlite", "numpy")


def loaded_by(statement: str) -> set[str]:
    """Return which heavy packages a fresh interpreter holds after a statement."""
    code = f"{statement}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout
    return set(json.loads(output.splitlines()[-1])) & set(HEAVY)


def test_import_sciml_loads_no_heavy_package() -> None:
    assert loaded_by("import sciml; sciml.__version__") == set()


def test_command_line_starts_light() -> None:
    assert loaded_by("import sciml.cli") == set()


def test_framework_loads_neither_sympy_nor_matplotlib() -> None:
    assert not loaded_by("import sciml.framework") & {"matplotlib", "sympy", "cupy", "mpi4py"}


def test_lazy_names_are_listed_and_load() -> None:
    import sciml

    for name in sciml.__all__:
        assert getattr(sciml, name) is not None
    assert set(sciml.__all__) <= set(dir(sciml))
    with pytest.raises(AttributeError, match="Solvr"):
        sciml.Solvr  # noqa: B018


def test_layer_contracts_hold() -> None:
    command = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    if command is None:
        pytest.skip("import-linter is not installed")
    result = subprocess.run(
        [command, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stdout

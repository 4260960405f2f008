"""The wheel: built without links, installed alone, run from another directory."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("sciml", "framework", "equations", "geometry", "pyproject.toml", "README.md", "LICENSE")


def call(*command: object, cwd: Path) -> str:
    """Run a command and return what it printed; its own errors are the assertion message."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    result = subprocess.run(
        [str(c) for c in command], cwd=cwd, capture_output=True, text=True, check=False,
        env=environment,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel from a copy of the sources that has lost its links."""
    source = tmp_path_factory.mktemp("source")
    for name in PARTS:
        origin = ROOT / name
        if origin.is_dir():
            shutil.copytree(origin, source / name, ignore=_links_and_caches)
        else:
            shutil.copy(origin, source / name)
    call(sys.executable, "-m", "build", "--wheel", "--no-isolation", source, cwd=source)
    (built,) = (source / "dist").glob("*.whl")
    return built


def _links_and_caches(folder: str, names: list[str]) -> set[str]:
    return {n for n in names if n == "__pycache__" or os.path.islink(os.path.join(folder, n))}


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a fresh environment with the wheel and this one's dependencies."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, with_pip=False, symlinks=os.name == "posix")
    interpreter = home / ("bin/python" if os.name == "posix" else "Scripts/python.exe")
    target = Path(
        call(interpreter, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home)
        .strip()
    )  # fmt: skip
    (target / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    call(
        sys.executable, "-m", "pip", "--python", interpreter, "install", "-q", "--no-deps",
        "--no-index", "--ignore-installed", wheel, cwd=home,
    )  # fmt: skip
    return interpreter


def test_wheel_holds_every_module_and_problem_once(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert len(names) == len(set(names))
    for folder in ("framework", "equations", "geometry"):
        for path in (ROOT / folder).rglob("*.py"):
            assert f"sciml/{path.relative_to(ROOT).as_posix()}" in names
    for path in (ROOT / "sciml" / "problems").glob("*.yaml"):
        assert f"sciml/problems/{path.name}" in names
    assert "sciml/py.typed" in names
    top = {name.split("/")[0] for name in names}
    assert {t for t in top if not t.endswith(".dist-info")} == {"sciml"}


def test_installed_package_runs_from_another_directory(python: Path, tmp_path: Path) -> None:
    code = "import sciml.framework, sciml; print(sciml.framework.__file__)"
    where = Path(call(python, "-c", code, cwd=tmp_path).strip())
    assert python.parent.parent in where.parents
    script = python.parent / "sciml"
    assert "sciml, version" in call(script, "--version", cwd=tmp_path)
    assert "kirchhoff_plate" in call(script, "list", cwd=tmp_path)

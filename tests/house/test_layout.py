"""The tree: packages, links, names and file sizes."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LINKED = ("equations", "framework", "geometry")
SOURCES = ("sciml", *LINKED)
FORBIDDEN_NAMES = ("utils", "helpers", "misc", "manager", "common")
MOST_LINES = 500


def modules() -> list[Path]:
    """Return every source file, each once."""
    found = []
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*.py")):
            relative = path.relative_to(ROOT)
            if relative.parts[0] == "sciml" and relative.parts[1] in LINKED:
                continue
            found.append(path)
    return found


def packages() -> set[str]:
    """Return the dotted names of all packages in the tree."""
    names = set()
    for path in modules():
        if path.name == "__init__.py":
            parts = path.parent.relative_to(ROOT).parts
            names.add(".".join(parts if parts[0] == "sciml" else ("sciml", *parts)))
    return names


def test_pyproject_lists_exactly_the_packages_of_the_tree() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    listed = project["tool"]["setuptools"]["packages"]
    assert set(listed) == packages()
    assert listed == sorted(listed)


def test_every_folder_with_modules_is_a_package() -> None:
    bare = {p.parent for p in modules() if not (p.parent / "__init__.py").exists()}
    assert bare == set()


@pytest.mark.parametrize("name", LINKED)
def test_links_lead_to_the_folders(name: str) -> None:
    link = ROOT / "sciml" / name
    if not link.is_symlink():
        pytest.skip("this checkout has no links")
    assert os.readlink(link) == f"../{name}"


@pytest.mark.parametrize("name", LINKED)
def test_folders_refuse_to_load_under_their_bare_name(name: str) -> None:
    code = f"import {name}"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert f"import it as 'sciml.{name}'" in result.stderr


def test_no_file_is_a_heap_or_named_like_one() -> None:
    long = {str(p.relative_to(ROOT)) for p in modules() if _lines(p) > MOST_LINES}
    named = {p.name for p in modules() if p.stem in FORBIDDEN_NAMES}
    assert (long, named) == (set(), set())


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_every_module_has_a_docstring_first() -> None:
    bare = {
        str(p.relative_to(ROOT))
        for p in modules()
        if not p.read_text(encoding="utf-8").lstrip().startswith(('"""', 'r"""'))
    }
    assert bare == set()


def test_no_bare_import_of_a_folder() -> None:
    starts = tuple(f"{word} {name}" for word in ("import", "from") for name in LINKED)
    guilty = {
        str(path.relative_to(ROOT))
        for path in modules()
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.strip().startswith(tuple(f"{s}." for s in starts))
        or line.strip() in starts
        or line.strip().startswith(tuple(f"{s} import" for s in starts))
    }
    assert guilty == set()


def test_sources_agree_on_the_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert f'__version__ = "{project["version"]}"' in (ROOT / "sciml/__init__.py").read_text()
    assert len(project["dependencies"]) <= 10

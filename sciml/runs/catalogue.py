"""The problems in the package, and the files of users."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING

from sciml.framework.errors import ConfigError, EquationError, GeometryError, ParseError, ShapeError

from .data_file import filled
from .document import Node, override, parse, read
from .include import composed

if TYPE_CHECKING:
    from .config import RunConfig

_SUFFIX = ".yaml"


def shipped() -> list[tuple[str, str]]:
    """Return name and description of every problem in the package, by name."""
    found = []
    for name, entry in sorted(_entries().items()):
        tree = parse(entry.read_text(encoding="utf-8"), entry.name)
        assert isinstance(tree.value, dict)
        found.append((name, str(tree.value["description"].plain())))
    return found


def load(name_or_file: str, overrides: Sequence[str] = ()) -> RunConfig:
    """Return a configuration by name or path, with overrides applied.

    Raises
    ------
    ConfigError
        When there is no such problem, or something in it is not valid.
    """
    from .config import SCHEMA, RunConfig
    from .schema import in_words

    tree = filled(override(_tree(name_or_file), overrides))
    config = SCHEMA.build(RunConfig, tree)
    assert isinstance(config, RunConfig)
    try:
        config.build()
    except (EquationError, GeometryError, ParseError, ShapeError) as error:
        changes = " ".join(f"--set {text}" for text in overrides)
        source = tree.where.rpartition(":")[0] + (f" with {changes}" if changes else "")
        raise ConfigError(in_words(error, tree, source)) from error
    return config


def text(config: RunConfig) -> str:
    """Return the YAML text of a configuration."""
    from .config import to_plain
    from .dump import yaml_text

    return yaml_text(to_plain(config))


def _tree(name_or_file: str) -> Node:
    found = _shipped_tree(name_or_file)
    if found is not None:
        return found
    path = Path(name_or_file)
    if path.suffix in (".yaml", ".yml") or _exists(path):
        return composed(read(path), path, _shipped_tree)
    entries = _entries()
    close = difflib.get_close_matches(name_or_file, entries, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"shipped are {', '.join(sorted(entries))}"
    raise ConfigError(f"{name_or_file!r} is neither a shipped problem nor a YAML file; {hint}")


def _shipped_tree(name: str) -> Node | None:
    entry = _entries().get(name)
    return None if entry is None else parse(entry.read_text(encoding="utf-8"), entry.name)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name too long for the system
        return False


def _entries() -> dict[str, Traversable]:
    folder = files("sciml") / "problems"
    return {
        entry.name.removesuffix(_SUFFIX): entry
        for entry in folder.iterdir()
        if entry.name.endswith(_SUFFIX)
    }

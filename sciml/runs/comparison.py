"""Finished runs side by side: how they differ, and what came out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from sciml.framework.errors import ConfigError

from . import folder
from .document import Node, read
from .folder import RunFolder
from .report import Table


def compared(paths: Sequence[Path]) -> Table:
    """Return a table with a column for each run.

    Its rows are the keys in which the configurations differ, then how training ended, losses,
    errors or residuals, and times. A run without a result has blanks.

    Raises
    ------
    ConfigError
        When a folder holds no run.
    """
    folders = [folder.existing(path) for path in paths]
    configs = [dict(_flat(read(f.config), "")) for f in folders]
    results = [_outcomes(f) for f in folders]
    keys = list(dict.fromkeys(key for config in configs for key in config))
    rows = [(key, *(config.get(key, "") for config in configs)) for key in keys]
    rows = [row for row in rows if len(set(row[1:])) > 1]
    names = dict.fromkeys(name for result in results for name in result)
    rows += [(name, *(result.get(name, "") for result in results)) for name in names]
    return Table("runs", ("", *(f.path.name or str(f.path) for f in folders)), tuple(rows))


def runs(parent: Path) -> Iterator[str]:
    """Yield a line with the state of each run in a folder.

    Raises
    ------
    ConfigError
        When there is no such folder.
    """
    if not parent.is_dir():
        raise ConfigError(f"{parent}: there is no such folder; sciml run makes it")
    for path in sorted(parent.rglob("config.yaml")):  # those of sweeps lie one deeper
        outcomes = _outcomes(RunFolder(path.parent))
        text = "  ".join(f"{k} {v}" for k, v in outcomes.items() if not k.startswith("resid"))
        yield f"{path.parent}  {text}"


def _flat(node: Node, path: str) -> Iterator[tuple[str, str]]:
    if not node.children():
        yield path, json.dumps(node.plain(), ensure_ascii=False)
    for key, child in node.children():
        yield from _flat(child, f"{path}.{key}" if path else key)


def _outcomes(run: RunFolder) -> dict[str, str]:
    if not run.result.is_file():
        return {"state": "not finished"}
    try:
        content: dict[str, Any] = json.loads(run.result.read_text(encoding="utf-8"))
    except ValueError:
        raise ConfigError(f"{run.result}: not JSON; run sciml resume {run.path}") from None
    found = {"state": "finished"}
    if "search" in content:
        found["tolerance"] = "reached" if content["search"]["reached"] else "not reached"
        for name, error in content["search"]["errors"].items():
            found[f"estimated error {name}"] = _number(error)
    else:
        found |= {"steps": str(content["steps"]), "loss": _number(content["loss"])}
    for name, error in content["errors"].items():
        found[f"error {name}"] = _number(error["relative_l2"])
    for name, size in content["residual"].items():
        found[f"residual {name}"] = _number(size)
    found["wall time [s]"] = _number(content["wall_time_s"])
    return found


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"

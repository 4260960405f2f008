"""Numbers of a run file that stand in files of their own: ``{file: data.csv, columns: [x, t]}``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from sciml.framework.errors import ConfigError

from .document import Node, place_of
from .tables import read_columns


def filled(tree: Node) -> Node:
    """Return a tree with the numbers in the place of the files that hold them.

    A mapping with the key ``file`` and without ``type`` is a list of numbers: of a CSV file with
    names in its first line the ``columns``, one name or a list of names, which gives rows; of an
    NPZ file the ``array`` of a name; or all of an NPY file. Paths are relative to the run file.

    Raises
    ------
    ConfigError
        When a key does not fit, or the numbers cannot be read.
    """
    if isinstance(tree.value, dict):
        if "file" in tree.value and "type" not in tree.value:
            return _read(tree)
        return Node({key: filled(node) for key, node in tree.value.items()}, tree.where)
    if isinstance(tree.value, list):
        return Node([filled(node) for node in tree.value], tree.where)
    return tree


def _read(node: Node) -> Node:
    assert isinstance(node.value, dict)
    wanted = {key: child.plain() for key, child in node.value.items()}
    name = wanted["file"]
    suffix = Path(name).suffix if isinstance(name, str) else ""
    needed = {".csv": {"columns"}, ".npz": {"array"}, ".npy": set()}.get(suffix)
    if needed is None or set(wanted) != {"file"} | needed:
        raise ConfigError(
            f"{node.where}: expected {{file: NAME.csv, columns: ...}}, {{file: NAME.npz, "
            f"array: ...}} or {{file: NAME.npy}}, got {wanted}"
        )
    path = place_of(node) / str(name)
    try:
        values = _columns(path, wanted["columns"]) if suffix == ".csv" else _array(path, wanted)
    except (OSError, ValueError, EOFError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise ConfigError(f"{node.where}: {path}: cannot be read: {reason}") from None
    return _as_node(values, node.where)


def _columns(path: Path, names: object) -> list[Any]:
    found: list[Any] = read_columns(path, names if isinstance(names, list) else [names]).tolist()
    return found if isinstance(names, list) else [row[0] for row in found]


def _array(path: Path, wanted: dict[str, object]) -> list[Any]:
    loaded = np.load(path, allow_pickle=False)
    if isinstance(loaded, np.ndarray):
        values = loaded
    else:
        with loaded:
            if wanted.get("array") not in loaded.files:
                raise ValueError(f"no array {wanted.get('array')!r}, only {loaded.files}")
            values = loaded[str(wanted["array"])]
    if values.dtype.kind not in "iuf" or values.ndim == 0:
        raise ValueError(f"expected an array of numbers, got {values.dtype} {values.shape}")
    content: list[Any] = values.tolist()
    return content


def _as_node(value: Any, where: str) -> Node:
    if isinstance(value, list):
        return Node([_as_node(item, where) for item in value], where)
    return Node(value, where)

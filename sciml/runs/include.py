"""Files that build on others: ``include: base.yaml``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sciml.framework.errors import ConfigError

from .document import Node, read

_KEY = "include"


def composed(tree: Node, source: Path | None, shipped: Callable[[str], Node | None]) -> Node:
    """Return a tree merged over those that it includes.

    Parameters
    ----------
    tree : Node
        A document, which may have a key ``include`` with one name or a list of names, of which
        later ones win over earlier ones and the document over all of them.
    source : Path or None
        Its file, relative to which included files are; None for a text.
    shipped : function
        Returns the problem of the package with a name, or None.

    Raises
    ------
    ConfigError
        When a name is no text, or a file cannot be read or includes itself.

    Notes
    -----
    Mappings are merged key by key, unless both have a ``type`` and these differ; everything else,
    lists as well, is replaced.
    """
    chain = () if source is None else (source.resolve(),)
    return _composed(tree, source, shipped, chain)


def _composed(
    tree: Node, source: Path | None, shipped: Callable[[str], Node | None], chain: tuple[Path, ...]
) -> Node:
    if not isinstance(tree.value, dict) or _KEY not in tree.value:
        return tree
    asked = tree.value[_KEY]
    own = Node({k: n for k, n in tree.value.items() if k != _KEY}, tree.where)
    merged: Node | None = None
    for entry in asked.value if isinstance(asked.value, list) else [asked]:
        base = _included(entry, source, shipped, chain)
        merged = base if merged is None else merge(merged, base)
    return own if merged is None else merge(merged, own)


def _included(
    entry: Node, source: Path | None, shipped: Callable[[str], Node | None], chain: tuple[Path, ...]
) -> Node:
    if not isinstance(entry.value, str):
        raise ConfigError(
            f"{entry.where}: {_KEY!r} needs the name of a file or of a shipped problem, "
            f"got {entry.plain()!r}"
        )
    found = shipped(entry.value)
    if found is not None:
        return found
    path = (Path() if source is None else source.parent) / entry.value
    if path.resolve() in chain:
        circle = " -> ".join(p.name for p in (*chain, path.resolve()))
        raise ConfigError(f"{entry.where}: {_KEY!r}: files include each other: {circle}")
    try:
        tree = read(path)
    except ConfigError as error:
        message = str(error)
        raise ConfigError(
            f"{entry.where}: {_KEY!r}: {message}" if ": cannot be read: " in message else message
        ) from None
    return _composed(tree, path, shipped, (*chain, path.resolve()))


def merge(base: Node, over: Node) -> Node:
    """Return one tree merged over another.

    Examples
    --------
    >>> from sciml.runs.document import parse
    >>> base, over = parse("{a: {b: 1, c: [1, 2]}}", "x"), parse("{a: {c: [3]}}", "y")
    >>> merge(base, over).plain()
    {'a': {'b': 1, 'c': [3]}}
    """
    if not isinstance(base.value, dict) or not isinstance(over.value, dict):
        return over
    kinds = [side["type"].plain() for side in (base.value, over.value) if "type" in side]
    if len(kinds) == 2 and kinds[0] != kinds[1]:
        return over
    result = dict(base.value)
    for key, node in over.value.items():
        result[key] = merge(result[key], node) if key in result else node
    return Node(result, over.where)

"""YAML text as a tree in which every value knows its file and line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from sciml.framework.errors import ConfigError

Scalar: TypeAlias = str | int | float | bool | None
_OVERRIDE = "--set "
_DEEPEST = 100


@dataclass(frozen=True)
class Node:
    """A scalar, list or mapping with the place where it was written.

    Parameters
    ----------
    value : scalar, list of Node, or dict of str to Node
        The content.
    where : str
        ``file:line`` of the key (or of the list entry), or the override it came from.
    """

    value: Scalar | list[Node] | dict[str, Node]
    where: str

    def children(self) -> list[tuple[str, Node]]:
        """Return the entries of a mapping or list with their keys or numbers."""
        if isinstance(self.value, dict):
            return list(self.value.items())
        if isinstance(self.value, list):
            return [(str(i), node) for i, node in enumerate(self.value)]
        return []

    def plain(self) -> object:
        """Return the content without places."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, list):
            return [node.plain() for node in self.value]
        return self.value


def read(path: Path) -> Node:
    """Return the tree of a YAML 1.2 file."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ConfigError(f"{path}: cannot be read: {reason}") from None
    return parse(text, str(path))


def parse(text: str, source: str) -> Node:
    """Return the tree of YAML text.

    Parameters
    ----------
    text : str
        The document.
    source : str
        What to call it in messages.

    Examples
    --------
    >>> tree = parse("solver:\\n  rate: 1e-3", "run.yaml")
    >>> tree.plain(), tree.value["solver"].value["rate"].where
    ({'solver': {'rate': 0.001}}, 'run.yaml:2')
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError
    from ruamel.yaml.reader import ReaderError

    yaml = YAML(typ="safe", pure=True)
    try:
        _require_flat(yaml.parse(text), source)
        root = yaml.compose(text)
        if root is None:
            return Node({}, _place(source, 0))
        return _Builder(yaml, source, len(text)).build(root, _place(source, 0))
    except ConfigError:
        raise
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = _place(source, mark.line) if mark else source
        raise ConfigError(f"{where}: not valid YAML: {error.problem}") from None
    except ReaderError as error:
        where = _place(source, text.count("\n", 0, error.position))
        found = f"the character U+{ord(text[error.position]):04X}"
        raise ConfigError(f"{where}: not valid YAML: {found} is not allowed") from None
    except (YAMLError, ValueError) as error:
        raise ConfigError(f"{source}: not valid YAML: {error}") from None


def _require_flat(events: Iterator[Any], source: str) -> None:
    """Refuse lists and mappings so far inside each other that reading them would not end well."""
    from ruamel.yaml.events import CollectionEndEvent, CollectionStartEvent

    depth = 0
    for event in events:
        depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
        if depth > _DEEPEST:
            where = _place(source, event.start_mark.line)
            raise ConfigError(
                f"{where}: lists and mappings are nested more than {_DEEPEST} deep; expected a "
                "configuration, see sciml show"
            )


class _Builder:
    """Turns the nodes of one text into a tree, in which aliases are written out."""

    def __init__(self, yaml: Any, source: str, size: int) -> None:
        self._yaml, self._source = yaml, source
        # Without aliases there are fewer values than characters.
        self._left = max(10 * size, 10_000)

    def build(self, node: Any, where: str, depth: int = 0) -> Node:
        from ruamel.yaml.nodes import MappingNode, SequenceNode

        self._left -= 1
        if depth > _DEEPEST or self._left < 0:
            raise ConfigError(
                f"{where}: an alias holds itself, or many others; write its content out"
            )
        if isinstance(node, MappingNode):
            return Node(self._mapping(node, depth), where)
        if isinstance(node, SequenceNode):
            places = [_place(self._source, n.start_mark.line) for n in node.value]
            items = zip(node.value, places, strict=True)
            return Node([self.build(n, place, depth + 1) for n, place in items], where)
        value = self._yaml.constructor.construct_object(node, deep=True)
        if value is not None and not isinstance(value, str | int | float | bool):
            raise ConfigError(
                f"{where}: {node.value!r} is read as a {type(value).__name__}; quote it"
            )
        return Node(value, where)

    def _mapping(self, node: Any, depth: int) -> dict[str, Node]:
        result: dict[str, Node] = {}
        lines: dict[str, int] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line
            where = _place(self._source, line)
            key = str(key_node.value)
            if key in result:
                first = "" if _is_override(self._source) else f"; first in line {lines[key] + 1}"
                raise ConfigError(f"{where}: key {key!r} is given twice{first}")
            lines[key] = line
            result[key] = self.build(value_node, where, depth + 1)
        return result


def _place(source: str, line: int) -> str:
    return source if _is_override(source) else f"{source}:{line + 1}"


def _is_override(where: str) -> bool:
    return where.startswith(_OVERRIDE)


def place_of(node: Node) -> Path:
    """Return the folder of the file that a node was written in, here for an override."""
    return Path() if _is_override(node.where) else Path(node.where.rpartition(":")[0]).parent


def blamed(node: Node) -> str:
    """Return the overrides inside a node, or else the place of the node."""
    return ", ".join(dict.fromkeys(w for w in _places(node) if _is_override(w))) or node.where


def _places(node: Node) -> Iterator[str]:
    yield node.where
    for _, child in node.children():
        yield from _places(child)


def override(tree: Node, assignments: Sequence[str]) -> Node:
    """Return the tree with ``a.b=value`` assignments applied, values read as YAML.

    A number in the path selects an entry of a list: ``solver.schedule.0.steps=100``. Keys that
    do not exist yet are added, and the schema judges them like those of the file. ``a.b=null``
    takes a key out, so that its default holds.
    """
    for text in assignments:
        path, equals, value = text.partition("=")
        where = f"{_OVERRIDE}{text}"
        if not equals or not all(path.split(".")):
            raise ConfigError(f"{where}: expected KEY=VALUE with a dotted key, e.g. solver.seed=3")
        tree = _assign(tree, path.split("."), _relabel(parse(value, where), where), where)
    return tree


def _assign(tree: Node, path: list[str], value: Node, where: str) -> Node:
    if not path:
        return value
    head, rest = path[0], path[1:]
    if isinstance(tree.value, list):
        if not head.isdigit() or int(head) >= len(tree.value):
            last = len(tree.value) - 1
            raise ConfigError(f"{where}: {head!r} is not an entry of a list numbered 0 to {last}")
        items = list(tree.value)
        items[int(head)] = _assign(items[int(head)], rest, value, where)
        return Node(items, tree.where)
    mapping = dict(tree.value) if isinstance(tree.value, dict) else {}
    if not rest and value.value is None:
        mapping.pop(head, None)
        return Node(mapping, tree.where)
    mapping[head] = _assign(mapping.get(head, Node({}, where)), rest, value, where)
    return Node(mapping, tree.where)


def _relabel(node: Node, where: str) -> Node:
    if isinstance(node.value, dict):
        return Node({k: _relabel(n, where) for k, n in node.value.items()}, where)
    if isinstance(node.value, list):
        return Node([_relabel(n, where) for n in node.value], where)
    return Node(node.value, where)

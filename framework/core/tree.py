"""Nested containers of arrays: lists, tuples, named tuples, dictionaries, None, registered ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ..errors import ShapeError

__all__ = [
    "Structure", "flatten", "leaf_paths", "map_leaves", "register_container", "unflatten",
]  # fmt: skip

# class: the attributes that are its children, and what builds it from them
_REGISTERED: dict[type, tuple[tuple[str, ...], Callable[..., object]]] = {}


def register_container(
    kind: type, attributes: tuple[str, ...], build: Callable[..., object]
) -> None:
    """Make a class a container, whose children are attributes.

    Parameters
    ----------
    kind
        The class; its subclasses are not included.
    attributes
        Names of the attributes, in order.
    build
        Called with the children; it must accept any objects.
    """
    _REGISTERED[kind] = (attributes, build)


@dataclasses.dataclass(frozen=True)
class Structure:
    """The shape of a nested container: its kind and its children, without the leaves."""

    kind: type | None
    keys: tuple[object, ...] = ()
    children: tuple[Structure, ...] = ()

    @property
    def leaf_count(self) -> int:
        """The number of leaves below this node."""
        return 1 if self.kind is None else sum(c.leaf_count for c in self.children)


_LEAF = Structure(None)


def _children(node: object) -> tuple[tuple[object, ...], list[object]] | None:
    """Return keys and children of a container, or None for a leaf."""
    if node is None:
        return (), []
    if type(node) in _REGISTERED:
        names, _ = _REGISTERED[type(node)]
        return names, [getattr(node, name) for name in names]
    if isinstance(node, dict):
        keys = tuple(sorted(node, key=repr))
        return keys, [node[k] for k in keys]
    if isinstance(node, tuple) and hasattr(node, "_fields"):
        return tuple(node._fields), list(node)
    if isinstance(node, list | tuple):
        return tuple(range(len(node))), list(node)
    return None


def flatten(node: object) -> tuple[list[Any], Structure]:
    """Return the leaves in a fixed order and the structure that puts them back.

    Examples
    --------
    >>> leaves, structure = flatten({"b": 2, "a": [1, None]})
    >>> leaves
    [1, 2]
    >>> unflatten(structure, [10, 20])
    {'a': [10, None], 'b': 20}
    """
    found = _children(node)
    if found is None:
        return [node], _LEAF
    keys, items = found
    leaves: list[object] = []
    children = []
    for item in items:
        below, structure = flatten(item)
        leaves.extend(below)
        children.append(structure)
    return leaves, Structure(type(node), keys, tuple(children))


def unflatten(structure: Structure, leaves: Sequence[object]) -> Any:
    """Put leaves back into a structure; the number must match."""
    if len(leaves) != structure.leaf_count:
        raise ShapeError(f"{structure.leaf_count} leaves expected, got {len(leaves)}")
    return _build(structure, iter(leaves))


def _build(structure: Structure, leaves: Iterator[object]) -> object:
    kind: Any = structure.kind
    if kind is None:
        return next(leaves)
    items = [_build(child, leaves) for child in structure.children]
    if kind is type(None):
        return None
    if kind in _REGISTERED:
        return _REGISTERED[kind][1](*items)
    if issubclass(kind, dict):
        return kind(zip(structure.keys, items, strict=True))
    if issubclass(kind, list):
        return kind(items)
    return kind(*items) if hasattr(kind, "_fields") else kind(items)


def map_leaves(function: Callable[..., object], first: object, *rest: object) -> Any:
    """Apply a function to corresponding leaves of containers of equal structure."""
    leaves, structure = flatten(first)
    others = [flatten(r) for r in rest]
    if any(s != structure for _, s in others):
        raise ShapeError("the containers have different structures")
    rows = zip(leaves, *(ls for ls, _ in others), strict=True)
    return unflatten(structure, [function(*row) for row in rows])


def leaf_paths(structure: Structure, prefix: str = "") -> list[str]:
    """Return a readable path for each leaf, such as ``[0]['w']``."""
    if structure.kind is None:
        return [prefix or "value"]
    return [
        path
        for key, child in zip(structure.keys, structure.children, strict=True)
        for path in leaf_paths(child, f"{prefix}[{key!r}]")
    ]

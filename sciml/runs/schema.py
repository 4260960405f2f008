"""Build dataclasses from a document; the classes' own annotations are the schema."""

from __future__ import annotations

import dataclasses
import difflib
import json
import math
import re
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import TypeAdapter, ValidationError

from sciml.framework.errors import ConfigError, ParseError, ScimlError

from .document import Node, blamed


@dataclass(frozen=True)
class Schema:
    """What an annotation may be built from.

    Parameters
    ----------
    families : Mapping of type to (Mapping of str to type)
        For an abstract class, the classes that ``type: Name`` may choose; ``Name`` alone is that
        class with its defaults.
    readers : Mapping of type to function
        For a class written as one string or number, the function that reads it.
    elsewhere : Mapping of str to str
        For keys that other programs have, what they are here, for the message that refuses them.
    """

    families: Mapping[type, Mapping[str, type]] = field(default_factory=dict)
    readers: Mapping[type, Callable[[Any], object]] = field(default_factory=dict)
    elsewhere: Mapping[str, str] = field(default_factory=dict)

    def build(self, annotation: Any, node: Node, path: str = "") -> Any:
        """Return the value of an annotation that a node describes.

        Parameters
        ----------
        annotation : type or typing construct
            What is expected.
        node : Node
            What was written.
        path : str
            Dotted key of the node, for messages.

        Raises
        ------
        ConfigError
            With file, line, key, what was got and what was expected.
        """
        options = alternatives(annotation)
        if node.value is None and type(None) in options:
            return None
        if isinstance(node.value, dict):
            named = "type" in node.value or not any(map(self._nameless, options))
            for option in options:
                if option in self.families and named:
                    return self._member(option, node, path)
                if self._is_group(option):
                    return self._fields(option, node, path)
                if _is_mapping(option) and not (named and self._families(options)):
                    return self._mapping(option, node, path)
        if isinstance(node.value, list):
            for option in options:
                if typing.get_origin(option) in (tuple, list, Sequence):
                    return self._items(option, node, path)
                if option is Any:  # nested numbers, which the class itself checks
                    return node.plain()
        return self._leaf(options, node, path)

    def _is_group(self, option: Any) -> bool:
        """Whether an option is a class whose keys are written without a type."""
        return dataclasses.is_dataclass(option) and option not in self.families

    def _nameless(self, option: Any) -> bool:
        return _is_mapping(option) or self._is_group(option)

    def _families(self, options: tuple[Any, ...]) -> bool:
        return any(option in self.families for option in options)

    def _member(self, base: type, node: Node, path: str) -> Any:
        assert isinstance(node.value, dict)
        members = self.families[base]
        chosen = node.value.get("type")
        if chosen is None:
            raise ConfigError(
                f"{node.where}: {_named(path)} needs a key 'type', one of {_listing(members)}"
            )
        if not isinstance(chosen.value, str) or chosen.value not in members:
            raise ConfigError(
                f"{chosen.where}: unknown type {_written(chosen.plain())} for {_named(path)}"
                f"{nearest(str(chosen.value), members)}"
            )
        rest = Node({k: n for k, n in node.value.items() if k != "type"}, node.where)
        return self._fields(members[chosen.value], rest, path)

    def _fields(self, kind: type, node: Node, path: str) -> Any:
        assert isinstance(node.value, dict)
        hints = field_types(kind)
        for key, child in node.value.items():
            if key not in hints:
                here = self.elsewhere.get(key)
                hint = f"; here it is {here}" if here else nearest(key, hints)
                raise ConfigError(f"{child.where}: unknown key {_written(_join(path, key))}{hint}")
        values = {
            key: self.build(hints[key], child, _join(path, key))
            for key, child in node.value.items()
        }
        for missing in required(kind):
            if missing not in values:
                raise ConfigError(f"{node.where}: missing key {_join(path, missing)!r}")
        try:
            return kind(**values)
        except (ScimlError, ValueError, TypeError) as error:
            where = f"{blamed(node)}: {_named(path)}"
            raise ConfigError(in_words(error, node, where, path)) from error

    def _mapping(self, annotation: Any, node: Node, path: str) -> dict[str, Any]:
        assert isinstance(node.value, dict)
        value_type = (*typing.get_args(annotation), Any, Any)[1]
        return {k: self.build(value_type, n, _join(path, k)) for k, n in node.value.items()}

    def _items(self, annotation: Any, node: Node, path: str) -> Any:
        assert isinstance(node.value, list)
        arguments = typing.get_args(annotation)
        if typing.get_origin(annotation) is not tuple or arguments[-1] is Ellipsis:
            types_of = [arguments[0]] * len(node.value)
        else:
            types_of = list(arguments)
        if len(types_of) != len(node.value):
            raise ConfigError(
                f"{node.where}: {_named(path)} needs {len(types_of)} entries, got {len(node.value)}"
            )
        built = [
            self.build(t, n, _join(path, str(i)))
            for i, (t, n) in enumerate(zip(types_of, node.value, strict=True))
        ]
        return built if typing.get_origin(annotation) is list else tuple(built)

    def _leaf(self, options: tuple[Any, ...], node: Node, path: str) -> Any:
        if isinstance(node.value, dict | list):
            kind = "a mapping" if isinstance(node.value, dict) else "a list"
            raise ConfigError(
                f"{node.where}: {_named(path)} is {kind}; expected {self._expected(options)}"
            )
        if isinstance(node.value, float) and not math.isfinite(node.value):
            raise ConfigError(f"{node.where}: {_named(path)} is {node.value}; expected a number")
        text = json.dumps(node.value)
        problem = f"got {_written(node.value)}"
        for option in options:
            if option in self.readers or not _is_scalar(option):
                continue
            try:
                return TypeAdapter(option).validate_json(text, strict=True)
            except ValidationError:
                continue
        for option in options:
            if isinstance(node.value, str) and node.value in self.families.get(option, {}):
                return self._fields(self.families[option][node.value], Node({}, node.where), path)
        for option in options:
            if option in self.readers and isinstance(node.value, str | int | float):
                try:
                    return self.readers[option](node.value)
                except (ScimlError, ValueError) as error:
                    problem = str(error)
        raise ConfigError(
            f"{node.where}: {_named(path)}: {problem}; expected {self._expected(options)}"
        )

    def _expected(self, options: tuple[Any, ...]) -> str:
        words = [_describe(option, self.families) for option in options]
        text = " or ".join(word for word in words if word)
        return f"{text}, or nothing (null)" if type(None) in options else text


def in_words(error: Exception, node: Node, where: str, path: str = "") -> str:
    """Return an error as one line, which names the key when it is about an expression.

    Parameters
    ----------
    error : Exception
        What building the values under the node raised.
    node : Node
        What was written.
    where : str
        What to blame when no expression is at fault.
    path : str
        Dotted key of the node.
    """
    found = isinstance(error, ParseError) and _PARSING.fullmatch(str(error))
    if not found:
        return f"{where}: {' '.join(str(error).split())}"
    line, column, message, shown = int(found[1]), found[2], found[3], found[4]
    for key, text in _texts(node, path):
        lines = str(text.value).replace("\t", " ").split("\n")
        if lines[line - 1 : line] == [shown]:
            where = f"{text.where}: {key!r}"
            break
    got, comma, expected = message.partition(", expected ")
    row = f"line {line}, " if line > 1 else ""
    place = f"{got} in {_written(shown.strip())} at {row}column {column}"
    return f"{where}: {place}; expected {expected}" if comma else f"{where}: {place}"


_LONGEST = 200
_PARSING = re.compile(r"line (\d+), column (\d+): (.*)\n  (.*)\n *\^", re.DOTALL)


def _texts(node: Node, path: str) -> Iterator[tuple[str, Node]]:
    if isinstance(node.value, str):
        yield path, node
    for key, child in node.children():
        yield from _texts(child, _join(path, key))


def alternatives(annotation: Any) -> tuple[Any, ...]:
    """Return the members of a union, or the annotation alone."""
    if typing.get_origin(annotation) in (typing.Union, types.UnionType):
        return typing.get_args(annotation)
    return (annotation,)


def field_types(kind: type) -> dict[str, Any]:
    """Return names and resolved annotations of the fields a dataclass is built from."""
    hints = typing.get_type_hints(kind, include_extras=True)
    return {f.name: hints[f.name] for f in dataclasses.fields(kind) if f.init}


def nearest(word: str, valid: Mapping[str, object]) -> str:
    """Return a hint with the most similar valid name, or all of them."""
    close = difflib.get_close_matches(word, list(valid), n=1, cutoff=0.5)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; valid are {_listing(valid)}"


def required(kind: type) -> list[str]:
    """Return the names of the fields without a default."""
    return [
        f.name
        for f in dataclasses.fields(kind)
        if f.init and f.default is dataclasses.MISSING and f.default_factory is dataclasses.MISSING
    ]


def _is_mapping(option: Any) -> bool:
    return typing.get_origin(option) in (dict, Mapping)


def _is_scalar(option: Any) -> bool:
    origin = typing.get_origin(option)
    if origin is typing.Annotated:
        return _is_scalar(typing.get_args(option)[0])
    if origin is typing.Literal:
        return True
    return isinstance(option, type) and option in (str, int, float, bool, type(None))


def _describe(option: Any, families: Mapping[type, Mapping[str, type]]) -> str:
    if option in families:
        return f"a type or a mapping with 'type', one of {_listing(families[option])}"
    if typing.get_origin(option) is typing.Literal:
        return " or ".join(repr(a) for a in typing.get_args(option))
    if typing.get_origin(option) is typing.Annotated:
        kind, *limits = typing.get_args(option)
        return _describe(kind, families) + "".join(map(_limit, limits))
    if dataclasses.is_dataclass(option) and isinstance(option, type):
        return f"a mapping with the keys {_listing(field_types(option))}"
    names = {str: "text", int: "an integer", float: "a number", bool: "true or false"}
    if option in names:
        return names[option]
    origin = typing.get_origin(option)
    if origin in (tuple, list, Sequence):
        return "a list"
    return "a mapping" if origin in (dict, Mapping) else ""


def _limit(limit: Any) -> str:
    """Return the bounds that the field of an annotation states, in words."""
    words = {"ge": "{} or more", "gt": "more than {}", "le": "{} or less", "lt": "less than {}"}
    bounds = [
        text.format(getattr(bound, name))
        for bound in getattr(limit, "metadata", ())
        for name, text in words.items()
        if hasattr(bound, name)
    ]
    return " of " + " and ".join(bounds) if bounds else ""


def _written(value: object) -> str:
    """Return a value as it is written in YAML, text in quotes."""
    return shortened(repr(value) if isinstance(value, str) else json.dumps(value))


def shortened(text: str) -> str:
    """Return a text that is quoted in a message, without its end where it is long."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def _listing(names: Mapping[str, object]) -> str:
    return ", ".join(names)


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _named(path: str) -> str:
    return repr(path) if path else "the document"

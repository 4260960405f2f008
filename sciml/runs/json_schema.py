"""The JSON Schema of run files, for editors that complete and check them."""

from __future__ import annotations

import dataclasses
import inspect
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .config import SCHEMA, RunConfig
from .dump import plain
from .listing import parameters
from .schema import Schema, alternatives, field_types, required

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_SCALARS: Mapping[Any, str] = types.MappingProxyType(
    {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
)
_LIMITS: Mapping[str, str] = types.MappingProxyType(
    {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}
)
Content = dict[str, Any]


def run_schema() -> Content:
    """Return the schema of run files, in the dialect of 2020-12.

    Examples
    --------
    >>> run_schema()["properties"]["name"]
    {'type': 'string', 'description': 'What the problem is called, and one sentence about it.'}
    """
    writer = _Writer(SCHEMA)
    root = writer.fields(RunConfig, {})
    names = {"type": "string"}
    root["properties"]["include"] = {
        "anyOf": [names, {"type": "array", "items": names}],
        "description": "Files, or shipped problems by name, that this one changes.",
    }
    needed = root.pop("required")
    return {
        "$schema": _DIALECT,
        "title": "sciml run file",
        **root,
        "anyOf": [{"required": ["include"]}, {"required": needed}],
        "$defs": writer.definitions,
    }


class _Writer:
    """Translates annotations; classes become definitions that refer to each other."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self.definitions: dict[str, Content] = {"File": _file()}

    def of(self, annotation: Any) -> Content:
        """Return what an annotation accepts."""
        found = [c for option in alternatives(annotation) for c in self._option(option)]
        if len(found) == 1:
            return found[0]
        return {"anyOf": found} if found else {"not": {}}

    def _option(self, option: Any) -> list[Content]:
        """Return what a member of a union accepts; none where YAML cannot write it."""
        origin, arguments = typing.get_origin(option), typing.get_args(option)
        if option is Any:
            return [{}]
        if option in _SCALARS:
            return [{"type": _SCALARS[option]}]
        if option in self._schema.families:
            members = self._schema.families[option]
            alone = [name for name, kind in members.items() if not required(kind)]
            return [{"oneOf": self._members(option)}, *([{"enum": alone}] if alone else [])]
        if dataclasses.is_dataclass(option) and isinstance(option, type):
            return [self._refer(option.__name__, option, {})]
        if origin is typing.Literal:
            return [{"enum": list(arguments)}]
        if origin is typing.Annotated:
            return [self.of(arguments[0]) | _limits(arguments[1:])]
        if origin in (dict, Mapping) or option in (dict, Mapping):
            value = (*arguments, Any, Any)[1]
            return [{"type": "object", "additionalProperties": self.of(value)}]
        if origin is tuple and arguments[-1] is not Ellipsis:
            items = [self.of(a) for a in arguments]
            return [{"type": "array", "prefixItems": items, "minItems": len(items),
                     "maxItems": len(items)}]  # fmt: skip
        if origin in (tuple, list, Sequence):
            return [{"type": "array", "items": self.of(arguments[0])}, {"$ref": "#/$defs/File"}]
        return []

    def _members(self, base: type) -> list[Content]:
        return [
            self._refer(f"{base.__name__}.{name}", kind, {"type": {"const": name}})
            for name, kind in self._schema.families[base].items()
        ]

    def _refer(self, name: str, kind: type, first: Content) -> Content:
        if name not in self.definitions:
            self.definitions[name] = {}  # a shape made of shapes refers to itself
            self.definitions[name] = self.fields(kind, first)
        return {"$ref": f"#/$defs/{name}"}

    def fields(self, kind: type, first: Content) -> Content:
        """Return what the keys of a class accept, with their meanings and defaults."""
        meanings, properties = parameters(kind), dict(first)
        hints = field_types(kind)
        for field in dataclasses.fields(kind):
            if field.init:
                content = self.of(hints[field.name])
                if meanings.get(field.name):
                    content = {**content, "description": meanings[field.name]}
                properties[field.name] = content | self._default(field, hints[field.name])
        return {
            "type": "object",
            "description": (inspect.getdoc(kind) or "").partition("\n\n")[0].replace("\n", " "),
            "properties": properties,
            "required": [*first, *required(kind)],
            "additionalProperties": False,
        }

    def _default(self, field: dataclasses.Field[Any], annotation: Any) -> Content:
        if field.default is dataclasses.MISSING or isinstance(field.default, np.ndarray):
            return {}
        return {"default": plain(field.default, annotation, self._schema)}


def _limits(annotations: Sequence[Any]) -> Content:
    """Return the bounds that pydantic's fields state."""
    return {
        word: getattr(bound, name)
        for annotation in annotations
        for bound in getattr(annotation, "metadata", ())
        for name, word in _LIMITS.items()
        if getattr(bound, name, None) is not None
    }


def _file() -> Content:
    """Return what stands for numbers that are in a file."""
    return {
        "type": "object",
        "description": "Numbers in a file: columns of CSV by name, an array of NPZ, or all of NPY.",
        "properties": {
            "file": {"type": "string"},
            "columns": {
                "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
            },
            "array": {"type": "string"},
        },
        "required": ["file"],
        "additionalProperties": False,
    }

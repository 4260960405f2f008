"""Configuration objects back to plain data and YAML text that builds them again."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Mapping
from typing import Any

import numpy as np

from .schema import Schema, alternatives, field_types


def plain(value: object, annotation: Any, schema: Schema) -> object:
    """Return dictionaries, lists and scalars that `Schema.build` turns into an equal value.

    Parameters
    ----------
    value : object
        A value that fits ``annotation``.
    annotation : type or typing construct
        As given to `Schema.build`.
    schema : Schema
        Families (whose members are written with ``type``) and readers (written as text).
    """
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, np.ndarray):
        return value.tolist()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        kind = type(value)
        names = [
            name
            for base in alternatives(annotation)
            for name, member in schema.families.get(base, {}).items()
            if member is kind
        ]
        chosen: dict[str, object] = {"type": names[0]} if names else {}
        hints = field_types(kind)
        return chosen | {k: plain(getattr(value, k), h, schema) for k, h in hints.items()}
    if isinstance(value, Mapping):
        inner = _arguments(annotation, 2)[1]
        return {str(k): plain(v, inner, schema) for k, v in value.items()}
    if isinstance(value, tuple | list):
        inner = _arguments(annotation, 1)
        return [plain(v, inner[i] if i < len(inner) else inner[0], schema)
                for i, v in enumerate(value)]  # fmt: skip
    return str(value)


def _arguments(annotation: Any, count: int) -> tuple[Any, ...]:
    import typing

    for option in alternatives(annotation):
        arguments = tuple(a for a in typing.get_args(option) if a is not Ellipsis)
        if len(arguments) >= count and typing.get_origin(option) in (tuple, list, dict, Mapping):
            return arguments
    return (object,) * count


def yaml_text(content: object) -> str:
    """Return YAML 1.2 text with keys in the given order and short lists on one line."""
    from ruamel.yaml import YAML

    yaml: Any = YAML(typ="safe", pure=True)
    yaml.default_flow_style = None
    yaml.sort_base_mapping_type_on_output = False
    yaml.width = 100
    stream = io.StringIO()
    yaml.dump(content, stream)
    return stream.getvalue()

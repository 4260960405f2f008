"""Keys of other programs are refused with what they are here."""

from __future__ import annotations

import re
from typing import Any

import pytest

from sciml.framework.errors import ConfigError
from sciml.runs.config import SCHEMA, RunConfig
from sciml.runs.document import override, parse
from sciml.runs.hints import ELSEWHERE
from sciml.runs.json_schema import run_schema

HEAD = "name: test\ngeometry: {type: Rectangle}\npde: {type: Poisson}\n"


def keys(content: Any) -> set[str]:
    """Return the names of all properties of a schema."""
    if isinstance(content, dict):
        return set(content.get("properties", ())).union(*map(keys, content.values()))
    return set().union(*map(keys, content)) if isinstance(content, list) else set()


@pytest.mark.parametrize("word", ELSEWHERE)
def test_each_is_refused_with_its_hint(word: str) -> None:
    tree = override(parse(HEAD, "f.yaml"), [f"solver.{word}=1"])
    with pytest.raises(ConfigError) as caught:
        SCHEMA.build(RunConfig, tree)
    expected = f"unknown key 'solver.{word}'; here it is {ELSEWHERE[word]}"
    assert str(caught.value).endswith(expected)


def test_what_they_point_to_exists() -> None:
    known = keys(run_schema())
    for hint in ELSEWHERE.values():
        for dotted in re.findall(r"'([a-z_.]+)'", hint):
            assert set(dotted.split(".")) <= known, dotted
    assert sorted(ELSEWHERE) == list(ELSEWHERE)

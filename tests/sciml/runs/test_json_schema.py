"""The schema of run files accepts what the package reads, and refuses what it refuses."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from sciml.cli.commands import run_cli
from sciml.runs import catalogue
from sciml.runs.config import to_plain
from sciml.runs.document import parse
from sciml.runs.json_schema import run_schema

SHIPPED = [name for name, _ in catalogue.shipped()]


@pytest.fixture(scope="module")
def validator() -> Any:
    schema = run_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def document(name: str) -> Any:
    text = (files("sciml") / "problems" / f"{name}.yaml").read_text(encoding="utf-8")
    return parse(text, name).plain()


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_problems_are_valid(validator: Any, name: str) -> None:
    validator.validate(document(name))
    validator.validate(to_plain(catalogue.load(name)))  # with all defaults written out


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("solver", "sead"), 1), (("solver", "seed"), -1), (("solver", "seed"), "1"),
        (("network", "type"), "MPL"), (("network", "hiden"), [8]), (("geometry", "lower"), 3),
        (("solver", "dtype"), "float16"), (("pde", "source"), True), (("outputs",), []),
        (("conditions", 0, "part"), None), (("name",), None), (("points", "interior"), 1.5),
    ],
)  # fmt: skip
def test_mistakes_are_not(validator: Any, keys: tuple[Any, ...], value: Any) -> None:
    content = document("poisson")
    place = content
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    assert not validator.is_valid(content)


def test_what_is_needed_may_be_included(validator: Any) -> None:
    assert validator.is_valid({"include": "poisson", "name": "mine"})
    assert validator.is_valid({"include": ["poisson", "b.yaml"]})
    assert not validator.is_valid({"name": "mine"})


def test_keys_have_meanings_and_defaults() -> None:
    properties = run_schema()["$defs"]["SolverOptions"]["properties"]
    assert properties["seed"] == {
        "type": "integer", "minimum": 0, "default": 0,
        "description": "Seed of parameters and points, >= 0.",
    }  # fmt: skip


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(run_schema()))

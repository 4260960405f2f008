"""Documents, overrides and the schema that dataclasses imply."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import pytest
from pydantic import Field

from sciml.framework.errors import ConfigError
from sciml.runs.document import override, parse
from sciml.runs.dump import plain, yaml_text
from sciml.runs.schema import Schema


class Shape:
    """A family."""


@dataclass(frozen=True)
class Square(Shape):
    """A member."""

    side: float = 1.0
    centre: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        """Refuse what is no square."""
        if self.side <= 0:
            raise ValueError("side must be positive")


@dataclass(frozen=True)
class Options:
    """A nested group."""

    seed: int = 0
    dtype: Literal["float32", "float64"] | None = None
    hidden: tuple[int, ...] = (8, 8)
    weights: dict[str, float] | None = None


@dataclass(frozen=True)
class Root:
    """A whole document."""

    name: str
    shape: Shape
    solver: Options = Options()
    count: Annotated[int, Field(gt=0)] = 1


SCHEMA = Schema({Shape: {"Square": Square}})
GOOD = """\
name: test
shape:
  type: Square
  side: 2
solver:
  seed: 3
  hidden: [4, 5, 6]
  weights: {edge: 1e-3}
"""


def build(text: str, *assignments: str) -> Root:
    """Return the object of YAML text."""
    tree = override(parse(text, "run.yaml"), assignments)
    result = SCHEMA.build(Root, tree)
    assert isinstance(result, Root)
    return result


def test_builds_nested_members_with_defaults() -> None:
    root = build(GOOD)
    assert root.shape == Square(2.0)
    assert root.solver == Options(3, None, (4, 5, 6), {"edge": 1e-3})


def test_overrides_are_yaml_and_reach_into_lists() -> None:
    root = build(GOOD, "solver.hidden.1=7", "solver.dtype=float32", "shape.centre=[1, 2e0]")
    assert root.solver.hidden == (4, 7, 6)
    assert root.solver.dtype == "float32"
    assert root.shape == Square(2.0, (1.0, 2.0))


def test_plain_data_builds_an_equal_object() -> None:
    root = build(GOOD)
    assert build(yaml_text(plain(root, Root, SCHEMA))) == root


@pytest.mark.parametrize(
    ("text", "assignments", "message"),
    [
        (GOOD + "  sead: 3\n", (), r"run.yaml:9: unknown key 'solver.sead'; did you mean 'seed'"),
        (GOOD, ("solver.sed=1",), r"--set solver.sed=1: unknown key 'solver.sed'.*'seed'"),
        (GOOD.replace("Square", "Sqare"), (), r"run.yaml:3: unknown type 'Sqare'.*'Square'"),
        (GOOD.replace("  type: Square\n", ""), (), r"run.yaml:2: 'shape' needs a key 'type'"),
        (GOOD.replace("name: test", ""), (), r"run.yaml:1: missing key 'name'"),
        (GOOD, ("solver.seed='3'",), r"'solver.seed': got '3'.*expected an integer"),
        (GOOD, ("solver.seed=1.5",), r"'solver.seed': got 1.5.*expected an integer"),
        (GOOD, ("solver.dtype=float16",), r"expected 'float32' or 'float64', or nothing \(null\)$"),
        (GOOD, ("solver.hidden=3",), r"'solver.hidden': got 3; expected a list"),
        (
            GOOD,
            ("solver=3",),
            r"'solver': got 3; expected a mapping with the keys seed, dtype, hidden, weights",
        ),
        (GOOD, ("shape.centre=[1]",), r"'shape.centre' needs 2 entries, got 1"),
        (GOOD, ("shape.side=.nan",), r"'shape.side' is nan; expected a number"),
        (GOOD, ("count=0",), r"'count': got 0; expected an integer of more than 0$"),
        (GOOD, ("count=true",), r"'count': got true; expected an integer"),
        (GOOD, ("solver=[1]",), r"'solver' is a list; expected a mapping with the keys seed, dty"),
        (GOOD, ("solver={a: 1, a: 2}",), r"^--set solver={a: 1, a: 2}: key 'a' is given twice$"),
        (GOOD, ("solver={a: [}",), r"^--set solver={a: \[}: not valid YAML"),
        (GOOD, ("shape.side=-1",), r"^--set shape.side=-1: 'shape': side must be positive$"),
        (GOOD.replace("2", "-2"), ("count=2",), r"^run.yaml:2: 'shape': side must be positive$"),
        (GOOD, ("solver.hidden.9=1",), r"'9' is not an entry of a list numbered 0 to 2"),
        (GOOD, ("solver.seed",), r"expected KEY=VALUE"),
        (GOOD + "name: again\n", (), r"^run.yaml:9: key 'name' is given twice; first in line 1$"),
        ("a: [1, 2\nb: 3\n", (), r"run.yaml:2: not valid YAML"),
        ("name: 2020-01-01\nshape: {type: Square}\n", (), r"run.yaml:1: .* quote it"),
        (
            "- 1\n",
            (),
            r"run.yaml:1: the document is a list; expected a mapping with the keys name, s",
        ),
    ],
)
def test_mistakes_name_the_place_and_the_remedy(
    text: str, assignments: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        build(text, *assignments)


MANY = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 9)
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: &b [*b]\n", r"^f:2: an alias holds itself"),
        (MANY, r"^f:\d: an alias holds itself, or many others"),
        ("a: 1\nb: " + "[" * 3000 + "]" * 3000, r"^f:2: lists .* nested more than 100 deep"),
        ("a: 1\nb: x\x00y\n", r"^f:2: not valid YAML: the character U\+0000 is not allowed$"),
        ("a: *b\n", r"^f:1: not valid YAML: found undefined alias 'b'$"),
    ],
)
def test_texts_without_end_are_refused(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse(text, "f")


def test_an_alias_is_its_content() -> None:
    assert parse("a: &x {b: [1]}\nc: *x\n", "f").plain() == {"a": {"b": [1]}, "c": {"b": [1]}}


def test_long_texts_are_cut_in_messages() -> None:
    with pytest.raises(ConfigError) as caught:
        build(GOOD.replace("seed: 3", f"seed: {'x' * 5000}"))
    assert len(str(caught.value)) < 300

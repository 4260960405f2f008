"""Mutated run files are read, or refused in one line with file and reason, never a traceback."""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from sciml.framework.errors import ConfigError
from sciml.runs import catalogue

TEXTS = [
    entry.read_text(encoding="utf-8")
    for entry in sorted((files("sciml") / "problems").iterdir(), key=lambda e: e.name)
    if entry.name.endswith(".yaml")
]
SCALARS = [
    "null", "~", "true", "no", "''", '""', "-1", "0", "1e999", "-1e999", ".nan", ".inf", "-.inf",
    "99999999999999999999999999999999", "1e-320", "0x1F", "0o17", "2020-01-01", "1:30", "12e03",
    "ß∂ψ", "\u202e", "😀", "'\\u0000'", '"\\0"', "!!binary aGk=", "!!python/object:os.system x",
    "!unknown x", "&a [1]", "*a", "[]", "{}", "[[[[[]]]]]", "{a: {b: {c: 1}}}", "sin(", "x**y**z",
    "1/0", "((((((((((x))))))))))", "u__x__x__x__x__x", "__import__('os')", "x" * 3000,
    "[" * 3000 + "]" * 3000, "{type: MLP}", "{type: Disk}", "{type: []}", "{type: null}", "|",
    "1 kN m", "3 furlong", "pi", "I", "lambda", "x; y", "%", "@x", "`", "- 1", "? a", ": b",
]  # fmt: skip
Lines = list[str]


def delete(lines: Lines, chance: random.Random) -> None:
    del lines[chance.randrange(len(lines))]


def duplicate(lines: Lines, chance: random.Random) -> None:
    i = chance.randrange(len(lines))
    lines.insert(i, lines[i])


def swap(lines: Lines, chance: random.Random) -> None:
    i, j = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[i], lines[j] = lines[j], lines[i]


def replace_value(lines: Lines, chance: random.Random) -> None:
    i = chance.choice([i for i, line in enumerate(lines) if ":" in line])
    lines[i] = f"{lines[i].partition(':')[0]}: {chance.choice(SCALARS)}"


def replace_inner_value(lines: Lines, chance: random.Random) -> None:
    i = chance.choice([i for i, line in enumerate(lines) if ":" in line])
    head, colon, tail = lines[i].rpartition(": ")
    end = tail.lstrip("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_")
    lines[i] = f"{head}{colon}{chance.choice(SCALARS)}{end}"


def rename_key(lines: Lines, chance: random.Random) -> None:
    i = chance.choice([i for i, line in enumerate(lines) if ":" in line])
    key, colon, rest = lines[i].partition(":")
    name = chance.choice([key[:-1] + "q", key.upper(), f"{key}_", "type", "include", "<<", "1", ""])
    lines[i] = f"{name}{colon}{rest}"


def indent(lines: Lines, chance: random.Random) -> None:
    i = chance.randrange(len(lines))
    lines[i] = chance.choice(["\t", " ", "      ", "\u00a0"]) + lines[i]


def truncate(lines: Lines, chance: random.Random) -> None:
    i = chance.randrange(len(lines))
    lines[i:] = [lines[i][: chance.randrange(len(lines[i]) + 1)]]


def scramble(lines: Lines, chance: random.Random) -> None:
    i = chance.randrange(len(lines))
    text = list(lines[i])
    for _ in range(3):
        text.insert(
            chance.randrange(len(text) + 1), chance.choice("{}[]:,-#&*!|>'\"%@`\x00\x7f é\\")
        )
    lines[i] = "".join(text)


MUTATIONS: list[Callable[[Lines, random.Random], None]] = [
    delete, duplicate, swap, replace_value, replace_inner_value, rename_key, indent, truncate,
    scramble,
]  # fmt: skip


def mutant(seed: int) -> str:
    """Return a shipped file with one to three changes."""
    chance = random.Random(seed)
    lines = chance.choice(TEXTS).splitlines()
    for _ in range(chance.randint(1, 3)):
        if any(":" in line for line in lines):
            chance.choice(MUTATIONS)(lines, chance)
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "seeds",
    [range(60), *(pytest.param(range(i, i + 100), marks=pytest.mark.slow)
                  for i in range(1000, 2000, 100))],
)  # fmt: skip
def test_mutants_are_valid_or_refused_with_file_and_reason(tmp_path: Path, seeds: range) -> None:
    path, refused, bad = tmp_path / "mutant.yaml", 0, []
    for seed in seeds:
        path.write_text(mutant(seed), encoding="utf-8")
        try:
            catalogue.load(str(path))
        except ConfigError as error:
            refused += 1
            text = str(error)
            if not text.startswith(str(path)) or "\n" in text or len(text) > 1500:
                bad.append((seed, text))
        except Exception as error:
            bad.append((seed, repr(error)[:300]))
    assert bad == []
    assert refused > len(seeds) // 2

"""The examples in the docstrings give what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import sciml

TOP = ("cli", "framework", "networks", "problem", "runs", "studies", "training")
MODULES = [
    info.name
    for top in TOP
    for info in pkgutil.walk_packages(
        [f"{path}/{top}" for path in sciml.__path__], prefix=f"sciml.{top}."
    )
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    module = importlib.import_module(name)
    imports = {"np": importlib.import_module("numpy")}
    failed, _ = doctest.testmod(module, extraglobs=imports)
    assert failed == 0

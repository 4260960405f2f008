"""The examples in the docstrings of the top layer give what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import sciml

TOP = ("cli", "networks", "problem", "runs", "training")
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

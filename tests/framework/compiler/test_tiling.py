"""What is cut into tiles: per-point work, folds, several loops, and what stays whole."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.compiler.tiling import tile_program
from sciml.framework.core.dims import Dim
from sciml.framework.ir.types import TensorType

X = TensorType((Dim.named("N"), 3), np.dtype(np.float64))


def loops(function: Any) -> list[Any]:
    program = tile_program(sf.make_program(function)(X))
    return [o for o in program.operations if o.name == "loop.tile"]


@pytest.mark.parametrize(("function", "folds"), [
    (lambda X: sf.sin(X), [("store",)]),
    (lambda X: sf.sin(X).sum(), [("sum",)]),
    (lambda X: (X.max(axis=0), X.T @ X), [("max", "sum")]),
    (lambda X: (X - X.mean(axis=0)).prod(axis=0), [("sum",), ("prod",)]),
    (lambda X: X.T @ X + sf.sin(X).T @ X, [("sum",)]),
    (lambda X: np.ones(3) * 2.0, []),
    (lambda X: X[1:], []),
])  # fmt: skip
def test_folds_of_each_loop(function: Any, folds: list[tuple[str, ...]]) -> None:
    assert [loop.attributes["folds"] for loop in loops(function)] == folds


def test_a_sum_of_folds_is_one_fold_of_two_values() -> None:
    (loop,) = loops(lambda X: X.T @ X + sf.sin(X).T @ X)
    assert loop.attributes["counts"] == (2,)


def test_what_an_extremum_is_compared_with_is_kept() -> None:
    first, second = loops(lambda X: (sf.sin(X) == sf.sin(X).max()).astype(np.float64).sum())
    assert first.attributes["folds"] == ("max", "store")
    assert all(o.name != "sin" for o in second.regions[0].block.operations)

"""Tiling by text: what is cut, folded, stored, and what stays outside."""

# ruff: noqa: E501
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.compiler.tiling import tile_program
from sciml.framework.core.dims import Dim
from sciml.framework.ir.types import TensorType
from sciml.framework.passes.verify import verify_program


def test_per_point_work_and_its_fold_are_one_loop(gives) -> None:  # type: ignore[no-untyped-def]
    gives(
        tile_program,
        "%x: f64[N]",
        "f64[N], f64[]",
        """%e = tensor.exp(%x) : f64[N]
           %m = tensor.reduce_max(%e) {axes = (0,)} : f64[]
           return %e, %m""",
        """%m, %e = loop.tile(%x) {size = "N", tile = "N_tile", operand_axes = (0,), folds = ("max", "store"), result_axes = (-1, 0), counts = (1, 1)} [(%t: f64[N_tile]):
             %1 = tensor.exp(%t) : f64[N_tile]
             %2 = tensor.reduce_max(%1) {axes = (0,)} : f64[]
             return %2, %1
           ] : f64[], f64[N]
           return %e, %m""",
    )


def test_a_mean_that_is_subtracted_needs_a_second_loop(gives) -> None:  # type: ignore[no-untyped-def]
    gives(
        tile_program,
        "%x: f64[N]",
        "f64[]",
        """%s = tensor.reduce_sum(%x) {axes = (0,)} : f64[]
           %r = tensor.broadcast(%s) {shape = (<N>,), dimensions = ()} : f64[N]
           %d = tensor.sub(%x, %r) : f64[N]
           %v = tensor.reduce_sum(%d) {axes = (0,)} : f64[]
           return %v""",
        """%s = loop.tile(%x) {size = "N", tile = "N_tile", operand_axes = (0,), folds = ("sum",), result_axes = (-1,), counts = (1,)} [(%t: f64[N_tile]):
             %1 = tensor.reduce_sum(%t) {axes = (0,)} : f64[]
             return %1
           ] : f64[]
           %v = loop.tile(%s, %x) {size = "N", tile = "N_tile", operand_axes = (-1, 0), folds = ("sum",), result_axes = (-1,), counts = (1,)} [(%m: f64[], %t: f64[N_tile]):
             %1 = tensor.broadcast(%m) {shape = (<N_tile>,), dimensions = ()} : f64[N_tile]
             %2 = tensor.sub(%t, %1) : f64[N_tile]
             %3 = tensor.reduce_sum(%2) {axes = (0,)} : f64[]
             return %3
           ] : f64[]
           return %v""",
    )


def test_the_sum_of_two_folds_is_one_fold_of_two_outputs(gives) -> None:  # type: ignore[no-untyped-def]
    gives(
        tile_program,
        "%a: f64[N, 3], %z: f64[N, 4]",
        "f64[3, 4]",
        """%e = tensor.exp(%a) : f64[N, 3]
           %p = tensor.dot_general(%a, %z) {contract = ((0,), (0,)), batch = ((), ())} : f64[3, 4]
           %q = tensor.dot_general(%e, %z) {contract = ((0,), (0,)), batch = ((), ())} : f64[3, 4]
           %s = tensor.add(%p, %q) : f64[3, 4]
           return %s""",
        """%s = loop.tile(%a, %z) {size = "N", tile = "N_tile", operand_axes = (0, 0), folds = ("sum",), result_axes = (-1,), counts = (2,)} [(%b: f64[N_tile, 3], %y: f64[N_tile, 4]):
             %e = tensor.exp(%b) : f64[N_tile, 3]
             %p = tensor.dot_general(%b, %y) {contract = ((0,), (0,)), batch = ((), ())} : f64[3, 4]
             %q = tensor.dot_general(%e, %y) {contract = ((0,), (0,)), batch = ((), ())} : f64[3, 4]
             return %p, %q
           ] : f64[3, 4]
           return %s""",
    )


def test_work_that_mixes_points_or_has_none_stays_outside(gives) -> None:  # type: ignore[no-untyped-def]
    gives(
        tile_program,
        "%x: f64[N], %y: f64[3]",
        "f64[N], f64[3]",
        """%r = tensor.reverse(%x) {axes = (0,)} : f64[N]
           %e = tensor.exp(%r) : f64[N]
           %n = tensor.neg(%y) : f64[3]
           return %e, %n""",
        """%r = tensor.reverse(%x) {axes = (0,)} : f64[N]
           %n = tensor.neg(%y) : f64[3]
           %e = loop.tile(%r) {size = "N", tile = "N_tile", operand_axes = (0,), folds = ("store",), result_axes = (0,), counts = (1,)} [(%t: f64[N_tile]):
             %1 = tensor.exp(%t) : f64[N_tile]
             return %1
           ] : f64[N]
           return %e, %n""",
    )


def test_a_fold_over_another_axis_than_the_points_is_per_point_work(gives) -> None:  # type: ignore[no-untyped-def]
    gives(
        tile_program,
        "%x: f64[N, 3]",
        "f64[N]",
        "%s = tensor.reduce_sum(%x) {axes = (1,)} : f64[N]\n return %s",
        """%s = loop.tile(%x) {size = "N", tile = "N_tile", operand_axes = (0,), folds = ("store",), result_axes = (0,), counts = (1,)} [(%t: f64[N_tile, 3]):
             %1 = tensor.reduce_sum(%t) {axes = (1,)} : f64[N_tile]
             return %1
           ] : f64[N]
           return %s""",
    )


def test_two_batches_are_two_loops() -> None:
    def loss(w, x, y):  # type: ignore[no-untyped-def]
        return (sf.tanh(x @ w) ** 2).mean() + ((y @ w) ** 2).mean()

    f64 = np.dtype(np.float64)
    types = [
        sf.TensorType((3,), f64),
        *(sf.TensorType((sf.Dim.named(name), 3), f64) for name in ("N", "M")),
    ]
    tiled = verify_program(tile_program(sf.make_program(sf.value_and_grad(loss))(*types)))
    loops = [o.attributes["size"] for o in tiled.operations if o.name == "loop.tile"]
    assert sorted(loops) == ["M", "N"]  # type: ignore[type-var]


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

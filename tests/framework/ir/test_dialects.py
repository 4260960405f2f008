"""One broken operation for each rule of loops and joined products."""

# ruff: noqa: E501
import re

import pytest

from sciml.framework.errors import VerifyError
from sciml.framework.ir.parser import parse_program
from sciml.framework.ir.verifier import verify

TILE = """program @f(%0: f64[N, 3], %1: f64[3]) -> (f64[3], f64[N, 3]) {
  %2, %3 = loop.tile(%0, %1) {size = "N", tile = "T", operand_axes = (0, -1), result_axes = (-1, 0), folds = ("sum", "store"), counts = (2, 1)} [(%4: f64[T, 3], %5: f64[3]):
    %6 = tensor.reduce_sum(%4) {axes = (0,)} : f64[3]
    return %6, %5, %4
  ] : f64[3], f64[N, 3]
  return %2, %3
}"""
FUSED = """program @f(%0: f64[N, 3], %1: f64[1, 3]) -> (f64[N, 3], f64[3]) {
  %2, %3 = loop.fused(%0, %1) {space = (<N>, 3), maps = ((0, 1), (-1, 1)), kept = ((0, 1), (1,))} [(%4: f64[], %5: f64[]):
    %6 = tensor.add(%4, %5) : f64[]
    return %6, %6
  ] : f64[N, 3], f64[3]
  return %2, %3
}"""
STACKED = """program @f(%0: f64[N, 3], %1: f64[N, 3], %2: f64[3, 4]) -> (f64[N, 4], f64[N, 4]) {
  %3, %4 = kernel.product(%0, %1, %2) {form = "stacked", count = 2, contract = ((1,), (0,)), batch = ((), ())} : f64[N, 4], f64[N, 4]
  return %3, %4
}"""
SUMMED = """program @f(%0: f64[N, 3], %1: f64[N, 4]) -> (f64[3, 4]) {
  %2 = kernel.product(%0, %0, %1, %1) {form = "summed", count = 2, contract = ((0,), (0,)), batch = ((), ())} : f64[3, 4]
  return %2
}"""


@pytest.mark.parametrize("text", [TILE, FUSED, STACKED, SUMMED])
def test_sound_operations_pass(text: str) -> None:
    verify(parse_program(text))


@pytest.mark.parametrize(
    ("text", "old", "new", "message"),
    [
        (TILE, 'size = "N"', "size = 4", "attribute size must be a string, got 4"),
        (TILE, "tile = ", "tiles = ", "attribute tile must be a string, got None"),
        (TILE, "(0, -1)", "(0,)", "operand_axes needs one entry per operand: expected 2, got 1"),
        (TILE, "(0, -1)", "(0, -1.0)", "attribute operand_axes must hold integers"),
        (TILE, "(2, 1)", "2", "attribute counts must be a tuple, got 2"),
        (TILE, '("sum", ', '("mean", ', "fold 'mean' is not one of store, sum, prod, max, min"),
        (TILE, ", %5: f64[3]):", ", %5: f64[3], %7: f64[]):", "3 arguments for 2 operands"),
        (TILE, "(0, -1)", "(1, -1)", "operand 0 of type f64[N, 3] cannot be cut along axis 1"),
        (TILE, "(0, -1)", "(-1, -1)", "operand 0 of type f64[N, 3] has size N but no axis"),
        (TILE, "%4: f64[T, 3]", "%4: f64[N, 3]", "argument 0 must be f64[T, 3], the tile of f64"),
        (TILE, "(2, 1)", "(1, 1)", "ask for 2 outputs of the region, got 3"),
        (TILE, "(2, 1)", "(3, 0)", "result 1 takes 0 outputs; a sum takes one or more, store one"),
        (TILE, '("sum", ', '("max", ', "result 0 takes 2 outputs; a sum takes one or more, max one"),
        (TILE, '"store")', '"sum")', "result 1 is folded by sum but cut along axis 0"),
        (TILE, "%6, %5, %4", "%6, %4, %4", "result 0 (sum) needs outputs of type f64[3], got f64[T"),
        (FUSED, "space = (<N>, 3)", "space = 3", "attribute space must be a shape, got 3"),
        (FUSED, "(-1, 1)", "(-1,)", "operand 1 of type f64[1, 3] does not walk with axes (-1,)"),
        (FUSED, "((0, 1), (-1", "((-1, 1), (-1", "operand 0 of type f64[N, 3] does not walk"),
        (FUSED, "((0, 1), (1,))", "((0, 1), (0,))", "keeps axes (0,) of (N, 3); only leading"),
        (FUSED, "((0, 1), (1,))", "((1,), (1,))", "result 0 must be f64[3], got f64[N, 3]"),
        (FUSED, "((0, 1), (1,))", "((0, 1),)", "kept needs one entry per result: expected 2, got"),
        (FUSED, "%5: f64[]", "%5: f32[]", "arguments of the region must be one scalar per operand"),
        (FUSED, "return %6, %6", "return %6", "outputs of the region must be one scalar per result"),
        (FUSED, "tensor.add(%4, %5) : f64[]\n", "tensor.iota() : f64[3]\n return %4, %4 ] : f64[N, 3],"
                " f64[3] return %2, %3 } //", "iota in the region gives f64[3], not a scalar"),
        (STACKED, '"stacked"', '"piled"', "form must be stacked or summed, got 'piled'"),
        (STACKED, "count = 2", "count = 0", "count must be a positive integer, got 0"),
        (STACKED, "count = 2", "count = 3", "a stacked product of 3 has 4 operands and 3 results"),
        (STACKED, "contract = ((1,), (0,))", "contract = ()", "contract must be two tuples of axes"),
        (STACKED, "%1: f64[N, 3]", "%1: f64[3, N]", "stacked left operands must have one type"),
        (SUMMED, "(%0, %0, %1, %1)", "(%0, %0, %1)", "a summed product of 2 has 4 operands and 1"),
    ],
)  # fmt: skip
def test_a_broken_operation_is_refused(text: str, old: str, new: str, message: str) -> None:
    broken = text.replace(old, new, 1)
    if new.endswith("//"):
        broken = broken[: broken.index("//")]
    with pytest.raises(VerifyError, match=re.escape(message)):
        verify(parse_program(broken))


def test_a_loop_needs_its_region() -> None:
    text = """program @f() -> (f64[]) {
      %0 = loop.fused() {space = (), maps = (), kept = ((),)} : f64[]
      return %0
    }"""
    with pytest.raises(
        VerifyError, match=r"operation 0 \(loop.fused\): expected one region, got 0"
    ):
        verify(parse_program(text))

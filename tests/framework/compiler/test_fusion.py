"""Fusion by text: loops over one index space, stacked and summed products."""

# ruff: noqa: E501

from sciml.framework.compiler.fusion import fuse_program
from sciml.framework.compiler.tiling import tile_program
from sciml.framework.ir.parser import parse_program
from sciml.framework.ir.program import Program
from sciml.framework.passes.verify import verify_program


def tile_and_fuse(program: Program) -> Program:
    return fuse_program(tile_program(program))


def test_elementwise_work_and_its_sums_over_leading_axes_are_one_loop(gives) -> None:  # type: ignore[no-untyped-def]
    gives(
        fuse_program,
        "%x: f64[5, 3], %b: f64[3]",
        "f64[5, 3], f64[3], f64[]",
        """%r = tensor.broadcast(%b) {shape = (5, 3), dimensions = (1,)} : f64[5, 3]
           %s = tensor.add(%x, %r) : f64[5, 3]
           %e = tensor.exp(%s) : f64[5, 3]
           %c = tensor.reduce_sum(%e) {axes = (0,)} : f64[3]
           %a = tensor.reduce_sum(%e) {axes = (0, 1)} : f64[]
           return %e, %c, %a""",
        """%e, %c, %a = loop.fused(%x, %b) {space = (5, 3), maps = ((0, 1), (1,)), kept = ((0, 1), (1,), ())} [(%1: f64[], %2: f64[]):
             %3 = tensor.add(%1, %2) : f64[]
             %4 = tensor.exp(%3) : f64[]
             return %4, %4, %4
           ] : f64[5, 3], f64[3], f64[]
           return %e, %c, %a""",
    )


def test_a_sum_over_a_trailing_axis_is_not_in_the_loop(gives) -> None:  # type: ignore[no-untyped-def]
    gives(
        fuse_program,
        "%x: f64[5, 3]",
        "f64[5]",
        """%e = tensor.exp(%x) : f64[5, 3]
           %s = tensor.reduce_sum(%e) {axes = (1,)} : f64[5]
           return %s""",
        """%e = loop.fused(%x) {space = (5, 3), maps = ((0, 1),), kept = ((0, 1),)} [(%1: f64[]):
             %2 = tensor.exp(%1) : f64[]
             return %2
           ] : f64[5, 3]
           %s = tensor.reduce_sum(%e) {axes = (1,)} : f64[5]
           return %s""",
    )


def test_cheap_work_is_done_again_instead_of_stored(gives) -> None:  # type: ignore[no-untyped-def]
    gives(
        fuse_program,
        "%x: f64[4, 4], %w: f64[4, 4]",
        "f64[4, 4]",
        """%t = tensor.tanh(%x) : f64[4, 4]
           %q = tensor.mul(%t, %t) : f64[4, 4]
           %p = tensor.dot_general(%t, %w) {contract = ((1,), (0,)), batch = ((), ())} : f64[4, 4]
           %r = tensor.mul(%p, %q) : f64[4, 4]
           return %r""",
        """%t = loop.fused(%x) {space = (4, 4), maps = ((0, 1),), kept = ((0, 1),)} [(%1: f64[]):
             %2 = tensor.tanh(%1) : f64[]
             return %2
           ] : f64[4, 4]
           %p = kernel.product(%t, %w) {form = "stacked", count = 1, contract = ((1,), (0,)), batch = ((), ())} : f64[4, 4]
           %r = loop.fused(%p, %t) {space = (4, 4), maps = ((0, 1), (0, 1)), kept = ((0, 1),)} [(%1: f64[], %2: f64[]):
             %3 = tensor.mul(%2, %2) : f64[]
             %4 = tensor.mul(%1, %3) : f64[]
             return %4
           ] : f64[4, 4]
           return %r""",
    )


def test_products_with_one_right_operand_are_stacked(gives) -> None:  # type: ignore[no-untyped-def]
    gives(
        fuse_program,
        "%a: f64[5, 3], %b: f64[5, 3], %c: f64[7, 3], %w: f64[3, 4]",
        "f64[5, 4], f64[5, 4], f64[7, 4]",
        """%p = tensor.dot_general(%a, %w) {contract = ((1,), (0,)), batch = ((), ())} : f64[5, 4]
           %q = tensor.dot_general(%b, %w) {contract = ((1,), (0,)), batch = ((), ())} : f64[5, 4]
           %r = tensor.dot_general(%c, %w) {contract = ((1,), (0,)), batch = ((), ())} : f64[7, 4]
           return %p, %q, %r""",
        """%p, %q = kernel.product(%a, %b, %w) {form = "stacked", count = 2, contract = ((1,), (0,)), batch = ((), ())} : f64[5, 4], f64[5, 4]
           %r = kernel.product(%c, %w) {form = "stacked", count = 1, contract = ((1,), (0,)), batch = ((), ())} : f64[7, 4]
           return %p, %q, %r""",
    )


def test_folds_that_are_added_are_one_summed_product(gives) -> None:  # type: ignore[no-untyped-def]
    gives(
        tile_and_fuse,
        "%a: f64[N, 3], %b: f64[N, 3], %z: f64[N, 4], %y: f64[N, 4]",
        "f64[3, 4]",
        """%p = tensor.dot_general(%a, %z) {contract = ((0,), (0,)), batch = ((), ())} : f64[3, 4]
           %q = tensor.dot_general(%b, %y) {contract = ((0,), (0,)), batch = ((), ())} : f64[3, 4]
           %s = tensor.add(%p, %q) : f64[3, 4]
           return %s""",
        """%s = loop.tile(%a, %z, %b, %y) {size = "N", tile = "N_tile", operand_axes = (0, 0, 0, 0), folds = ("sum",), result_axes = (-1,), counts = (1,)} [(%1: f64[N_tile, 3], %2: f64[N_tile, 4], %3: f64[N_tile, 3], %4: f64[N_tile, 4]):
             %5 = kernel.product(%1, %3, %2, %4) {form = "summed", count = 2, contract = ((0,), (0,)), batch = ((), ())} : f64[3, 4]
             return %5
           ] : f64[3, 4]
           return %s""",
    )


MIXED = """program @f(%a: f64[N, 3], %b: f64[3, N], %z: f64[N, 4]) -> (f64[3, 4]) {
  %p = tensor.dot_general(%a, %z) {contract = ((0,), (0,)), batch = ((), ())} : f64[3, 4]
  %q = tensor.dot_general(%b, %z) {contract = ((1,), (0,)), batch = ((), ())} : f64[3, 4]
  %s = tensor.add(%p, %q) : f64[3, 4]
  return %s
}"""


def test_added_products_over_other_axes_are_not_joined() -> None:
    verify_program(tile_and_fuse(parse_program(MIXED)))

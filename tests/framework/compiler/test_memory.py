"""Placement: live values never overlap, stacked values sit side by side."""

# ruff: noqa: E501
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sciml.framework.compiler.fusion import fuse_program
from sciml.framework.compiler.memory import Place, bytes_of, place_block, product_runs, stack_slots
from sciml.framework.compiler.tiling import tile_program
from sciml.framework.core.dims import Dim
from sciml.framework.core.dtypes import FLOAT32, FLOAT64
from sciml.framework.ir.builder import Builder
from sciml.framework.ir.parser import parse_program
from sciml.framework.ir.program import Block, Program, Value
from sciml.framework.ir.types import TensorType
from sciml.framework.ops.contraction import dot_general
from sciml.framework.ops.elementwise import add, mul
from sciml.framework.ops.math import tanh
from sciml.framework.ops.primitive import bind, building
from sciml.framework.ops.reduction import reduce_sum
from sciml.framework.ops.reshape import reshape
from sciml.framework.passes.verify import verify_program

SIZES = {"N_tile": 8}
MATRIX = {"contract": ((1,), (0,)), "batch": ((), ())}

STACKED = """program @f(%a: f64[8, 3], %b: f64[8, 3], %w: f64[3, 4], %v: f64[4, 2]) -> (f64[8, 2], f64[8, 2]) {
  %1, %2 = loop.fused(%a, %b) {space = (8, 3), maps = ((0, 1), (0, 1)), kept = ((0, 1), (0, 1))} [(%x: f64[], %y: f64[]):
    %3 = tensor.mul(%x, %y) : f64[]
    %4 = tensor.add(%x, %y) : f64[]
    return %3, %4
  ] : f64[8, 3], f64[8, 3]
  %5, %6 = kernel.product(%2, %1, %w) {form = "stacked", count = 2, contract = ((1,), (0,)), batch = ((), ())} : f64[8, 4], f64[8, 4]
  %7, %8 = kernel.product(%5, %6, %v) {form = "stacked", count = 2, contract = ((1,), (0,)), batch = ((), ())} : f64[8, 2], f64[8, 2]
  return %7, %8
}"""


def test_operands_and_results_of_a_stack_are_consecutive() -> None:
    block = verify_program(parse_program(STACKED)).block
    slots, stacks = stack_slots(block)
    assert [[v.index for v in stack] for stack in stacks] == [[1, 0], [0, 1], [0, 1]]
    products = [o for o in block.operations if o.name == "kernel.product"]
    assert [product_runs(o, slots)[0].members for o in products] == [(0, 1), (0, 1)]
    places, _, _ = place_block(block, _fixed(block), {})
    for stack in stacks:
        assert {places[v].offset for v in stack} == {places[stack[0]].offset}
        assert [places[v].slot for v in stack] == list(range(len(stack)))


def test_bytes_are_used_again() -> None:
    block = parse_program(STACKED).block
    _, _, peak = place_block(block, _fixed(block), {})
    total = sum(bytes_of(r, {}) for o in block.operations for r in o.results)
    # the last results take the place of the first
    assert peak < total


def test_a_reshape_shares_the_bytes_of_its_operand() -> None:
    text = """program @f(%x: f64[2, 3]) -> (f64[6]) {
      %1 = loop.fused(%x) {space = (2, 3), maps = ((0, 1),), kept = ((0, 1),)} [(%2: f64[]):
        %3 = tensor.exp(%2) : f64[]
        return %3
      ] : f64[2, 3]
      %4 = tensor.reshape(%1) {shape = (6,)} : f64[6]
      return %4
    }"""
    block = parse_program(text).block
    places, _, _ = place_block(block, _fixed(block), {})
    assert places[block.outputs[0]] == places[block.operations[0].result]


def test_a_value_with_a_given_address_is_in_no_stack() -> None:
    block = parse_program(STACKED).block
    given_place = Place(("fold", 0), 128)
    first = block.operations[0].results[0]
    places, slots, _ = place_block(block, {**_fixed(block), first: given_place}, {})
    assert places[first] == given_place
    assert not any(v in slots for v in block.operations[0].results)


# --- any block ------------------------------------------------------------------------------


def _fixed(block: Block) -> dict[Value, Place]:
    return {v: Place(("argument", k)) for k, v in enumerate(block.arguments)}


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Random layers of products and elementwise work, with some sums over points."""
    n = Dim.named("N")
    dtype = draw(st.sampled_from([FLOAT32, FLOAT64]))
    builder = Builder(
        [TensorType((n, 5), dtype), TensorType((n, 5), dtype), TensorType((5, 5), dtype)]
    )
    with building(builder):
        *pool, weights = builder.block.arguments
        for _ in range(draw(st.integers(2, 14))):
            x, y = draw(st.sampled_from(pool)), draw(st.sampled_from(pool))
            kind = draw(st.integers(0, 5))
            if kind <= 1:
                new = dot_general(x, weights, **MATRIX)
            elif kind == 2:
                new = tanh(x)
            elif kind == 3:
                flat = reshape(x, shape=(5 * n,))
                new = reshape(tanh(flat), shape=(n, 5))
            else:
                new = bind(add if kind == 4 else mul, (x, y), {})
            pool.append(new)  # type: ignore[arg-type]
        fold = dot_general(pool[-1], pool[-2], contract=((0,), (0,)), batch=((), ()))
        total = reduce_sum(pool[-2], axes=(0,))
    outputs = [*draw(st.lists(st.sampled_from(pool), min_size=1, max_size=3)), fold, total]
    return builder.finish("random", outputs)  # type: ignore[arg-type]


def _lifetimes(block: Block) -> dict[Value, tuple[int, int]]:
    """First and last position at which the bytes of a value are in use, by definition."""
    root: dict[Value, Value] = {}
    life: dict[Value, tuple[int, int]] = {}
    for position, operation in enumerate(block.operations):
        for value in operation.operands:
            owner = root.get(value, value)
            if owner in life:
                life[owner] = (life[owner][0], position)
        for value in operation.results:
            if operation.name == "reshape":
                root[value] = root.get(operation.operands[0], operation.operands[0])
            else:
                life[value] = (position, position)
    for value in block.outputs:
        owner = root.get(value, value)
        if owner in life:
            life[owner] = (life[owner][0], len(block.operations))
    return life


@settings(max_examples=150, deadline=None)
@given(programs())
def test_values_that_live_at_the_same_time_do_not_overlap(program: Program) -> None:
    scheduled = verify_program(fuse_program(tile_program(program)))
    for operation in scheduled.operations:
        if operation.name != "loop.tile":
            continue
        block = operation.regions[0].block
        places, _, peak = place_block(block, _fixed(block), SIZES)
        spans = []
        for value, (first, last) in _lifetimes(block).items():
            place, size = places[value], bytes_of(value, SIZES)
            start = place.offset + place.slot * size
            assert place.base == ("arena", 0)
            assert start + size <= peak
            spans.append((first, last, start, start + size))
        table = np.array(spans)
        for k, (first, last, start, stop) in enumerate(spans):
            others = table[k + 1 :]
            together = (others[:, 0] <= last) & (others[:, 1] >= first)
            overlap = (others[:, 2] < stop) & (others[:, 3] > start)
            assert not np.any(together & overlap)


@settings(max_examples=60, deadline=None)
@given(programs())
def test_runs_of_a_product_have_consecutive_slots(program: Program) -> None:
    scheduled = fuse_program(tile_program(program))
    for operation in scheduled.block.walk():
        if operation.name != "loop.tile":
            continue
        block = operation.regions[0].block
        slots, _ = stack_slots(block)
        for product in block.operations:
            if product.name != "kernel.product":
                continue
            count = product.attributes["count"]
            assert isinstance(count, int)
            runs = product_runs(product, slots)
            assert sorted(m for r in runs for m in r.members) == list(range(count))
            for run in runs:
                lefts = [product.operands[m] for m in run.members]
                if len(lefts) > 1:
                    first = slots[lefts[0]]
                    expected = [(first[0], first[1] + k) for k in range(len(lefts))]
                    assert [slots[v] for v in lefts] == expected

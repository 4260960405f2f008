"""Rules of movements by text."""

# ruff: noqa: E501
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sciml.framework.core.dtypes import FLOAT64
from sciml.framework.ir.builder import Builder
from sciml.framework.ir.program import Program, Value
from sciml.framework.ir.types import TensorType
from sciml.framework.ops.broadcast import broadcast
from sciml.framework.ops.elementwise import add, sub
from sciml.framework.ops.math import exp
from sciml.framework.ops.primitive import bind, building
from sciml.framework.ops.reshape import reshape
from sciml.framework.ops.reverse import reverse
from sciml.framework.ops.slice import slice_
from sciml.framework.ops.transpose import transpose
from sciml.framework.passes.simplify import simplify
from sciml.framework.passes.verify import verify_program
from sciml.framework.transforms.trace import evaluate

MATRIX = "%0: f64[N, 3]"
RULES = [
    (
        "reshape of reshape",
        "f64[3*N]",
        """%1 = tensor.reshape(%0) {shape = (<N>, 1, 3)} : f64[N, 1, 3]
           %2 = tensor.reshape(%1) {shape = (<3*N>,)} : f64[3*N]
           return %2""",
        """%1 = tensor.reshape(%0) {shape = (<3*N>,)} : f64[3*N]
           return %1""",
    ),
    (
        "reshape there and back",
        "f64[N, 3]",
        """%1 = tensor.reshape(%0) {shape = (<N>, 1, 3)} : f64[N, 1, 3]
           %2 = tensor.reshape(%1) {shape = (<N>, 3)} : f64[N, 3]
           return %2""",
        "return %0",
    ),
    (
        "transpose there and back",
        "f64[N, 3]",
        """%1 = tensor.transpose(%0) {permutation = (1, 0)} : f64[3, N]
           %2 = tensor.transpose(%1) {permutation = (1, 0)} : f64[N, 3]
           return %2""",
        "return %0",
    ),
    (
        "broadcast of broadcast",
        "f64[2, N, 4, 3]",
        """%1 = tensor.broadcast(%0) {shape = (<N>, 4, 3), dimensions = (0, 2)} : f64[N, 4, 3]
           %2 = tensor.broadcast(%1) {shape = (2, <N>, 4, 3), dimensions = (1, 2, 3)} : f64[2, N, 4, 3]
           return %2""",
        """%1 = tensor.broadcast(%0) {shape = (2, <N>, 4, 3), dimensions = (1, 3)} : f64[2, N, 4, 3]
           return %1""",
    ),
    (
        "broadcast of a reshape by unit axes",
        "f64[N, 4, 3]",
        """%1 = tensor.reshape(%0) {shape = (<N>, 1, 3)} : f64[N, 1, 3]
           %2 = tensor.broadcast(%1) {shape = (<N>, 4, 3), dimensions = (0, 1, 2)} : f64[N, 4, 3]
           return %2""",
        """%1 = tensor.broadcast(%0) {shape = (<N>, 4, 3), dimensions = (0, 2)} : f64[N, 4, 3]
           return %1""",
    ),
    (
        "broadcast of full",
        "f64[N, 3]",
        """%1 = tensor.full() {value = literal<f64[] 2.0>, shape = (3,)} : f64[3]
           %2 = tensor.broadcast(%1) {shape = (<N>, 3), dimensions = (1,)} : f64[N, 3]
           return %2""",
        """%1 = tensor.full() {value = literal<f64[] 2.0>, shape = (<N>, 3)} : f64[N, 3]
           return %1""",
    ),
    (
        "constant of equal elements",
        "f64[2]",
        """%1 = tensor.constant() {value = literal<f64[2] 0x000000000000f83f000000000000f83f>} : f64[2]
           return %1""",
        """%1 = tensor.full() {value = literal<f64[] 1.5>, shape = (2,)} : f64[2]
           return %1""",
    ),
    (
        "double reverse",
        "f64[N, 3]",
        """%1 = tensor.reverse(%0) {axes = (0, 1)} : f64[N, 3]
           %2 = tensor.reverse(%1) {axes = (0, 1)} : f64[N, 3]
           return %2""",
        "return %0",
    ),
    (
        "slice of everything",
        "f64[N, 3]",
        """%1 = tensor.slice(%0) {start = (0, 0), limit = (<N>, 3), stride = (1, 1)} : f64[N, 3]
           return %1""",
        "return %0",
    ),
    (
        "pad by nothing",
        "f64[N, 3]",
        """%1 = tensor.full() {value = literal<f64[] 2.0>, shape = ()} : f64[]
           %2 = tensor.pad(%0, %1) {low = (0, 0), high = (0, 0), interior = (0, 0)} : f64[N, 3]
           return %2""",
        "return %0",
    ),
    (
        "sum over no axes",
        "f64[N, 3]",
        """%1 = tensor.reduce_sum(%0) {axes = ()} : f64[N, 3]
           return %1""",
        "return %0",
    ),
    (
        "sum of a repeat over an axis of its own",
        "f64[2, N]",
        """%1 = tensor.broadcast(%0) {shape = (2, <N>, 3), dimensions = (1, 2)} : f64[2, N, 3]
           %2 = tensor.reduce_sum(%1) {axes = (2,)} : f64[2, N]
           return %2""",
        """%1 = tensor.reduce_sum(%0) {axes = (1,)} : f64[N]
           %2 = tensor.broadcast(%1) {shape = (2, <N>), dimensions = (1,)} : f64[2, N]
           return %2""",
    ),
    (
        "concatenation of one",
        "f64[N, 3]",
        """%1 = tensor.concatenate(%0) {axis = 0} : f64[N, 3]
           return %1""",
        "return %0",
    ),
    (
        "work on repeats is done before the repeat",
        "f64[4, N, 3]",
        """%1 = tensor.broadcast(%0) {shape = (4, <N>, 3), dimensions = (1, 2)} : f64[4, N, 3]
           %2 = tensor.full() {value = literal<f64[] 3.0>, shape = (4, <N>, 3)} : f64[4, N, 3]
           %3 = tensor.sub(%2, %1) : f64[4, N, 3]
           %4 = tensor.exp(%3) : f64[4, N, 3]
           return %4""",
        """%1 = tensor.full() {value = literal<f64[] 3.0>, shape = (<N>, 3)} : f64[N, 3]
           %2 = tensor.sub(%1, %0) : f64[N, 3]
           %3 = tensor.exp(%2) : f64[N, 3]
           %4 = tensor.broadcast(%3) {shape = (4, <N>, 3), dimensions = (1, 2)} : f64[4, N, 3]
           return %4""",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "result", "before", "after"), RULES, ids=[r[0] for r in RULES])
def test_rule(simplifies, name: str, result: str, before: str, after: str) -> None:  # type: ignore[no-untyped-def]
    simplifies(MATRIX, result, before, after)


def test_a_part_of_an_axis_is_not_everything(simplifies) -> None:  # type: ignore[no-untyped-def]
    body = """%1 = tensor.slice(%0) {start = (0,), limit = (2,), stride = (1,)} : f64[2]
              %2 = tensor.reverse(%1) {axes = (0,)} : f64[2]
              return %2"""
    simplifies("%0: f64[3]", "f64[2]", body, body)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Random movements and a little arithmetic on a 2 by 3 matrix."""
    builder = Builder([TensorType((2, 3), FLOAT64)])
    with building(builder):
        pool: list[Value] = [builder.block.arguments[0]]
        for _ in range(draw(st.integers(1, 8))):
            x = draw(st.sampled_from(pool))
            shape, rank = x.type.shape, x.type.rank
            kind = draw(st.integers(0, 6))
            if kind == 0:
                order = tuple(draw(st.permutations(range(rank))))
                new = transpose(x, permutation=order)
            elif kind == 1 and rank < 4:
                at = draw(st.integers(0, rank))
                size = draw(st.integers(1, 2))
                wide = (*shape[:at], size, *shape[at:])
                new = broadcast(
                    x, shape=wide, dimensions=tuple(i for i in range(rank + 1) if i != at)
                )
            elif kind == 2:
                at = draw(st.integers(0, rank))
                new = reshape(x, shape=(*shape[:at], 1, *shape[at:]))
            elif kind == 3:
                axes = sorted(draw(st.sets(st.integers(0, rank - 1)))) if rank else []
                new = reverse(x, axes=tuple(axes))
            elif kind == 4:
                start = tuple(draw(st.integers(0, 1)) if s > 1 else 0 for s in shape)  # type: ignore[operator]
                new = slice_(x, start=start, limit=shape, stride=(1,) * rank)
            else:
                same = [y for y in pool if y.type == x.type]
                new = bind(draw(st.sampled_from([add, sub])), (x, draw(st.sampled_from(same))), {})
                if kind == 6:
                    new = exp(x)
            pool.append(new)  # type: ignore[arg-type]
    return builder.finish("random", pool[-2:])


@settings(max_examples=200, deadline=None)
@given(programs())
def test_a_simplified_program_moves_the_same_bits(program: Program) -> None:
    inputs = [np.array([[0.1, -0.0, np.inf], [np.nan, 2.0, -3.0]])]
    with np.errstate(all="ignore"):
        simplified = verify_program(simplify(program))
        pairs = zip(evaluate(program, inputs), evaluate(simplified, inputs), strict=True)
        for a, b in pairs:
            np.testing.assert_array_equal(a, b)
            known = ~np.isnan(a)
            np.testing.assert_array_equal(np.signbit(a)[known], np.signbit(b)[known])

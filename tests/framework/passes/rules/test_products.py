"""Products with a repeated operand: by text, and in value for any axes."""

# ruff: noqa: E501
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sciml.framework.core.dtypes import FLOAT64
from sciml.framework.ir.builder import Builder
from sciml.framework.ir.types import TensorType
from sciml.framework.ops.broadcast import broadcast
from sciml.framework.ops.contraction import dot_general
from sciml.framework.ops.primitive import building
from sciml.framework.passes.simplify import simplify
from sciml.framework.passes.verify import verify_program
from sciml.framework.transforms.trace import evaluate

ROW = "%1 = tensor.broadcast(%0) {shape = (<N>, 2), dimensions = (1,)} : f64[N, 2]\n"


def test_a_direction_times_weights_is_one_row_repeated(simplifies) -> None:  # type: ignore[no-untyped-def]
    simplifies(
        "%0: f64[2], %w: f64[2, 5]",
        "f64[N, 5]",
        ROW
        + """%2 = tensor.dot_general(%1, %w) {contract = ((1,), (0,)), batch = ((), ())} : f64[N, 5]
             return %2""",
        """%1 = tensor.dot_general(%0, %w) {contract = ((0,), (0,)), batch = ((), ())} : f64[5]
           %2 = tensor.broadcast(%1) {shape = (<N>, 5), dimensions = (1,)} : f64[N, 5]
           return %2""",
    )


def test_weights_times_a_direction(simplifies) -> None:  # type: ignore[no-untyped-def]
    simplifies(
        "%0: f64[2], %w: f64[2, 5]",
        "f64[5, N]",
        ROW
        + """%2 = tensor.dot_general(%w, %1) {contract = ((0,), (1,)), batch = ((), ())} : f64[5, N]
             return %2""",
        """%1 = tensor.dot_general(%w, %0) {contract = ((0,), (0,)), batch = ((), ())} : f64[5]
           %2 = tensor.broadcast(%1) {shape = (5, <N>), dimensions = (0,)} : f64[5, N]
           return %2""",
    )


def test_the_gradient_of_first_weights_needs_only_a_sum_over_points(simplifies) -> None:  # type: ignore[no-untyped-def]
    simplifies(
        "%0: f64[2], %z: f64[N, 5]",
        "f64[2, 5]",
        ROW
        + """%2 = tensor.dot_general(%1, %z) {contract = ((0,), (0,)), batch = ((), ())} : f64[2, 5]
             return %2""",
        """%1 = tensor.reduce_sum(%z) {axes = (0,)} : f64[5]
           %2 = tensor.dot_general(%0, %1) {contract = ((), ()), batch = ((), ())} : f64[2, 5]
           return %2""",
    )


def test_a_repeat_along_a_batch_axis_is_left_alone(simplifies) -> None:  # type: ignore[no-untyped-def]
    body = (
        ROW
        + """%2 = tensor.dot_general(%1, %z) {contract = ((), ()), batch = ((0,), (0,))} : f64[N, 2, 5]
             return %2"""
    )
    simplifies("%0: f64[2], %z: f64[N, 5]", "f64[N, 2, 5]", body, body)


@st.composite
def cases(draw: st.DrawFn):  # type: ignore[no-untyped-def]
    """A product of a repeated array with another one, with random axes everywhere."""
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=4))
    kept = sorted(draw(st.sets(st.integers(0, len(sizes) - 1))))
    roles = [draw(st.sampled_from(["free", "contract", "batch"])) for _ in sizes]
    own = {r: [i for i, role in enumerate(roles) if role == r] for r in ("contract", "batch")}
    extra = draw(st.lists(st.integers(1, 3), max_size=2))
    # the other operand: its partners and its own free axes, in any order
    axes = [*own["contract"], *own["batch"], *(None for _ in extra)]
    order = draw(st.permutations(range(len(axes))))
    extents = [*(sizes[a] for a in axes if a is not None), *extra]
    other_shape = tuple(extents[k] for k in order)
    place = {axes[k]: p for p, k in enumerate(order) if axes[k] is not None}
    pairs = {r: (tuple(own[r]), tuple(place[a] for a in own[r])) for r in ("contract", "batch")}
    if draw(st.booleans()):
        return sizes, kept, other_shape, pairs, 0
    return sizes, kept, other_shape, {r: p[::-1] for r, p in pairs.items()}, 1


@settings(max_examples=200, deadline=None)
@given(cases(), st.integers(0, 99))
def test_the_value_is_the_same_for_any_axes(case, seed: int) -> None:  # type: ignore[no-untyped-def]
    sizes, kept, other_shape, pairs, side = case
    small = tuple(sizes[k] for k in kept)
    builder = Builder([TensorType(small, FLOAT64), TensorType(other_shape, FLOAT64)])
    with building(builder):
        v, y = builder.block.arguments
        repeated = broadcast(v, shape=tuple(sizes), dimensions=tuple(kept))
        operands = (repeated, y) if side == 0 else (y, repeated)
        result = dot_general(*operands, **pairs)
    program = verify_program(builder.finish("product", [result]))  # type: ignore[list-item]
    rng = np.random.default_rng(seed)
    inputs = [rng.normal(size=small), rng.normal(size=other_shape)]
    simplified = verify_program(simplify(program))
    (a,), (b,) = evaluate(program, inputs), evaluate(simplified, inputs)
    # sums of at most 81 terms of order one
    np.testing.assert_allclose(a, b, rtol=0, atol=1e-13)


def test_a_product_over_one_element_is_elementwise(simplifies) -> None:  # type: ignore[no-untyped-def]
    simplifies(
        "%x: f64[N, 1], %y: f64[1, 5]",
        "f64[N, 5]",
        """%2 = tensor.dot_general(%x, %y) {contract = ((1,), (0,)), batch = ((), ())} : f64[N, 5]
           return %2""",
        """%0 = tensor.reshape(%x) {shape = (<N>,)} : f64[N]
           %1 = tensor.broadcast(%0) {shape = (<N>, 5), dimensions = (0,)} : f64[N, 5]
           %2 = tensor.reshape(%y) {shape = (5,)} : f64[5]
           %3 = tensor.broadcast(%2) {shape = (<N>, 5), dimensions = (1,)} : f64[N, 5]
           %4 = tensor.mul(%1, %3) : f64[N, 5]
           return %4""",
    )


def test_outer_products_of_a_batch_are_elementwise(simplifies) -> None:  # type: ignore[no-untyped-def]
    simplifies(
        "%x: f64[N, 1, 4], %y: f64[N, 1, 5]",
        "f64[N, 4, 5]",
        """%2 = tensor.dot_general(%x, %y) {contract = ((1,), (1,)), batch = ((0,), (0,))} : f64[N, 4, 5]
           return %2""",
        """%0 = tensor.reshape(%x) {shape = (<N>, 4)} : f64[N, 4]
           %1 = tensor.broadcast(%0) {shape = (<N>, 4, 5), dimensions = (0, 1)} : f64[N, 4, 5]
           %2 = tensor.reshape(%y) {shape = (<N>, 5)} : f64[N, 5]
           %3 = tensor.broadcast(%2) {shape = (<N>, 4, 5), dimensions = (0, 2)} : f64[N, 4, 5]
           %4 = tensor.mul(%1, %3) : f64[N, 4, 5]
           return %4""",
    )

"""Products with unit rows: by text, and in value for any axes."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sciml.framework.core.dtypes import FLOAT64, INT64
from sciml.framework.ir.builder import Builder
from sciml.framework.ir.types import TensorType
from sciml.framework.ops.contraction import dot_general
from sciml.framework.ops.indexing import one_hot
from sciml.framework.ops.primitive import building
from sciml.framework.passes.simplify import simplify
from sciml.framework.passes.verify import verify_program
from sciml.framework.transforms.trace import evaluate

HOT = "%1 = tensor.one_hot(%0) {size = 9, dtype = f64} : f64[4, 9]\n"


def test_unit_rows_times_weights_take_rows(simplifies) -> None:  # type: ignore[no-untyped-def]
    simplifies(
        "%0: i64[4], %w: f64[9, 5]",
        "f64[4, 5]",
        HOT
        + """%2 = tensor.dot_general(%1, %w) {contract = ((1,), (0,)), batch = ((), ())} : f64[4, 5]
             return %2""",
        """%1 = tensor.gather(%w, %0) {axis = 0} : f64[4, 5]
           return %1""",
    )


def test_points_times_unit_rows_take_columns(simplifies) -> None:  # type: ignore[no-untyped-def]
    simplifies(
        "%0: i64[4], %x: f64[N, 9]",
        "f64[N, 4]",
        HOT
        + """%2 = tensor.dot_general(%x, %1) {contract = ((1,), (1,)), batch = ((), ())} : f64[N, 4]
             return %2""",
        """%1 = tensor.gather(%x, %0) {axis = 1} : f64[N, 4]
           return %1""",
    )


def test_the_gradient_of_the_weights_adds_to_rows(simplifies) -> None:  # type: ignore[no-untyped-def]
    simplifies(
        "%0: i64[4], %z: f64[4, 5], %g: f64[9, 5]",
        "f64[9, 5]",
        HOT
        + """%2 = tensor.dot_general(%1, %z) {contract = ((0,), (0,)), batch = ((), ())} : f64[9, 5]
             %3 = tensor.add(%2, %g) : f64[9, 5]
             return %3""",
        """%1 = tensor.scatter_add(%g, %0, %z) {axis = 0} : f64[9, 5]
           return %1""",
    )


def test_only_the_rows_that_are_taken_are_scaled(simplifies) -> None:  # type: ignore[no-untyped-def]
    simplifies(
        "%0: i64[4], %x: f64[N, 9]",
        "f64[N, 4]",
        """%1 = tensor.full() {value = literal<f64[] 3.0>, shape = (<N>, 9)} : f64[N, 9]
           %2 = tensor.mul(%x, %1) : f64[N, 9]
           %3 = tensor.gather(%2, %0) {axis = 1} : f64[N, 4]
           return %3""",
        """%1 = tensor.gather(%x, %0) {axis = 1} : f64[N, 4]
           %2 = tensor.full() {value = literal<f64[] 3.0>, shape = (<N>, 4)} : f64[N, 4]
           %3 = tensor.mul(%1, %2) : f64[N, 4]
           return %3""",
    )


def test_squares_and_sums_of_unit_rows(simplifies) -> None:  # type: ignore[no-untyped-def]
    simplifies(
        "%0: i64[4]",
        "f64[4]",
        HOT
        + """%2 = tensor.full() {value = literal<f64[] 3.0>, shape = (4, 9)} : f64[4, 9]
             %3 = tensor.full() {value = literal<f64[] 0.5>, shape = (4, 9)} : f64[4, 9]
             %4 = tensor.mul(%1, %2) : f64[4, 9]
             %5 = tensor.mul(%1, %4) : f64[4, 9]
             %6 = tensor.mul(%5, %3) : f64[4, 9]
             %7 = tensor.reduce_sum(%6) {axes = (1,)} : f64[4]
             return %7""",
        """%1 = tensor.full() {value = literal<f64[] 1.5>, shape = (4,)} : f64[4]
           return %1""",
    )


def test_a_sum_over_other_axes_is_left_alone(simplifies) -> None:  # type: ignore[no-untyped-def]
    body = (
        HOT
        + """%2 = tensor.reduce_sum(%1) {axes = (0,)} : f64[9]
             return %2"""
    )
    simplifies("%0: i64[4]", "f64[9]", body, body)


@st.composite
def cases(draw: st.DrawFn):  # type: ignore[no-untyped-def]
    """A product of unit rows with another array, with random axes everywhere."""
    shape = draw(st.lists(st.integers(1, 3), max_size=2))
    size = draw(st.integers(1, 4))
    wide = [*shape, size]
    roles = [draw(st.sampled_from(["free", "contract", "batch"])) for _ in wide]
    own = {r: [i for i, role in enumerate(roles) if role == r] for r in ("contract", "batch")}
    own["contract"] = list(draw(st.permutations(own["contract"])))
    extra = draw(st.lists(st.integers(1, 3), max_size=2))
    axes = [*own["contract"], *own["batch"], *(None for _ in extra)]
    order = draw(st.permutations(range(len(axes))))
    extents = [*(wide[a] for a in axes if a is not None), *extra]
    other_shape = tuple(extents[k] for k in order)
    place = {axes[k]: p for p, k in enumerate(order) if axes[k] is not None}
    pairs = {r: (tuple(own[r]), tuple(place[a] for a in own[r])) for r in ("contract", "batch")}
    side = draw(st.integers(0, 1))
    return (
        shape,
        size,
        other_shape,
        {r: p if side == 0 else p[::-1] for r, p in pairs.items()},
        side,
    )


@settings(max_examples=300, deadline=None)
@given(cases(), st.integers(0, 99))
def test_the_value_is_the_same_for_any_axes(case, seed: int) -> None:  # type: ignore[no-untyped-def]
    shape, size, other_shape, pairs, side = case
    builder = Builder([TensorType(tuple(shape), INT64), TensorType(other_shape, FLOAT64)])
    with building(builder):
        i, y = builder.block.arguments
        hot = one_hot(i, size=size, dtype=FLOAT64)
        operands = (hot, y) if side == 0 else (y, hot)
        result = dot_general(*operands, **pairs)
    program = verify_program(builder.finish("product", [result]))  # type: ignore[list-item]
    rng = np.random.default_rng(seed)
    inputs = [rng.integers(0, size, shape), rng.normal(size=other_shape)]
    simplified = verify_program(simplify(program))
    (a,), (b,) = evaluate(program, inputs), evaluate(simplified, inputs)
    # sums of at most 36 terms of order one, in another order
    np.testing.assert_allclose(a, b, rtol=0, atol=1e-13)

"""Sums over outer products: by text, and in value for any axes."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sciml.framework.core.dtypes import FLOAT64
from sciml.framework.ir.builder import Builder
from sciml.framework.ir.types import TensorType
from sciml.framework.ops.broadcast import broadcast
from sciml.framework.ops.elementwise import filled, mul
from sciml.framework.ops.primitive import building
from sciml.framework.ops.reduction import reduce_sum
from sciml.framework.passes.simplify import simplify
from sciml.framework.passes.verify import verify_program
from sciml.framework.transforms.trace import evaluate

REPEATS = """
%1 = tensor.broadcast(%x) {shape = (2, <N>, 9), dimensions = (1, 2)} : f64[2, N, 9]
%2 = tensor.broadcast(%v) {shape = (2, <N>, 9), dimensions = (0, 2)} : f64[2, N, 9]
%3 = tensor.mul(%1, %2) : f64[2, N, 9]
"""
# the second operand is turned by a rule of orientation
PRODUCT = """%p = tensor.transpose(%v) {{permutation = (1, 0)}} : f64[9, 2]
%q = tensor.dot_general({}, %p) {{contract = ((1,), (0,)), batch = ((), ())}} : f64[N, 2]
%r = tensor.transpose(%q) {{permutation = (1, 0)}} : f64[2, N]
return %r"""


def test_points_against_directions_are_a_product(simplifies) -> None:  # type: ignore[no-untyped-def]
    simplifies(
        "%x: f64[N, 9], %v: f64[2, 9]",
        "f64[2, N]",
        REPEATS
        + """%4 = tensor.reduce_sum(%3) {axes = (2,)} : f64[2, N]
             return %4""",
        PRODUCT.format("%x"),
    )


def test_a_factor_of_the_terms_goes_to_one_operand(simplifies) -> None:  # type: ignore[no-untyped-def]
    simplifies(
        "%x: f64[N, 9], %v: f64[2, 9]",
        "f64[2, N]",
        REPEATS
        + """%4 = tensor.full() {value = literal<f64[] 2.0>, shape = (2, <N>, 9)} : f64[2, N, 9]
             %5 = tensor.mul(%3, %4) : f64[2, N, 9]
             %6 = tensor.reduce_sum(%5) {axes = (2,)} : f64[2, N]
             return %6""",
        """%1 = tensor.full() {value = literal<f64[] 2.0>, shape = (<N>, 9)} : f64[N, 9]
           %2 = tensor.mul(%x, %1) : f64[N, 9]
        """
        + PRODUCT.format("%2"),
    )


def test_a_sum_over_an_axis_of_one_operand_is_left_alone(simplifies) -> None:  # type: ignore[no-untyped-def]
    body = (
        REPEATS
        + """%4 = tensor.reduce_sum(%3) {axes = (0,)} : f64[N, 9]
             return %4"""
    )
    simplifies("%x: f64[N, 9], %v: f64[2, 9]", "f64[N, 9]", body, body)


axes = st.sets(st.integers(0, 3)).map(lambda s: tuple(sorted(s)))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.integers(1, 3), min_size=4, max_size=4), axes, axes, axes, st.integers(0, 99))
def test_the_value_is_the_same_for_any_axes(
    sizes: list[int], d: tuple[int, ...], e: tuple[int, ...], summed: tuple[int, ...], seed: int
) -> None:
    shapes = [tuple(sizes[a] for a in x) for x in (d, e)]
    builder = Builder([TensorType(s, FLOAT64) for s in shapes])
    with building(builder):
        x, y = builder.block.arguments
        wide = [broadcast(v, shape=tuple(sizes), dimensions=a) for v, a in ((x, d), (y, e))]
        terms = mul(*wide)
        result = reduce_sum(mul(terms, filled(3.0, terms)), axes=summed)
    program = verify_program(builder.finish("total", [result]))  # type: ignore[list-item]
    rng = np.random.default_rng(seed)
    inputs = [rng.normal(size=s) for s in shapes]
    simplified = verify_program(simplify(program))
    (a,), (b,) = evaluate(program, inputs), evaluate(simplified, inputs)
    # sums of at most 81 terms of order ten
    np.testing.assert_allclose(a, b, rtol=0, atol=1e-12)

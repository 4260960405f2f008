"""Elementwise rules by text; what they must not do; that they keep the bits of any input."""

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from sciml.framework.core.dtypes import FLOAT32, FLOAT64
from sciml.framework.ir.builder import Builder
from sciml.framework.ir.program import Program, Value
from sciml.framework.ir.types import TensorType
from sciml.framework.ops.broadcast import broadcast
from sciml.framework.ops.convert import convert
from sciml.framework.ops.elementwise import add, mul, neg, select, sub
from sciml.framework.ops.fill import full
from sciml.framework.ops.math import abs as absolute
from sciml.framework.ops.math import div, exp, integer_pow, lt
from sciml.framework.ops.math import max as maximum
from sciml.framework.ops.primitive import bind, building
from sciml.framework.passes.simplify import simplify
from sciml.framework.passes.verify import verify_program
from sciml.framework.transforms.trace import evaluate

TWO = "%0: f64[3], %1: f64[3]"


def filled(number: str, name: str = "%c") -> str:
    return f"{name} = tensor.full() {{value = literal<f64[] {number}>, shape = (3,)}} : f64[3]\n"


def one(operation: str, operands: str = "%0", attributes: str = "") -> str:
    return f"%r = tensor.{operation}({operands}) {attributes} : f64[3]\n return %r"


KEPT = [
    ("plus minus zero", filled("-0.0") + one("add", "%0, %c"), "return %0"),
    ("minus zero on the left", filled("-0.0") + one("add", "%c, %0"), "return %0"),
    ("minus zero", filled("0.0") + one("sub", "%0, %c"), "return %0"),
    ("times one", filled("1.0") + one("mul", "%c, %0"), "return %0"),
    ("over one", filled("1.0") + one("div", "%0, %c"), "return %0"),
    ("times minus one", filled("-1.0") + one("mul", "%0, %c"), one("neg")),
    ("power one", one("integer_pow", "%0", "{exponent = 1}"), "return %0"),
    ("power zero", one("integer_pow", "%0", "{exponent = 0}"), filled("1.0") + "return %c"),
    ("square", one("integer_pow", "%0", "{exponent = 2}"), one("mul", "%0, %0")),
    (
        "over a power of two",
        filled("8.0") + one("div", "%0, %c"),
        filled("0.125") + one("mul", "%0, %c"),
    ),
    (
        "scaled twice",
        filled("2.0")
        + filled("3.0", "%d")
        + "%s = tensor.mul(%0, %c) : f64[3]\n"
        + one("mul", "%s, %d"),
        filled("6.0") + one("mul", "%0, %c"),
    ),
    (
        "zero after a square",
        filled("0.0") + "%s = tensor.mul(%0, %0) : f64[3]\n" + one("add", "%s, %c"),
        one("mul", "%0, %0"),
    ),
    ("neg of neg", "%n = tensor.neg(%0) : f64[3]\n" + one("neg", "%n"), "return %0"),
    (
        "sum with a neg",
        "%n = tensor.neg(%0) : f64[3]\n" + one("add", "%n, %1"),
        one("sub", "%1, %0"),
    ),
    (
        "difference with a neg",
        "%n = tensor.neg(%1) : f64[3]\n" + one("sub", "%0, %n"),
        one("add", "%0, %1"),
    ),
    (
        "product of negs",
        "%n = tensor.neg(%0) : f64[3]\n%m = tensor.neg(%1) : f64[3]\n" + one("mul", "%n, %m"),
        one("mul", "%0, %1"),
    ),
    (
        "a sign moves through a product into a sum",
        "%n = tensor.neg(%0) : f64[3]\n%p = tensor.mul(%n, %1) : f64[3]\n" + one("add", "%1, %p"),
        "%p = tensor.mul(%0, %1) : f64[3]\n" + one("sub", "%1, %p"),
    ),
    (
        "a sign moves into a constant",
        filled("2.5") + "%p = tensor.mul(%0, %c) : f64[3]\n" + one("neg", "%p"),
        filled("-2.5") + one("mul", "%0, %c"),
    ),
    ("maximum of equals", one("max", "%0, %0"), "return %0"),
    (
        "equal branches",
        "%b = tensor.lt(%0, %1) : bool[3]\n" + one("select", "%b, %1, %1"),
        "return %1",
    ),
    (
        "constants",
        filled("2.0") + filled("0.5", "%d") + one("pow", "%c, %d"),
        filled(repr(2.0**0.5)) + "return %c",
    ),
]


@pytest.mark.parametrize(("name", "before", "after"), KEPT, ids=[k[0] for k in KEPT])
def test_rule(simplifies, name: str, before: str, after: str) -> None:  # type: ignore[no-untyped-def]
    simplifies(TWO, "f64[3]", before, after)


INEXACT = {
    "times zero": filled("0.0") + one("mul", "%0, %c"),
    "plus zero": filled("0.0") + one("add", "%0, %c"),
    "zero minus": filled("0.0") + one("sub", "%c, %0"),
    "difference of equals": one("sub", "%0, %0"),
    "over a number that is no power of two": filled("3.0") + one("div", "%0, %c"),
    "over a number whose reciprocal is denormal": filled(repr(2.0**1023)) + one("div", "%0, %c"),
    "over a number whose reciprocal is infinite": filled("5e-324") + one("div", "%0, %c"),
    "division by zero of constants": filled("1.0") + filled("0.0", "%d") + one("div", "%c, %d"),
    "minus of a difference": "%s = tensor.sub(%0, %1) : f64[3]\n" + one("neg", "%s"),
    "scaled down and up": (
        filled("0.5")
        + filled("2.0", "%d")
        + "%s = tensor.mul(%0, %c) : f64[3]\n"
        + one("mul", "%s, %d")
    ),
}


@pytest.mark.parametrize("body", INEXACT.values(), ids=INEXACT)
def test_what_changes_bits_is_left_alone(simplifies, body: str) -> None:  # type: ignore[no-untyped-def]
    simplifies(TWO, "f64[3]", body, body)


@pytest.mark.parametrize(
    ("source", "middle", "target", "joined"),
    [
        ("f32", "i32", "f32", False), ("f64", "f32", "f64", False), ("i64", "f64", "i64", False),
        ("i32", "u32", "i64", False), ("f32", "f64", "i32", False), ("u32", "i32", "u32", False),
        ("f32", "f64", "f32", True), ("i32", "f64", "f32", True), ("i32", "i64", "f32", True),
        ("bool", "i32", "f64", True), ("u32", "i64", "f64", True), ("i32", "f64", "i32", True),
    ],
)  # fmt: skip
def test_a_cast_of_a_cast_is_joined_only_if_the_first_loses_nothing(  # type: ignore[no-untyped-def]
    simplifies, source: str, middle: str, target: str, joined: bool
) -> None:
    before = (
        f"%1 = tensor.convert(%0) {{dtype = {middle}}} : {middle}[3]\n"
        f"%2 = tensor.convert(%1) {{dtype = {target}}} : {target}[3]\n return %2"
    )
    after = f"%1 = tensor.convert(%0) {{dtype = {target}}} : {target}[3]\n return %1"
    if joined and source == target:
        after = "return %0"
    simplifies(f"%0: {source}[3]", f"{target}[3]", before, after if joined else before)


# --- any program, any bits ------------------------------------------------------------------

SPECIAL = [
    0.0, -0.0, 1.0, -1.0, 0.5, 3.0, float("inf"), -float("inf"), float("nan"), 5e-324, -5e-324,
    2.2e-308, 1.7e308, -1.7e308, 0.1,
]  # fmt: skip
numbers = st.sampled_from(SPECIAL) | st.floats()


def same_bits(a: np.ndarray, b: np.ndarray) -> bool:
    """Equal bits, except that any NaN equals any other."""
    nan = np.isnan(a) & np.isnan(b)
    return a.dtype == b.dtype and bool(np.all(nan | ((a == b) & (np.signbit(a) == np.signbit(b)))))


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Random elementwise programs over two vectors and a number."""
    dtype = draw(st.sampled_from([FLOAT32, FLOAT64]))
    builder = Builder([TensorType((4,), dtype), TensorType((4,), dtype), TensorType((), dtype)])
    with building(builder):
        pool = [
            *builder.block.arguments[:2],
            broadcast(builder.block.arguments[2], shape=(4,), dimensions=()),
        ]

        def old() -> Value:
            return draw(st.sampled_from(pool))  # type: ignore[return-value]

        for _ in range(draw(st.integers(1, 12))):
            kind = draw(st.integers(0, 9))
            if kind == 0:
                number = draw(st.sampled_from([*SPECIAL, 2.0, -2.0, 4.0]))
                with np.errstate(over="ignore"):
                    new = full((4,), number, dtype)
            elif kind == 1:
                new = neg(old())
            elif kind in (2, 3, 4, 5, 6):
                chosen = draw(st.sampled_from([add, sub, mul, div, maximum]))
                new = bind(chosen, (old(), old()), {})
            elif kind == 7:
                new = bind(draw(st.sampled_from([absolute, exp])), (old(),), {})
            elif kind == 8:
                exponents = [-2, -1] if dtype == FLOAT32 else [-2, -1, 0, 1, 4]
                new = integer_pow(old(), exponent=draw(st.sampled_from(exponents)))
            else:
                new = select(lt(old(), old()), old(), old())
                new = convert(new, dtype=dtype)
            pool.append(new)
        outputs = [o for o in pool[-3:] if isinstance(o, Value)]
    return builder.finish("random", outputs)


@settings(max_examples=300, deadline=None)
@given(programs(), st.lists(numbers, min_size=9, max_size=9))
def test_a_simplified_program_gives_the_same_bits(program: Program, data: list[float]) -> None:
    dtype = program.inputs[0].type.dtype
    with np.errstate(all="ignore"):
        values = np.array(data).astype(dtype)
    inputs = [values[:4], values[4:8], values[8]]
    simplified = verify_program(simplify(program))
    note(f"{program}\n{simplified}")
    for a, b in zip(evaluate(program, inputs), evaluate(simplified, inputs), strict=True):
        assert same_bits(a, b)
    assert str(simplify(simplified)) == str(simplified)

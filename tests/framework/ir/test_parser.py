"""The parser is the inverse of the printer, and says where a text goes wrong."""

import re
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sciml.framework as sf
from sciml.framework.compiler.pipeline import schedule
from sciml.framework.core.dims import Dim
from sciml.framework.core.dtypes import BOOL, FLOAT32, FLOAT64, INT32, INT64, UINT32, UINT64
from sciml.framework.errors import ParseError
from sciml.framework.ir.builder import Builder
from sciml.framework.ir.compare import first_difference
from sciml.framework.ir.parser import parse_program
from sciml.framework.ir.program import Body, Program
from sciml.framework.ir.types import Literal, TensorType, type_of_array
from sciml.framework.ops.primitive import primitives

DTYPES = (BOOL, INT32, INT64, UINT32, UINT64, FLOAT32, FLOAT64)


def check_round_trip(program: Program) -> None:
    text = str(program)
    parsed = parse_program(text)
    assert first_difference(program, parsed) is None
    assert str(parsed) == text


def with_attributes(**attributes: object) -> Program:
    builder = Builder([TensorType((3,), FLOAT64)])
    x = builder.block.arguments[0]
    made = builder.emit("something", [x], attributes, [x.type])  # type: ignore[arg-type]
    return builder.finish("f", [made.result])


# --- round trips ----------------------------------------------------------------------------


def test_every_primitive_at_every_sample() -> None:
    for record in primitives.values():
        for sample in record.samples:
            builder = Builder([type_of_array(o) for o in sample.operands])
            arguments = builder.block.arguments
            type = record.infer([a.type for a in arguments], dict(sample.attributes))
            # the derivative rule of a body is Python code, which has no text
            attributes = {
                k: Body(v.program) if isinstance(v, Body) else v
                for k, v in sample.attributes.items()
            }
            made = builder.emit(record.name, arguments, attributes, [type])
            check_round_trip(builder.finish(record.name, [made.result]))


def loss(w: object, x: object) -> object:
    return (sf.tanh(x @ w) ** 2).mean()  # type: ignore[operator]


def test_tiled_and_fused_programs_with_regions() -> None:
    types = (TensorType((3,), FLOAT64), TensorType((Dim.named("N"), 3), FLOAT64))
    program = sf.make_program(sf.value_and_grad(loss))(*types)
    schedule(program, lambda name, p: check_round_trip(p))


@pytest.mark.parametrize(
    "value",
    [
        0.0, -0.0, 1e300, 5e-324, 0.1, float("inf"), -float("inf"), float("nan"),
        struct.unpack(">d", bytes.fromhex("fff8000000000000"))[0],
        struct.unpack(">d", bytes.fromhex("7ff8000000000123"))[0],
        np.float64(0.1), 1, True, False, None, -7, 10**30, (), (1,), (1, 1.0, True), ((), ((2,),)),
        "", 'a "quoted" \\ back', "two\nlines\t\r", "\x00\x7f\ud800\u2028", "// not a comment",
        Dim.named("N"), Dim.named("N") * Dim.named("M") * -3 + Dim.named("N") - 1,
        *DTYPES,
        Literal.of(np.float32(0.1)), Literal.of(-0.0), Literal.of(float("nan")),
        Literal.of(-float("inf")), Literal.of(np.uint64(2**64 - 1)), Literal.of(np.int64(-(2**63))),
        Literal.of(np.array(True)), Literal.of(np.zeros((0, 2))), Literal.of(np.arange(3)),
        Literal((), FLOAT64, bytes.fromhex("010000000000f07f")),
    ],
    ids=repr,
)  # fmt: skip
def test_attributes_keep_type_and_bits(value: object) -> None:
    if isinstance(value, np.float64):
        # NumPy's floats are floats; they come back as Python's
        assert str(with_attributes(key=value)) == str(with_attributes(key=float(value)))
    else:
        check_round_trip(with_attributes(key=value))


names = st.sampled_from(["N", "M", "batch", "N_tile"])
monomials = st.lists(names, max_size=3).map(lambda ns: tuple(sorted(ns)))
dims = (
    st.dictionaries(monomials, st.integers(-9, 9).filter(bool), min_size=1, max_size=3)
    .filter(lambda terms: set(terms) != {()})
    .map(Dim)
)
floats = st.binary(min_size=8, max_size=8).map(lambda b: struct.unpack(">d", b)[0])


@st.composite
def literals(draw: st.DrawFn) -> Literal:
    shape = tuple(draw(st.lists(st.integers(0, 3), max_size=3)))
    dtype = draw(st.sampled_from(DTYPES))
    size = int(np.prod(shape)) * dtype.itemsize
    return Literal(shape, dtype, draw(st.binary(min_size=size, max_size=size)))


attributes = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | floats
    | st.text()
    | dims
    | st.sampled_from(DTYPES)
    | literals(),
    lambda inner: st.lists(inner, max_size=4).map(tuple),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(st.text(), st.dictionaries(st.text(), attributes, max_size=4))
def test_any_name_and_any_attributes(name: str, found: dict[str, object]) -> None:
    program = with_attributes(**found)
    program.name = name
    check_round_trip(program)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(dims | st.integers(0, 99), st.sampled_from(DTYPES)), max_size=5))
def test_any_argument_types(arguments: list[tuple[int | Dim, np.dtype[np.generic]]]) -> None:
    builder = Builder([TensorType((size, 2, size), dtype) for size, dtype in arguments])
    check_round_trip(builder.finish("f", builder.block.arguments[::-1]))


def test_a_name_that_is_not_an_identifier_is_quoted() -> None:
    program = sf.make_program(lambda x: x + x)(np.ones(2))
    assert str(program).startswith('program @"<lambda>"(')
    check_round_trip(program)


# --- text by hand ---------------------------------------------------------------------------


def test_names_and_comments_by_hand() -> None:
    text = """
    // twice a vector
    program @twice(%x: f64[N-1]) -> (f64[N - 1]) {
      %two = tensor.add(%x, %x) : f64[N-1]  // a sum
      return %two
    }
    """
    expected = """program @twice(%0: f64[N-1]) -> (f64[N-1]) {
  %1 = tensor.add(%0, %0) : f64[N-1]
  return %1
}"""
    assert str(parse_program(text)) == expected


def in_body(line: str) -> str:
    return f"program @f(%0: f64[2]) -> (f64[2]) {{\n  {line}\n  return %0\n}}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prog @f", "line 1, column 1: expected 'program' at the start of a program, got 'prog'"),
        ("program @f(%0: f64[2]", "line 1, column 22: expected ',' or ')' in a list, got the end"),
        ("program @f(%0: f16[2])", "column 16: unknown element type 'f16'; use one of"),
        (in_body("%1 = tensor.neg(%7) : f64[2]"), "line 2, column 19: %7 is not defined before"),
        (in_body("%0 = tensor.neg(%0) : f64[2]"), "line 2, column 3: %0 is defined twice"),
        (in_body("%1 = neg(%0) : f64[2]"), "line 2, column 8: 'neg' lacks its dialect; write"),
        (in_body("%1 = tensor.neg(%0)"), "column 8: neg names 1 results but gives 0 types"),
        (in_body("%1 = tensor.f() {a = 1, a = 2} : f64[]"), "attribute 'a' is given twice"),
        (in_body("%1 = tensor.f() {a = (1)} : f64[]"), "a tuple of one entry is written (a,)"),
        (in_body("%1 = tensor.f() {a = literal<f64[N] 0x>} : f64[]"), "shape of numbers"),
        (in_body("%1 = tensor.f() {a = literal<f32[] 0x00>} : f64[]"), "expected 4 bytes"),
        (in_body("%1 = tensor.f() {a = literal<i32[] 1.5>} : f64[]"), "must be an integer"),
        (in_body("%1 = tensor.f() {a = literal<i32[] 3000000000>} : f64[]"), "does not fit i32"),
        (in_body('%1 = tensor.f() {a = "\\q"} : f64[]'), "unknown escape"),
        (in_body("%1 = tensor.f() {a = $} : f64[]"), "column 24: '$' starts no token"),
        ("program @f(%0: f64[2]) -> (f32[2]) { return %0 }", "result types differ from the ret"),
        ("program @f() -> () { return } }", "expected the end of the text after the program"),
    ],
)  # fmt: skip
def test_a_fault_is_named_with_line_and_column(text: str, message: str) -> None:
    with pytest.raises(ParseError, match=re.escape(message)):
        parse_program(text)


def test_a_fault_is_shown_with_a_caret() -> None:
    with pytest.raises(ParseError) as caught:
        parse_program(in_body("%1 = tensor.neg(%7) : f64[2]"))
    _, line, caret = str(caught.value).split("\n")
    assert line[caret.index("^") :].startswith("%7")


def test_a_value_of_a_region_ends_with_it() -> None:
    text = in_body("%1 = loop.x() [(%a: f64[]): return %a] : f64[]\n %2 = tensor.neg(%a) : f64[]")
    with pytest.raises(ParseError, match="%a is not defined before this use"):
        parse_program(text)

"""Types of primitives and of joined products, by their records."""

import re

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.compiler.pipeline import PASSES, schedule
from sciml.framework.errors import VerifyError
from sciml.framework.ir.parser import parse_program
from sciml.framework.ir.program import Program
from sciml.framework.passes.verify import verify_program


def in_body(line: str, result: str) -> Program:
    body = f"%2 = {line} : {result} return %2"
    return parse_program(f"program @f(%0: f64[2, 3], %1: f64[3]) -> ({result}) {{ {body} }}")


@pytest.mark.parametrize(
    ("line", "result", "message"),
    [
        ("tensor.negate(%0)", "f64[2, 3]", "no primitive is called 'negate'"),
        ("tensor.neg(%0)", "f64[3, 2]", "the result type must be f64[2, 3], got f64[3, 2]"),
        ("tensor.neg(%0)", "f32[2, 3]", "the result type must be f64[2, 3], got f32[2, 3]"),
        ("tensor.add(%0, %1)", "f64[3]", "operation 0 (add): add: operands must have equal shapes"),
        ("tensor.add(%0, %0, %0)", "f64[2, 3]", "takes 2 operands, got 3"),
        ("tensor.reduce_sum(%0)", "f64[3]", "takes the attributes ['axes'], got []"),
        ("tensor.neg(%0) {axes = ()}", "f64[3]", "takes the attributes [], got ['axes']"),
        ("tensor.reduce_sum(%0) {axes = 1}", "f64[3]", "do not fit the record"),
        (
            "tensor.broadcast(%1) {shape = (3, 4), dimensions = (1,)}",
            "f64[3, 4]",
            "does not fit",
        ),
        (
            'kernel.product(%0, %1) {form = "stacked", count = 1, contract = ((1,), (0,)), '
            "batch = ((), ())}",
            "f64[3]",
            "operation 0 (kernel.product), member 0: the result type must be f64[2], got f64[3]",
        ),
    ],
)
def test_a_wrong_type_is_named(line: str, result: str, message: str) -> None:
    with pytest.raises(VerifyError, match=re.escape(message)):
        verify_program(in_body(line, result))


def test_regions_are_checked_too() -> None:
    text = """program @f(%0: f64[]) -> (f64[]) {
      %1 = loop.fused(%0) {space = (), maps = ((),), kept = ((),)} [(%2: f64[]):
        %3 = tensor.nag(%2) : f64[]
        return %3
      ] : f64[]
      return %1
    }"""
    with pytest.raises(VerifyError, match=r"region of .*\(loop.fused\), operation 0 \(nag\)"):
        verify_program(parse_program(text))


def field_loss(w: object, b: object, x: object) -> object:
    def field(x: object) -> object:
        return sf.tanh(x @ w + b) @ b  # type: ignore[operator]

    return (sf.laplacian(field)(x) ** 2).mean()


def test_every_pass_leaves_a_valid_program() -> None:
    types = [
        sf.TensorType(shape, np.dtype(np.float64))
        for shape in ((2, 5), (5,), (sf.Dim.named("N"), 2))
    ]
    program = sf.make_program(sf.value_and_grad(field_loss, (0, 1)))(*types)
    seen = []

    def check(name: str, stage: Program) -> None:
        verify_program(stage)
        seen.append(name)

    schedule(program, check)
    assert seen == ["trace", *(name for name, _ in PASSES)]

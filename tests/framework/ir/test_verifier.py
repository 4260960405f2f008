"""One broken program for each structural rule."""

import re

import numpy as np
import pytest

from sciml.framework.core.dtypes import FLOAT64
from sciml.framework.errors import VerifyError
from sciml.framework.ir.builder import Builder
from sciml.framework.ir.parser import parse_program
from sciml.framework.ir.program import Block, Operation, Program, Region
from sciml.framework.ir.types import Attributes, TensorType
from sciml.framework.ir.verifier import verify

VECTOR = TensorType((2,), FLOAT64)


def refuses(program: Program, message: str) -> None:
    with pytest.raises(VerifyError, match=re.escape(message)):
        verify(program)


def single(name: str = "neg", attributes: Attributes | None = None, results: int = 1) -> Program:
    block = Block([VECTOR])
    made = Operation(name, block.arguments, attributes or {}, [VECTOR] * results)
    block.operations.append(made)
    block.outputs = [block.arguments[0]]
    return Program("f", block)


def test_a_sound_program_passes() -> None:
    verify(single())


def test_use_before_definition() -> None:
    program = single()
    first = program.operations[0]
    program.operations.insert(0, Operation("neg", first.results, {}, [VECTOR]))
    refuses(program, "program f, operation 0 (neg): operand 0 of type f64[2] is not defined before")


def test_value_of_another_program() -> None:
    program = single()
    program.block.outputs = [single().operations[0].result]
    refuses(program, "program f: output 0 of type f64[2] is not defined before; it comes later or")


def test_inner_region_sees_only_its_own_values() -> None:
    text = """program @f(%0: f64[], %1: f64[]) -> (f64[]) {
      %2 = loop.fused(%0) {space = (), maps = ((),), kept = ((),)} [(%3: f64[]):
        %4 = tensor.add(%3, %1) : f64[]
        return %4
      ] : f64[]
      return %2
    }"""
    refuses(
        parse_program(text),
        "operation 0 (add): operand 1 is argument 1 of program f, which is out of scope there; "
        "hand it in as an operand and block argument",
    )


def test_inner_values_do_not_leave_their_region() -> None:
    program = single()
    inner = Block([TensorType((), FLOAT64)])
    inner.outputs = inner.arguments[:]
    attributes: Attributes = {"space": (2,), "maps": ((0,),), "kept": ((0,),)}
    fused = Operation("loop.fused", program.inputs, attributes, [VECTOR], [Region(inner)])
    program.operations.append(fused)
    program.block.outputs = inner.arguments[:]
    refuses(program, "output 0 is argument 0 of the region of program f, operation 1 (loop.fused)")


def test_one_operation_twice() -> None:
    program = single()
    program.operations.append(program.operations[0])
    refuses(program, "result 0 of program f, operation 1 (neg) is also result 0 of program f, oper")


def test_an_argument_must_be_at_its_position() -> None:
    program = single()
    program.inputs.insert(0, program.operations[0].result)
    refuses(program, "argument 0 is a result or belongs to another position")


def test_a_result_must_belong_to_its_operation() -> None:
    program = single()
    program.operations[0].results = single().operations[0].results
    refuses(program, "operation 0 (neg): result 0 belongs to another operation")


def test_a_type_must_be_a_tensor_type() -> None:
    program = single()
    program.operations[0].result.type = "f64"  # type: ignore[assignment]
    refuses(program, "has type 'f64'; expected a TensorType")


@pytest.mark.parametrize("name", ["tensor.neg", "Neg", "loop.", "a b"])
def test_a_name_must_print_as_it_is(name: str) -> None:
    refuses(single(name), f"expected a name such as 'add' or 'loop.tile', got {name!r}")


def test_an_unknown_dialect_operation() -> None:
    refuses(single("loop.unrolled"), "no dialect has 'loop.unrolled'; known are kernel.product, ")


def test_an_attribute_must_be_printable() -> None:
    refuses(single(attributes={"axes": np.arange(2)}), "axes = array([0, 1]) is not an attribute")  # type: ignore[dict-item]


def test_a_primitive_has_one_result() -> None:
    refuses(single(results=2), "a primitive has one result and no region, this one has 2 results")


def test_a_region_has_one_block() -> None:
    program = single()
    program.operations[0].regions = (Region(Block(), Block()),)
    refuses(program, "a region has one block, this one has 2")


def test_captured_arguments_are_in_scope() -> None:
    builder = Builder([VECTOR])
    captured = builder.capture("source", "key", VECTOR)
    made = builder.emit("add", [builder.block.arguments[0], captured], {}, [VECTOR])
    verify(builder.finish("f", [made.result]))

"""What `emit` puts into a module: names, types, symbols, targets; and its refusals."""

from __future__ import annotations

import llvmlite.binding as binding
import numpy as np
import pytest
from llvmlite import ir

from sciml.framework.backends.vector_math import MAX_ULP, SUPPORTED, emit
from sciml.framework.errors import LoweringError

from .harness import WORDS, compiled, loop_module, native_width, optimise
from .points import binary_points, unary_points

TARGETS = (
    ("x86_64-unknown-linux-gnu", "x86-64"),
    ("x86_64-unknown-linux-gnu", "skylake"),
    ("x86_64-unknown-linux-gnu", "skylake-avx512"),
    ("aarch64-unknown-linux-gnu", "generic"),
)


def _function(*kinds: ir.Type) -> ir.IRBuilder:
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(kinds[0], kinds), "caller")
    return ir.IRBuilder(function.append_basic_block())


def test_every_function_states_a_bound_for_both_formats():
    assert set(MAX_ULP) == {(name, kind) for name in SUPPORTED for kind in ("f64", "f32")}
    assert max(MAX_ULP.values()) <= 4.0


def test_a_function_is_defined_once_per_type():
    vector = ir.VectorType(ir.DoubleType(), 8)
    builder = _function(vector)
    once = emit("tanh", builder, builder.function.args[0])
    emit("tanh", builder, once)
    defined = [name for name in builder.module.globals if name.startswith("sciml_")]
    assert defined == ["sciml_tanh_v8f64"]
    assert once.type == vector


@pytest.mark.parametrize("name", sorted(SUPPORTED))
def test_only_intrinsics_are_declared_and_only_contract_is_set(name):
    for kind in ("f64", "f32"):
        text = loop_module(name, kind, 8)
        for function in binding.parse_assembly(text).functions:
            assert not function.is_declaration or function.name.startswith("llvm.")
        for flag in (" fast ", " nnan ", " ninf ", " nsz ", " arcp ", " afn ", " reassoc "):
            assert flag not in text
        assert "llvm.fma" not in text


@pytest.mark.parametrize("kind", ["f64", "f32"])
@pytest.mark.parametrize("name", sorted(SUPPORTED))
def test_every_width_gives_the_same_bits(name, kind):
    if name in ("atan2", "pow"):
        operands = binary_points(name, kind)
    else:
        operands = (unary_points(name, kind),)
    expected = compiled(name, kind, native_width(kind))(*operands)
    for width in (1, 2, 3):
        got = compiled(name, kind, width)(*operands)
        np.testing.assert_array_equal(got.view(WORDS[kind]), expected.view(WORDS[kind]))


def _library_calls(text: str, triple: str, machine: binding.TargetMachine) -> set[str]:
    """Symbols that the assembly of a module calls and does not define."""
    module = binding.parse_assembly(text)
    module.triple, module.data_layout = triple, str(machine.target_data)
    module.verify()
    optimise(module, machine, level=1)
    called = {
        line.split()[-1].removesuffix("@PLT")
        for line in machine.emit_assembly(module).splitlines()
        if line.split()[:1] in (["callq"], ["call"], ["bl"], ["jmp"], ["b"])
    }
    return {symbol for symbol in called if not symbol.startswith(("sciml_", ".L", "*", "%"))}


@pytest.mark.parametrize(("triple", "cpu"), TARGETS)
def test_assembly_for_other_processors_calls_no_library(triple, cpu):
    target = binding.Target.from_triple(triple)
    machine = target.create_target_machine(cpu=cpu, opt=1, reloc="pic", codemodel="small")
    for name in sorted(SUPPORTED):
        for kind, width in (("f64", 1), ("f64", 4), ("f32", 8)):
            outside = _library_calls(loop_module(name, kind, width), triple, machine)
            assert not outside, (name, kind, width, outside)


@pytest.mark.parametrize(("triple", "cpu"), TARGETS)
def test_a_library_call_would_be_noticed(triple, cpu):
    machine = binding.Target.from_triple(triple).create_target_machine(
        cpu=cpu, opt=1, reloc="pic", codemodel="small"
    )
    text = loop_module("sqrt", "f64", 1).replace("llvm.sqrt.f64", "llvm.exp.f64")
    assert _library_calls(text, triple, machine) == {"exp"}


def test_unknown_names_and_wrong_operands_are_refused():
    builder = _function(ir.DoubleType(), ir.DoubleType())
    x, y = builder.function.args
    with pytest.raises(LoweringError, match="got function 'gamma'"):
        emit("gamma", builder, x)
    with pytest.raises(LoweringError, match="atan2 got 1 operands, expected 2"):
        emit("atan2", builder, x)
    with pytest.raises(LoweringError, match="tanh got 2 operands"):
        emit("tanh", builder, x, y)
    single = builder.fptrunc(y, ir.FloatType())
    with pytest.raises(LoweringError, match="double, float, expected"):
        emit("pow", builder, x, single)
    with pytest.raises(LoweringError, match="i64"):
        emit("exp", builder, builder.bitcast(x, ir.IntType(64)))

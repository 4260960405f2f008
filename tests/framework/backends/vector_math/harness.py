"""Compile an emitted function into a loop over arrays."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import llvmlite.binding as binding
import numpy as np
from llvmlite import ir
from numpy.typing import NDArray

from sciml.framework.backends.vector_math import emit
from sciml.framework.backends.vector_math.formats import F32, F64
from sciml.framework.backends.vector_math.lanes import Lanes
from sciml.framework.backends.vector_math.registry import FUNCTIONS

binding.initialize_all_targets()
binding.initialize_all_asmprinters()

SCALARS = {"f64": ir.DoubleType(), "f32": ir.FloatType()}
DTYPES = {"f64": np.dtype(np.float64), "f32": np.dtype(np.float32)}
WORDS = {"f64": np.dtype(np.uint64), "f32": np.dtype(np.uint32)}


def native_width(kind: str) -> int:
    """Lanes of the widest register of this CPU."""
    features = binding.get_host_cpu_features()
    size = 64 if features.get("avx512f") else 32 if features.get("avx") else 16
    return size // DTYPES[kind].itemsize


def loop_module(name: str, kind: str, width: int) -> str:
    """IR of a loop that applies the named function."""
    return loop_of(lambda *given: emit(name, *given), FUNCTIONS[name].arity, kind, width)


def loop_of(apply: Callable[..., ir.Value], arity: int, kind: str, width: int) -> str:
    """IR of void kernel(ptr operand..., ptr result, i64 count): a loop in steps of `width`.

    ``apply(builder, *operands)`` emits the loop's body.
    """
    scalar, index = SCALARS[kind], ir.IntType(64)
    vector = scalar if width == 1 else ir.VectorType(scalar, width)
    module = ir.Module()
    pointer = scalar.as_pointer()
    signature = ir.FunctionType(ir.VoidType(), [pointer] * (arity + 1) + [index])
    kernel = ir.Function(module, signature, "kernel")
    entry, loop, done = (kernel.append_basic_block(label) for label in ("entry", "loop", "done"))
    builder = ir.IRBuilder(entry)
    builder.branch(loop)
    builder.position_at_end(loop)
    place = builder.phi(index)
    place.add_incoming(ir.Constant(index, 0), entry)

    def address(base: ir.Value) -> ir.Value:
        return builder.bitcast(builder.gep(base, [place]), vector.as_pointer())

    align = DTYPES[kind].itemsize
    operands = [builder.load(address(base), align=align) for base in kernel.args[:arity]]
    builder.store(apply(builder, *operands), address(kernel.args[arity]), align=align)
    following = builder.add(place, ir.Constant(index, width))
    place.add_incoming(following, builder.block)
    again = builder.icmp_unsigned("<", following, kernel.args[arity + 1])
    builder.cbranch(again, loop, done)
    builder.position_at_end(done)
    builder.ret_void()
    return str(module)


def optimise(module: binding.ModuleRef, machine: binding.TargetMachine, level: int = 2) -> None:
    """The default pipeline, which includes the inliner."""
    options = binding.create_pipeline_tuning_options(speed_level=level)
    passes = binding.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)


@dataclass(frozen=True)
class Compiled:
    """A loop over arrays; `engine` owns its code."""

    engine: binding.ExecutionEngine
    address: int
    arity: int
    kind: str
    width: int
    milliseconds: float

    def __call__(self, *operands: NDArray[np.generic]) -> NDArray[np.generic]:
        """The function of 1-d arrays; padded to whole vectors."""
        dtype, count = DTYPES[self.kind], operands[0].size
        padded = -(-count // self.width) * self.width
        buffers = []
        for operand in operands:
            buffer = np.ones(padded, dtype)
            buffer[:count] = operand
            buffers.append(buffer)
        result = np.empty(padded, dtype)
        self.run([*buffers, result])
        return result[:count]

    def run(self, buffers: list[NDArray[np.generic]]) -> None:
        """Operands and result, each of a multiple of `width` elements."""
        kinds = [ctypes.c_void_p] * (self.arity + 1) + [ctypes.c_size_t]
        function = ctypes.CFUNCTYPE(None, *kinds)(self.address)
        function(*(buffer.ctypes.data for buffer in buffers), buffers[0].size)


@cache
def compiled(name: str, kind: str, width: int, cpu: str = "") -> Compiled:
    """The function for this CPU, or for a named older one of the same architecture."""
    start = time.perf_counter()
    text = loop_module(name, kind, width)
    return compiled_text(text, FUNCTIONS[name].arity, kind, width, cpu, start)


def compiled_formula(
    formula: Callable[..., Lanes], arity: int, kind: str, width: int, cpu: str = ""
) -> Compiled:
    """A formula over `Lanes` that is not in the registry."""
    format = {"f64": F64, "f32": F32}[kind]

    def apply(builder: ir.IRBuilder, *operands: ir.Value) -> ir.Value:
        return formula(*(Lanes(builder, operand, format) for operand in operands)).value

    text = loop_of(apply, arity, kind, width)
    return compiled_text(text, arity, kind, width, cpu, time.perf_counter())


def compiled_text(text: str, arity: int, kind: str, width: int, cpu: str, start: float) -> Compiled:
    """Compile the IR of a loop; `start` is when its making began."""
    module = binding.parse_assembly(text)
    module.verify()
    target = binding.Target.from_default_triple()
    machine = target.create_target_machine(
        cpu=cpu or binding.get_host_cpu_name(),
        features="" if cpu else binding.get_host_cpu_features().flatten(),
        opt=2,
    )
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    optimise(module, machine)
    engine = binding.create_mcjit_compiler(module, machine)
    engine.finalize_object()
    address = engine.get_function_address("kernel")
    milliseconds = 1e3 * (time.perf_counter() - start)
    return Compiled(engine, address, arity, kind, width, milliseconds)

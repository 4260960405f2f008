"""Device kernels for every primitive: as C run on this machine, as CUDA C compiled by NVRTC."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.backends.cuda import cuda_source
from sciml.framework.backends.device import CUDA, HOST_C, OPENCL, kernels_of
from sciml.framework.compiler.fusion import fuse_block
from sciml.framework.core.dims import evaluate_dim
from sciml.framework.core.dtypes import is_float
from sciml.framework.errors import LoweringError
from sciml.framework.ir.program import Program
from sciml.framework.ops.lowering import Expanded
from sciml.framework.ops.primitive import Primitive, Sample, bind
from sciml.framework.ops.tensor import unwrap, wrap

CASES = [
    pytest.param(record, sample, id=f"{record.name}-{k}")
    for record in sf.primitives.values()
    for k, sample in enumerate(record.samples)
    if not isinstance(record.lowering, Expanded)
]
ARCHITECTURES = ["compute_70", "compute_80", "compute_90"]


def program_of(record: Primitive, sample: Sample) -> Program:
    def function(*operands: Any) -> Any:
        return wrap(bind(record, [unwrap(o) for o in operands], dict(sample.attributes)))

    return sf.make_program(function)(*sample.operands)


def run_on_host(program: Program, inputs: list[np.ndarray], folder: Path) -> list[np.ndarray]:
    """Compile the kernels of a program as C and launch them one after the other."""
    kernels = kernels_of(program, HOST_C)
    source, library = folder / "kernels.c", folder / "kernels.so"
    source.write_text(HOST_C.preamble + "\n".join(k.source for k in kernels))
    subprocess.run(
        ["cc", "-O1", "-std=c99", "-Wall", "-Werror", "-Wno-unused-variable", "-Wno-div-by-zero",
         "-shared", "-fPIC", "-o", str(library), str(source), "-lm"],
        check=True,
    )  # fmt: skip
    loaded = ctypes.CDLL(str(library))
    sizes: dict[str, int] = {}
    for value, array in zip(program.inputs, inputs, strict=True):
        for dim, size in zip(value.type.shape, array.shape, strict=True):
            sizes[repr(dim)] = size
    values: dict[Any, np.ndarray] = dict(zip(program.inputs, inputs, strict=True))
    launches = iter(kernels)
    for operation in program.operations:
        for result in operation.results:
            kernel = next(launches)
            shape = [evaluate_dim(s, sizes) for s in result.type.shape]
            out = np.empty(shape, result.type.dtype)  # type: ignore[arg-type]
            pointers = [values[v].ctypes.data_as(ctypes.c_void_p) for v in operation.operands]
            pointers.append(out.ctypes.data_as(ctypes.c_void_p))
            numbers = [sizes[n] for n in kernel.size_names]
            numbers.append(int(evaluate_dim(kernel.elements, sizes)))
            getattr(loaded, kernel.name)(*pointers, *map(ctypes.c_longlong, numbers))
            values[result] = out
    return [values[v] for v in program.outputs]


needs_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


@needs_cc
@pytest.mark.parametrize(("record", "sample"), CASES)
def test_the_kernel_text_computes_the_primitive(
    record: Primitive, sample: Sample, tmp_path: Path
) -> None:
    inputs = [np.ascontiguousarray(o).reshape(o.shape) for o in sample.operands]
    (got,) = run_on_host(program_of(record, sample), inputs, tmp_path)
    expected = record.evaluate(inputs, dict(sample.attributes))
    exact = not is_float(expected.dtype)
    tolerance = 0.0 if exact else 8 * float(np.finfo(expected.dtype).eps)
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)


def test_calls_of_custom_functions_are_expanded_before() -> None:
    function = sf.custom_jvp(sf.sin)
    function.defjvp(lambda p, t: (function(*p), sf.cos(p[0]) * t[0]))
    program = sf.make_program(lambda x: function(x) * 2.0)(np.ones(3))
    with pytest.raises(LoweringError, match="expand it first"):
        kernels_of(program, HOST_C)
    assert "sin(" in cuda_source(program)


def biharmonic_step() -> tuple[Program, list[np.ndarray]]:
    rng = np.random.default_rng(0)
    w1, w2, v = rng.normal(size=(2, 5)), rng.normal(size=(5, 5)), rng.normal(size=(5, 1))

    def loss(w1: Any, w2: Any, v: Any, X: Any) -> Any:
        def u(X: Any) -> Any:
            return (sf.tanh(sf.tanh(X @ w1) @ w2) @ v)[:, 0]

        return (sf.biharmonic(u)(X) ** 2).mean()

    points = sf.TensorType((sf.Dim.named("N"), 2), np.dtype(np.float64))
    program = sf.make_program(sf.value_and_grad(loss, argnums=(0, 1, 2)))(w1, w2, v, points)
    fused = Program(program.name, fuse_block(program.block))
    return fused, [w1, w2, v, rng.uniform(size=(11, 2))]


@needs_cc
def test_a_fused_plate_step_runs_on_the_device_path(tmp_path: Path) -> None:
    program, inputs = biharmonic_step()
    got = run_on_host(program, inputs, tmp_path)

    def u(X: Any) -> Any:
        w1, w2, v, _ = inputs
        return (sf.tanh(sf.tanh(X @ w1) @ w2) @ v)[:, 0]

    expected = np.mean(sf.biharmonic(u)(inputs[3]) ** 2)
    assert float(got[0]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("dialect", [CUDA, OPENCL, HOST_C], ids=lambda d: d.name)
def test_every_primitive_has_text_in_every_dialect(dialect: Any) -> None:
    for case in CASES:
        (kernel,) = kernels_of(program_of(*case.values), dialect)
        assert dialect.kernel in kernel.source
        assert kernel.source.count("{") == kernel.source.count("}")


def nvrtc() -> Any:
    """The NVRTC library of the wheel, which needs no GPU."""
    found = pytest.importorskip("nvidia.cuda_nvrtc", reason="NVRTC is not installed")
    (library,) = Path(next(iter(found.__path__))).glob("lib/libnvrtc.so.*")
    return ctypes.CDLL(str(library))


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_cuda_text_compiles_for_real_architectures(architecture: str) -> None:
    library = nvrtc()
    texts = [cuda_source(program_of(*case.values)) for case in CASES]
    source = "\n".join(text.replace("void ", f"void case_{k}_") for k, text in enumerate(texts))
    source += CUDA.preamble + "\n".join(k.source for k in kernels_of(biharmonic_step()[0], CUDA))
    program = ctypes.c_void_p()
    created = library.nvrtcCreateProgram(
        ctypes.byref(program), source.encode(), b"all.cu", 0, None, None
    )
    assert created == 0
    options = (ctypes.c_char_p * 1)(f"--gpu-architecture={architecture}".encode())
    status = library.nvrtcCompileProgram(program, 1, options)
    size = ctypes.c_size_t()
    library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    library.nvrtcGetProgramLog(program, log)
    assert status == 0, log.value.decode()

"""What differs between C-like languages: qualifiers, the thread index, names of functions."""

from __future__ import annotations

from dataclasses import dataclass

from ...core.dtypes import BOOL, FLOAT32, FLOAT64, INT32, INT64, UINT32, UINT64, DType

__all__ = ["CUDA", "HOST_C", "OPENCL", "Dialect"]

_C_TYPES: dict[DType, str] = {
    BOOL: "unsigned char", INT32: "int", INT64: "long long", UINT32: "unsigned int",
    UINT64: "unsigned long long", FLOAT32: "float", FLOAT64: "double",
}  # fmt: skip


@dataclass(frozen=True)
class Dialect:
    """A C-like language.

    Attributes
    ----------
    name
        For messages.
    preamble
        Text before all kernels.
    kernel
        Qualifiers of a kernel function.
    memory
        Qualifier of a pointer to device memory.
    index
        Statement head that runs its body for every flat index ``i`` below ``n``.
    float_suffix
        What functions of float arguments are called: ``f`` as in ``sinf``, or nothing where
        names are overloaded.
    wide
        The name of 64-bit integers.
    """

    name: str
    preamble: str
    kernel: str
    memory: str
    index: str
    float_suffix: str
    wide: str = "long long"

    def type_name(self, dtype: DType) -> str:
        """Return the type of an element in memory."""
        return _C_TYPES[dtype].replace("long long", self.wide)


CUDA = Dialect(
    name="cuda",
    preamble="",
    kernel='extern "C" __global__ void',
    memory="",
    index=(
        "for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; "
        "i += (long long)gridDim.x * blockDim.x)"
    ),
    float_suffix="f",
)

OPENCL = Dialect(
    name="opencl",
    preamble="#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n",
    kernel="__kernel void",
    memory="__global ",
    index="for (long i = get_global_id(0); i < n; i += get_global_size(0))",
    float_suffix="",
    wide="long",
)

# The same text as plain C: the tests compile and run it where a C compiler is.
HOST_C = Dialect(
    name="c",
    preamble="#include <math.h>\n",
    kernel="void",
    memory="",
    index="for (long long i = 0; i < n; ++i)",
    float_suffix="f",
)

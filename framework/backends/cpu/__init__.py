"""The CPU back end: LLVM code through llvmlite, BLAS through SciPy's function pointers."""

from .backend import CpuBackend

__all__ = ["CpuBackend"]

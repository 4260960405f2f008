"""Kernels for C-like devices: one emitter of source text, a small dialect per language."""

from .dialect import CUDA, HOST_C, OPENCL, Dialect
from .kernels import Kernel, kernels_of

__all__ = ["CUDA", "HOST_C", "OPENCL", "Dialect", "Kernel", "kernels_of"]

"""CUDA C source of programs; it compiles with NVRTC on machines without a GPU."""

from .source import cuda_source

__all__ = ["cuda_source"]

"""CUDA C for a whole program: fused loops and one kernel for every other operation."""

from __future__ import annotations

from ...compiler.fusion import fuse_block
from ...ir.program import Program
from ...transforms.custom import expand
from ..device import CUDA, Kernel, kernels_of

__all__ = ["cuda_kernels", "cuda_source"]


def cuda_kernels(program: Program) -> list[Kernel]:
    """Fuse a traced program for a device and return its kernels in the order of launch."""
    block = fuse_block(expand(program).block)
    return kernels_of(Program(program.name, block), CUDA)


def cuda_source(program: Program) -> str:
    """Return CUDA C text with all kernels of a traced program.

    Examples
    --------
    >>> import numpy as np
    >>> import sciml.framework as sf
    >>> text = cuda_source(sf.make_program(lambda x: sf.sin(x) * 2.0)(np.ones(3)))
    >>> "__global__" in text and "sin(" in text
    True
    """
    return CUDA.preamble + "\n".join(k.source for k in cuda_kernels(program))

"""Vector code for elementary functions, emitted as LLVM IR for any number of lanes.

`emit` defines the function once per module and operand type, and calls it. Nothing outside LLVM
is needed at run time: no mathematics library, only intrinsics that are instructions.
"""

from .registry import MAX_ULP, SUPPORTED, emit

__all__ = ["MAX_ULP", "SUPPORTED", "emit"]

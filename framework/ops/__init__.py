"""Primitive operations, one record each, and the array functions written over them."""

from . import (
    broadcast,
    concatenate,
    contraction,
    convert,
    elementwise,
    fill,
    indexing,
    math,
    pad,
    reduction,
    reshape,
    reverse,
    slice,
    transpose,
)

# The modules whose import registers primitives. One more, ``custom_jvp``, is registered by
# `transforms.custom`, since its rules are transforms of its body.
__all__ = [
    "broadcast", "concatenate", "contraction", "convert", "elementwise", "fill", "indexing", "math",
    "pad", "reduction", "reshape", "reverse", "slice", "transpose",
]  # fmt: skip

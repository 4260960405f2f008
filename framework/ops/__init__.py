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

# the modules whose import registers primitives: the registry is whole once this package is loaded
__all__ = [
    "broadcast", "concatenate", "contraction", "convert", "elementwise", "fill", "indexing", "math",
    "pad", "reduction", "reshape", "reverse", "slice", "transpose",
]  # fmt: skip

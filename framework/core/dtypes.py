"""Element types: the seven that programs use, their short names and their promotion."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import DtypeError

__all__ = [
    "BOOL", "FLOAT32", "FLOAT64", "INT32", "INT64", "UINT32", "UINT64", "Array", "DType",
    "canonical_dtype", "dtype_from_name", "dtype_name", "is_float", "is_integer", "promote",
]  # fmt: skip

DType = np.dtype[Any]
Array = npt.NDArray[Any]

BOOL = np.dtype(np.bool_)
INT32 = np.dtype(np.int32)
INT64 = np.dtype(np.int64)
UINT32 = np.dtype(np.uint32)
UINT64 = np.dtype(np.uint64)
FLOAT32 = np.dtype(np.float32)
FLOAT64 = np.dtype(np.float64)

_NAMES: dict[DType, str] = {
    BOOL: "bool", INT32: "i32", INT64: "i64", UINT32: "u32", UINT64: "u64",
    FLOAT32: "f32", FLOAT64: "f64",
}  # fmt: skip
_BY_NAME = {name: dtype for dtype, name in _NAMES.items()}


def canonical_dtype(dtype: npt.DTypeLike) -> DType:
    """Return the element type as a NumPy dtype, or refuse one that programs do not have."""
    result = np.dtype(dtype)
    if result not in _NAMES:
        raise DtypeError(f"element type {result} is not supported; use one of {sorted(_BY_NAME)}")
    return result


def dtype_name(dtype: DType) -> str:
    """Return the short name, such as ``f64``."""
    return _NAMES[dtype]


def dtype_from_name(name: str) -> DType:
    """Return the element type of a short name."""
    if name not in _BY_NAME:
        raise DtypeError(f"unknown element type {name!r}; use one of {sorted(_BY_NAME)}")
    return _BY_NAME[name]


def is_float(dtype: DType) -> bool:
    """Return whether values of this type have derivatives."""
    return dtype.kind == "f"


def is_integer(dtype: DType) -> bool:
    """Return whether the type is a signed or unsigned integer."""
    return dtype.kind in "iu"


def promote(a: DType, b: DType) -> DType:
    """Return the smallest type that holds both, by NumPy's rule."""
    return canonical_dtype(np.promote_types(a, b))

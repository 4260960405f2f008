"""Element types have short names both ways; others are refused."""

from __future__ import annotations

import numpy as np
import pytest

from sciml.framework.core import dtypes
from sciml.framework.errors import DtypeError


@pytest.mark.parametrize("name", ["bool", "i32", "i64", "u32", "u64", "f32", "f64"])
def test_names_round_trip(name: str) -> None:
    assert dtypes.dtype_name(dtypes.dtype_from_name(name)) == name


def test_other_types_are_refused() -> None:
    with pytest.raises(DtypeError, match="complex128"):
        dtypes.canonical_dtype(np.complex128)
    with pytest.raises(DtypeError, match="f16"):
        dtypes.dtype_from_name("f16")


def test_promotion_follows_numpy() -> None:
    assert dtypes.promote(dtypes.INT32, dtypes.FLOAT32) == np.float64
    assert dtypes.is_float(dtypes.FLOAT32)
    assert not dtypes.is_float(dtypes.INT64)

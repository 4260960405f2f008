"""The type of a value (shape and element type) and literal arrays as attributes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, Union

import numpy as np
import numpy.typing as npt

from ..core.dims import Dim, Shape, product
from ..core.dtypes import Array, DType, canonical_dtype, dtype_name

if TYPE_CHECKING:
    from .program import Body

__all__ = ["Attribute", "Attributes", "Literal", "TensorType", "type_of_array"]


@dataclass(frozen=True, slots=True)
class TensorType:
    """Shape and element type of a value, printed as ``f64[N, 2]``."""

    shape: Shape
    dtype: DType

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def size(self) -> int | Dim:
        """The number of elements."""
        return product(self.shape)

    def __str__(self) -> str:
        return f"{dtype_name(self.dtype)}[{', '.join(map(str, self.shape))}]"


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant array as an attribute; equal when its bytes are, so -0.0 is not 0.0."""

    shape: tuple[int, ...]
    dtype: DType
    data: bytes

    @staticmethod
    def of(value: npt.ArrayLike, dtype: DType | None = None) -> Literal:
        """Copy an array or number into a literal."""
        array = np.ascontiguousarray(np.asarray(value, dtype=dtype))
        # ascontiguousarray promotes rank 0 to rank 1, so the shape is taken from the original
        return Literal(np.shape(value), canonical_dtype(array.dtype), array.tobytes())

    @property
    def array(self) -> Array:
        """The value as a read-only NumPy array."""
        return np.frombuffer(self.data, dtype=self.dtype).reshape(self.shape)

    @property
    def type(self) -> TensorType:
        """Shape and element type."""
        return TensorType(self.shape, self.dtype)


Attribute: TypeAlias = Union[
    int, float, bool, str, Dim, DType, Literal, "Body", tuple["Attribute", ...], None
]
# Values are of the types in `Attribute`; each operation knows which, and the verifier checks.
Attributes = dict[str, Any]


def type_of_array(array: Array) -> TensorType:
    """Return the type of a NumPy array."""
    return TensorType(array.shape, canonical_dtype(array.dtype))

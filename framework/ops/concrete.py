"""What a `Tensor` offers beside operations where it holds numbers: value, gradient, record."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from ..core.dtypes import Array
from ..errors import ShapeError, TraceError
from ..ir.program import Value
from .primitive import Concrete

if TYPE_CHECKING:
    from .tensor import ArrayLike, Tensor

__all__ = ["ConcreteMethods"]


class ConcreteMethods:
    """The part of `Tensor` that needs numbers; each method is refused for a traced value."""

    __slots__ = ()
    value: Value | Concrete

    def _held(self, refusal: str) -> Concrete:
        if isinstance(self.value, Concrete):
            return self.value
        raise TraceError(f"{self!r} {refusal}")

    def __repr__(self) -> str:
        if isinstance(self.value, Value):
            return f"Tensor({self.value.type})"
        array = self.value.array
        numbers = np.array2string(array, separator=", ", prefix="tensor(")
        dtype = "" if array.dtype in (np.float64, np.int64, np.bool_) else f", dtype={array.dtype}"
        return f"tensor({numbers}{dtype}{', requires_grad=True' * self.requires_grad})"

    def numpy(self) -> Array:
        """Return the numbers as a read-only array, without their record."""
        return self._held("has no number while tracing; return it from the function").array

    def item(self) -> Any:
        """Return the only number."""
        array = self.numpy()
        if array.size != 1:
            raise ShapeError(f"item: one element is needed, the shape is {array.shape}")
        return array.item()

    def __bool__(self) -> bool:
        held = self._held(
            "has no known truth value while tracing; "
            "use where(condition, a, b) for a choice by element"
        )
        return bool(held.array)

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __index__(self) -> int:
        return self.numpy().__index__()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        held = self._held(
            "cannot become a NumPy array while tracing; "
            "use the functions of sciml.framework instead of NumPy's"
        )
        if held.requires_grad:
            raise TraceError(
                "a tensor that requires gradients does not become a NumPy array by itself, since "
                "its record would be lost; use .numpy() or .detach() if that is meant"
            )
        return np.array(held.array, dtype=dtype, copy=copy)

    @property
    def requires_grad(self) -> bool:
        """Whether operations on it are recorded; false while tracing."""
        return isinstance(self.value, Concrete) and self.value.requires_grad

    @property
    def is_leaf(self) -> bool:
        """Whether it was given by `tensor`, and not computed by a recorded operation."""
        return self._held("is traced, so it is neither leaf nor recorded").is_leaf

    @property
    def grad(self) -> Tensor | None:
        """The gradient that `backward` has accumulated, or None; assign None to start again."""
        held = self._held("has no gradient while tracing; use sciml.framework.grad")
        return None if held.grad is None else self._like(held.grad)

    @grad.setter
    def grad(self, gradient: None) -> None:
        held = self._held("has no gradient while tracing; use sciml.framework.grad")
        if gradient is not None:
            raise TraceError("only None can be assigned to .grad, which clears it")
        held.grad = None

    def requires_grad_(self, wanted: bool = True) -> Self:
        """Start or stop recording what is computed from this leaf, and return it.

        Raises
        ------
        DifferentiationError
            If the elements are not floating point, or if the tensor is not a leaf.
        """
        self._held("is traced, so it is not recorded").require_grad(wanted)
        return self

    def detach(self) -> Tensor:
        """Return the same numbers without their record."""
        return self._like(self._held("is traced; use stop_gradient").detach())

    def backward(self, gradient: ArrayLike | None = None) -> None:
        """Add the gradient of this tensor to ``.grad`` of every leaf that it was computed from.

        Parameters
        ----------
        gradient
            The vector of the vector-Jacobian product, of the shape of this tensor; may be left
            out for a scalar, where it is 1.

        Raises
        ------
        DifferentiationError
            If nothing was recorded, or if the tensor is not a scalar and no gradient is given.

        Examples
        --------
        >>> import sciml.framework as sf
        >>> x = sf.tensor([1.0, 2.0], requires_grad=True)
        >>> (x**3).sum().backward()
        >>> x.grad
        tensor([ 3., 12.])
        """
        from .tensor import unwrap

        held = self._held("is traced; use sciml.framework.grad inside a traced function")
        held.backward(None if gradient is None else unwrap(gradient, held.type.dtype))

    def _like(self, value: Concrete) -> Tensor:
        return cast("Tensor", type(self)(value))  # type: ignore[call-arg]

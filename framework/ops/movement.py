"""The factory of primitives that move elements: linear, batched along a new first axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..core.dtypes import Array
from ..ir.types import Attributes, TensorType
from .lowering import Movement
from .mapped import Lift, fronted, unchanged
from .primitive import (
    Axes,
    Operand,
    Operands,
    Primitive,
    Sample,
    Tangents,
    Types,
    bind,
    primitives,
)

__all__ = ["register_movement"]


def _linear(name: str) -> Callable[..., Operand | None]:
    def jvp(
        result: Operand, operands: Operands, tangents: Tangents, attributes: Attributes
    ) -> Operand | None:
        if tangents[0] is None:
            return None
        return bind(primitives[name], (tangents[0],), attributes)

    return jvp


def register_movement(
    name: str,
    *,
    infer: Callable[[Types, Attributes], TensorType],
    evaluate: Callable[[Sequence[Array], Attributes], Array],
    transpose: Callable[..., Operand],
    axes: Callable[[Types, Attributes], Axes],
    element: Callable[..., object],
    samples: tuple[Sample, ...],
    lift: Lift = unchanged,
    batch: Callable[..., tuple[Operand, int]] | None = None,
    jvp: Callable[..., Operand | None] | None = None,
) -> Primitive:
    """Register a primitive that moves elements, from what is its own.

    Parameters
    ----------
    infer, evaluate, transpose, axes, samples
        As in the record of a `Primitive`.
    element
        ``(emitter, load, index, operation) -> element of the result``, see `Movement`.
    lift
        See `fronted`.
    batch, jvp
        Rules of their own, for more than one kind of operand.
    """
    record = Primitive(
        name=name,
        infer=infer,
        evaluate=evaluate,
        jvp=jvp or _linear(name),
        linearity="joint",
        transpose=transpose,
        batch=batch or fronted(name, lift),
        axes=axes,
        lowering=Movement(element),
        samples=samples,
        source="definition",
    )
    return primitives.register(record)

"""How kernels compute primitives: families, written once for every back end.

The rules are written over an abstract `Emitter`; LLVM and the C-like device back ends
implement it. ``V`` stands for whatever the emitter uses for a value: an LLVM value (scalar or
vector) or a piece of C text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol, TypeVar

import numpy as np

from ..core.dims import Dim
from ..core.dtypes import DType
from ..ir.program import Operation

__all__ = [
    "RELATIONS", "Contraction", "Elementwise", "Emitter", "Expanded", "Lowering", "Movement",
    "Reduction", "Scatter", "neutral",
]  # fmt: skip

RELATIONS: Mapping[str, str] = MappingProxyType(
    {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
)
"""The relations of `Emitter.compare`, as C and LLVM write them."""

V = TypeVar("V")


class Emitter(Protocol[V]):
    """Scalar (or vector) operations that a kernel back end offers."""

    def constant(self, value: object, dtype: DType) -> V: ...
    def size(self, dim: int | Dim, dtype: DType) -> V: ...
    def neg(self, x: V) -> V: ...
    def add(self, x: V, y: V) -> V: ...
    def sub(self, x: V, y: V) -> V: ...
    def mul(self, x: V, y: V) -> V: ...
    def div(self, x: V, y: V) -> V: ...
    def compare(self, relation: str, x: V, y: V) -> V: ...
    def select(self, condition: V, x: V, y: V) -> V: ...
    def logical(self, name: str, *operands: V) -> V: ...
    def bits(self, name: str, x: V, y: V) -> V: ...
    def convert(self, x: V, source: DType, target: DType) -> V: ...
    def call(self, name: str, *operands: V) -> V: ...


@dataclass(frozen=True)
class Elementwise:
    """One result element from the operand elements at the same index."""

    scalar: Callable[..., object]


@dataclass(frozen=True)
class Movement:
    """One result element from operand elements at computed indices.

    ``element(emitter, load, index, operation)`` where ``load(k, index)`` reads operand ``k``.
    """

    element: Callable[..., object]


@dataclass(frozen=True)
class Reduction:
    """A fold over the axes in attribute ``axes``; ``kind`` is sum, prod, max or min."""

    kind: str


def neutral(kind: str, dtype: DType) -> float | int:
    """Return the value with which a fold starts: it changes no other."""
    if kind in ("sum", "prod"):
        return 0 if kind == "sum" else 1
    if dtype.kind == "f":
        return -np.inf if kind == "max" else np.inf
    limits = np.iinfo(dtype)
    return int(limits.min if kind == "max" else limits.max)


@dataclass(frozen=True)
class Contraction:
    """A batched matrix product."""

    def dimensions(self, operation: Operation) -> Sequence[Sequence[int]]:
        """Return (batch lhs, batch rhs, contract lhs, contract rhs)."""
        contract, batch = operation.attributes["contract"], operation.attributes["batch"]
        return (batch[0], batch[1], contract[0], contract[1])


@dataclass(frozen=True)
class Scatter:
    """Copy of operand 0 with rows of operand 2 added at the indices in operand 1."""


@dataclass(frozen=True)
class Expanded:
    """No kernel: the operations of its body take the place of the operation before."""


Lowering = Elementwise | Movement | Reduction | Contraction | Scatter | Expanded

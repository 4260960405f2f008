"""The eager tape: operations evaluate at once and remember their operands.

A recorded operation keeps its primitive, operands, attributes and numbers, nothing else. Reverse
mode reads the record: the JVP rule of each operation, applied at the known numbers, gives a
program that is linear in the tangents of the inputs, and its transpose carries the cotangents
back. No forward operation is done twice, and there are no rules but those of the primitives. With
`create_graph` the transposed program runs on recorded operands, so its operations are recorded in
turn and gradients nest to any order.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from typing import Any

import numpy as np
import numpy.typing as npt

from ..core.dtypes import Array, is_float
from ..core.tree import flatten, leaf_paths
from ..errors import DifferentiationError, ShapeError, TraceError
from ..ir.builder import Builder
from ..ir.program import Program
from ..ir.types import Attributes, type_of_array
from ..ops.elementwise import add
from ..ops.primitive import (
    Concrete,
    Operand,
    Primitive,
    array_of,
    building,
    current_builder,
    owned,
    type_of,
)
from ..ops.tensor import Tensor, unwrap
from .gradients import check_used, refuse_complex
from .reverse import transpose_program
from .trace import inline, rewrap, unwrap_leaves

__all__ = ["Recorded", "gradients", "no_grad", "tensor"]

_recording: ContextVar[bool] = ContextVar("recording", default=True)
_serial = itertools.count()


class Recorded(Concrete):
    """An array, and the operation on other operands that gave it.

    Attributes
    ----------
    primitive
        The operation; None for a leaf.
    operands, attributes
        What it was applied to.
    serial
        Grows with time, so that operands come before results.
    """

    __slots__ = ("__weakref__", "attributes", "operands", "primitive", "serial", "type")

    def __init__(
        self,
        array: Array,
        requires_grad: bool = False,
        primitive: Primitive | None = None,
        operands: Sequence[Operand] = (),
        attributes: Attributes | None = None,
    ) -> None:
        self.array = array.view()
        self.array.flags.writeable = False
        self.type = type_of_array(array)
        self.requires_grad = requires_grad
        self.grad: Concrete | None = None
        self.primitive = primitive
        self.operands = tuple(operands)
        self.attributes: Attributes = attributes or {}
        self.serial = next(_serial)

    @property
    def is_leaf(self) -> bool:
        """Whether it was given, and not computed by a recorded operation."""
        return self.primitive is None

    def interpret(
        self, primitive: Primitive, operands: Sequence[Operand], attributes: Attributes
    ) -> Operand:
        result = primitive.infer([type_of(o) for o in operands], attributes)
        array = np.asarray(primitive.evaluate([array_of(o) for o in operands], attributes))
        if (
            _recording.get()
            and any(isinstance(o, Recorded) and o.requires_grad for o in operands)
            and is_float(result.dtype)
            and primitive.linearity != "constant"
        ):
            kept = [o if isinstance(o, Recorded) else _frozen(array_of(o)) for o in operands]
            return Recorded(array, True, primitive, kept, attributes)
        return Recorded(array)

    def detach(self) -> Recorded:
        return Recorded(self.array)

    def require_grad(self, wanted: bool) -> None:
        if not self.is_leaf:
            raise DifferentiationError(
                "requires_grad_: only a leaf can change; this tensor was computed by "
                f"{self.primitive.name if self.primitive else ''}, use .detach() first"
            )
        if wanted and not is_float(self.type.dtype):
            raise DifferentiationError(f"gradients need a floating type, this is {self.type}")
        self.requires_grad = wanted

    def backward(self, gradient: Operand | None) -> None:
        seeds = _seeds([self], None if gradient is None else [gradient])
        leaves = [n for n in _history([self], ()) if n.is_leaf]
        with no_grad():
            results = _Linearized([self], leaves).pull(seeds)
            for leaf, result in zip(leaves, results, strict=True):
                total = result if leaf.grad is None else add(leaf.grad, result)
                leaf.grad = Recorded(_frozen(array_of(total)))


def _frozen(array: Array) -> Array:
    """Return numbers that nobody can change before they are used: a later `+=` must not matter."""
    owner = array.base if isinstance(array.base, np.ndarray) else array
    return array.copy() if array.flags.writeable or owner.flags.writeable else array


@contextmanager
def no_grad() -> Iterator[None]:
    """Evaluate without recording; results do not require gradients.

    Examples
    --------
    >>> w = tensor(2.0, requires_grad=True)
    >>> with no_grad():
    ...     w = (w - 0.5).requires_grad_()
    >>> w
    tensor(1.5, requires_grad=True)
    """
    token = _recording.set(False)
    try:
        yield
    finally:
        _recording.reset(token)


def recorded(operands: Sequence[Operand]) -> bool:
    """Return whether an operation on these operands would be recorded."""
    return _recording.get() and any(isinstance(o, Recorded) and o.requires_grad for o in operands)


def tensor(
    numbers: npt.ArrayLike, dtype: npt.DTypeLike | None = None, requires_grad: bool = False
) -> Tensor:
    """Return a tensor whose operations are evaluated at once and recorded.

    Every function and transform of the framework takes it where it takes an array: `derivatives`
    of a field with recorded parameters is recorded, `grad` at a recorded tensor too.

    Parameters
    ----------
    numbers
        Array, number or nested sequence; it is copied.
    dtype
        Element type; by default that of the numbers.
    requires_grad
        Whether gradients with respect to this tensor will be asked for.

    Raises
    ------
    DifferentiationError
        If gradients are asked for and the elements are not floating point.

    Examples
    --------
    >>> import sciml.framework as sf
    >>> x = sf.tensor([0.0, 1.0], requires_grad=True)
    >>> y = (x * sf.exp(x)).sum()
    >>> y.backward()
    >>> x.grad.numpy() - np.array([1.0, 2 * np.e])
    array([0., 0.])
    """
    leaf = Recorded(np.array(numbers, dtype=dtype))
    leaf.require_grad(requires_grad)
    return Tensor(leaf)


def gradients(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    create_graph: bool = False,
    allow_unused: bool = False,
) -> Any:
    """Return the gradients of recorded outputs with respect to the tensors they came from.

    For outputs y_k, their seeds v_k and each input x it returns sum_k v_k . dy_k/dx. (`grad` is
    the transform of functions; this one reads what was recorded.)

    Parameters
    ----------
    outputs
        A recorded tensor, or a container of several.
    inputs
        A tensor or nested container of tensors, leaves or intermediate results.
    grad_outputs
        Seeds in the container of the outputs; may be left out where all outputs are scalars.
    create_graph
        Record the computation of the gradients, so that they can be differentiated again.
    allow_unused
        Accept inputs that no output was computed from; their gradient is zero.

    Returns
    -------
    Tensor or container
        Gradients in the container of the inputs. Nothing recorded is freed.

    Raises
    ------
    DifferentiationError
        If an output was not recorded or is not a scalar and has no seed, or if the outputs do not
        depend on the inputs.
    TraceError
        Inside a traced function, where `grad` is meant.

    Examples
    --------
    >>> x = tensor(2.0, requires_grad=True)
    >>> (first,) = gradients(x**5, [x], create_graph=True)
    >>> first, gradients(first, x)
    (tensor(80., requires_grad=True), tensor(160.))
    """
    roots, root_structure = unwrap_leaves(outputs)
    sources, structure = unwrap_leaves(inputs)
    refuse_complex(root_structure, "the output")
    ends = [_checked(r, "output") for r in roots]
    starts = [_checked(s, "input") for s in sources]
    seeds = None
    if grad_outputs is not None:
        leaves, given = flatten(grad_outputs)
        if given != root_structure:
            raise ShapeError("grad_outputs must have the container of the outputs")
        seeds = [unwrap(s, e.type.dtype) for s, e in zip(leaves, ends, strict=True)]
    checked_seeds = _seeds(ends, seeds)
    with nullcontext() if create_graph else no_grad():
        linearized = _Linearized(ends, list(dict.fromkeys(starts)))
        if not allow_unused:
            linearized.check_used(starts, leaf_paths(structure))
        found = dict(zip(linearized.inputs, linearized.pull(checked_seeds), strict=True))
    # a seed may come back as it is, and must not bring its record or be changed from outside
    results = [
        r if create_graph and isinstance(r, Recorded) else Recorded(_frozen(array_of(r)))
        for r in (found[s] for s in starts)
    ]
    return rewrap(structure, results)


def _checked(operand: Operand, word: str) -> Recorded:
    if current_builder() is not None:
        raise TraceError("gradients of recorded tensors inside a traced function; use grad there")
    if isinstance(operand, Recorded) and operand.requires_grad:
        return operand
    raise DifferentiationError(
        f"the {word} {type_of(operand)} does not require gradients: it must be, or be computed "
        "from, a tensor(..., requires_grad=True), outside no_grad"
    )


def _seeds(ends: Sequence[Recorded], given: Sequence[Operand] | None) -> list[Operand]:
    for end in ends:
        _checked(end, "output")
        if given is None and end.type.shape != ():
            raise DifferentiationError(
                f"the gradient of an output {end.type} that is not a scalar needs a vector of "
                "this shape; pass it, or use .mean() or .sum()"
            )
    if given is None:
        return [np.ones((), end.type.dtype) for end in ends]
    for end, seed in zip(ends, given, strict=True):
        if type_of(seed) != end.type:
            raise ShapeError(f"the gradient of an output must be {end.type}, got {type_of(seed)}")
    return list(given)


def _history(ends: Sequence[Recorded], starts: Sequence[Recorded]) -> list[Recorded]:
    """Return what the ends were computed from, operands first, not looking behind the starts."""
    seen = set(ends)
    waiting = list(ends)
    behind = set(starts)
    while waiting:
        node = waiting.pop()
        if node in behind:
            continue
        for operand in node.operands:
            if isinstance(operand, Recorded) and operand.requires_grad and operand not in seen:
                seen.add(operand)
                waiting.append(operand)
    return sorted(seen, key=lambda n: n.serial)


class _Linearized:
    """The linear program from tangents of the inputs to those of the outputs, at known numbers."""

    def __init__(self, outputs: Sequence[Recorded], inputs: Sequence[Recorded]) -> None:
        self.inputs = inputs
        builder = Builder([i.type for i in inputs])
        tangents: dict[Operand, Operand] = dict(zip(inputs, builder.block.arguments, strict=True))
        fixed = set(inputs)
        with building(builder):
            for node in _history(outputs, inputs):
                if node.primitive is None or node in fixed:
                    continue
                moving = [
                    tangents.get(o) if isinstance(o, Recorded) else None for o in node.operands
                ]
                if all(t is None for t in moving):
                    continue
                moved = node.primitive.jvp(node, node.operands, moving, node.attributes)
                if moved is not None:
                    tangents[node] = moved
            self.moved = [k for k, o in enumerate(outputs) if o in tangents]
            ends = [owned(builder, tangents[outputs[k]]) for k in self.moved]
        self.captured: list[Any] = [source for source, _ in builder.captures.values()]
        self.program: Program = builder.finish("the recorded computation", ends)

    def check_used(self, starts: Sequence[Recorded], paths: Sequence[str]) -> None:
        """Refuse inputs that no output depends on."""
        position: Mapping[Recorded, int] = {i: k for k, i in enumerate(self.inputs)}
        names = ["the input" if path == "value" else f"input {path}" for path in paths]
        check_used(self.program, [position[s] for s in starts], names)

    def pull(self, seeds: Sequence[Operand]) -> list[Operand]:
        """Return the cotangents of the inputs from those of the outputs."""
        transposed = transpose_program(self.program, range(len(self.inputs)))
        return inline(transposed, [*self.captured, *(seeds[k] for k in self.moved)])

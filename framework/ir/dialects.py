"""Rules of the operations that passes make: ``loop.tile``, ``loop.fused``, ``kernel.product``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from ..core.dims import Dim, Shape, dim_names
from ..errors import VerifyError
from .program import Block, Operation, Value, substitute_sizes
from .types import Attribute, TensorType

__all__ = ["FOLDS", "OPERATION_RULES"]

FOLDS = ("store", "sum", "prod", "max", "min")


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise VerifyError(message)


def _text(operation: Operation, key: str) -> str:
    value = operation.attributes.get(key)
    _require(isinstance(value, str), f"attribute {key} must be a string, got {value!r}")
    return str(value)


def _row(operation: Operation, key: str, count: int, per: str) -> tuple[Attribute, ...]:
    """Return an attribute that has one entry per operand or result."""
    value = operation.attributes.get(key)
    if not isinstance(value, tuple):
        raise VerifyError(f"attribute {key} must be a tuple, got {value!r}")
    _require(
        len(value) == count,
        f"attribute {key} needs one entry per {per}: expected {count}, got {len(value)}",
    )
    return value


def _integers(value: Attribute, key: str) -> tuple[int, ...]:
    if not isinstance(value, tuple) or not all(type(v) is int for v in value):
        raise VerifyError(f"attribute {key} must hold integers, got {value!r}")
    return tuple(v for v in value if isinstance(v, int))


def _region(operation: Operation) -> Block:
    _require(len(operation.regions) == 1, f"expected one region, got {len(operation.regions)}")
    return operation.regions[0].block


# --- loop.tile ------------------------------------------------------------------------------


def _tile(operation: Operation) -> None:
    """Operands are cut along their axis; outputs are stored side by side or folded."""
    size, tile = _text(operation, "size"), _text(operation, "tile")
    operands, results = operation.operands, operation.results
    cut_operands = _integers(
        _row(operation, "operand_axes", len(operands), "operand"), "operand_axes"
    )
    cut_results = _integers(_row(operation, "result_axes", len(results), "result"), "result_axes")
    folds = _row(operation, "folds", len(results), "result")
    counts = _integers(_row(operation, "counts", len(results), "result"), "counts")
    for fold in folds:
        _require(fold in FOLDS, f"fold {fold!r} is not one of {', '.join(FOLDS)}")
    for index, (fold, axis, count) in enumerate(zip(folds, cut_results, counts, strict=True)):
        _folded(index, str(fold), axis, count)
    block = _region(operation)
    _require(
        len(block.arguments) == len(operands),
        f"the region has {len(block.arguments)} arguments for {len(operands)} operands",
    )
    for index, (value, axis) in enumerate(zip(operands, cut_operands, strict=True)):
        expected = _cut(value.type, axis, size, tile, f"operand {index}")
        got = block.arguments[index].type
        _require(
            got == expected,
            f"argument {index} must be {expected}, the tile of {value.type}, got {got}",
        )
    _require(
        len(block.outputs) == sum(counts),
        f"counts {counts} ask for {sum(counts)} outputs of the region, got {len(block.outputs)}",
    )
    start = 0
    for index, (result, axis) in enumerate(zip(results, cut_results, strict=True)):
        fold, count = folds[index], counts[index]
        expected = _cut(result.type, axis, size, tile, f"result {index}")
        for value in block.outputs[start : start + count]:
            _require(
                value.type == expected,
                f"result {index} ({fold}) needs outputs of type {expected}, got {value.type}",
            )
        start += count


def _folded(index: int, fold: str, axis: int, count: int) -> None:
    _require(
        (axis >= 0) == (fold == "store"),
        f"result {index} is folded by {fold} but cut along axis {axis}; "
        "a store is cut along an axis, a fold is not (-1)",
    )
    _require(
        count >= 1 and (count == 1 or fold == "sum"),
        f"result {index} takes {count} outputs; a sum takes one or more, {fold} one",
    )


def _cut(type: TensorType, axis: int, size: str, tile: str, what: str) -> TensorType:
    """Return the type of one tile of a value that is cut along an axis (-1: not at all)."""
    if axis == -1:
        _require(
            size not in dim_names(type.shape), f"{what} of type {type} has size {size} but no axis"
        )
        return type
    _require(
        0 <= axis < type.rank and type.shape[axis] == Dim.named(size),
        f"{what} of type {type} cannot be cut along axis {axis}: its size is not {size}",
    )
    shape = substitute_sizes(type.shape, {size: Dim.named(tile)})
    assert isinstance(shape, tuple)
    return TensorType(tuple(s for s in shape if isinstance(s, int | Dim)), type.dtype)


# --- loop.fused -----------------------------------------------------------------------------


def _fused(operation: Operation) -> None:
    """Scalar work at every point of an index space; leading axes of a result may be summed."""
    space = operation.attributes.get("space")
    if not isinstance(space, tuple):
        raise VerifyError(f"attribute space must be a shape, got {space!r}")
    shape: Shape = tuple(s for s in space if isinstance(s, int | Dim))
    maps = _row(operation, "maps", len(operation.operands), "operand")
    kept = _row(operation, "kept", len(operation.results), "result")
    block = _region(operation)
    _scalars("arguments", block.arguments, operation.operands, "operand")
    _scalars("outputs", block.outputs, operation.results, "result")
    for index, (value, row) in enumerate(zip(operation.operands, maps, strict=True)):
        axes = _integers(row, "maps")
        fits = len(axes) == value.type.rank and all(
            (axis == -1 and extent == 1) or (0 <= axis < len(shape) and shape[axis] == extent)
            for axis, extent in zip(axes, value.type.shape, strict=False)
        )
        _require(
            fits, f"operand {index} of type {value.type} does not walk with axes {axes} of {space}"
        )
    for index, (value, row) in enumerate(zip(operation.results, kept, strict=True)):
        axes = _integers(row, "kept")
        _require(
            axes == tuple(range(len(shape) - len(axes), len(shape))),
            f"result {index} keeps axes {axes} of {space}; only leading axes may be summed",
        )
        expected = TensorType(tuple(shape[a] for a in axes), value.type.dtype)
        _require(value.type == expected, f"result {index} must be {expected}, got {value.type}")
    for inner in block.operations:
        for value in inner.results:
            _require(
                value.type.rank == 0, f"{inner.name} in the region gives {value.type}, not a scalar"
            )


def _scalars(what: str, inside: Sequence[Value], outside: Sequence[Value], per: str) -> None:
    got = [v.type for v in inside]
    expected = [TensorType((), v.type.dtype) for v in outside]
    if got != expected:
        raise VerifyError(
            f"the {what} of the region must be one scalar per {per}: "
            f"expected ({_listed(expected)}), got ({_listed(got)})"
        )


def _listed(types: Sequence[TensorType]) -> str:
    return ", ".join(map(str, types))


# --- kernel.product -------------------------------------------------------------------------


def _product(operation: Operation) -> None:
    """A stack of left operands with one right operand, or a sum of products of pairs."""
    form, count = _text(operation, "form"), operation.attributes.get("count")
    _require(form in ("stacked", "summed"), f"form must be stacked or summed, got {form!r}")
    if type(count) is not int or count < 1:
        raise VerifyError(f"attribute count must be a positive integer, got {count!r}")
    for key in ("contract", "batch"):
        value = operation.attributes.get(key)
        pair = isinstance(value, tuple) and len(value) == 2
        _require(pair, f"attribute {key} must be two tuples of axes, got {value!r}")
    operands, results = (count + 1, count) if form == "stacked" else (2 * count, 1)
    _require(
        (len(operation.operands), len(operation.results)) == (operands, results),
        f"a {form} product of {count} has {operands} operands and {results} results, "
        f"got {len(operation.operands)} and {len(operation.results)}",
    )
    if form == "stacked":
        lefts = [v.type for v in operation.operands[:count]]
        _require(
            len(set(lefts)) == 1, f"stacked left operands must have one type, got {_listed(lefts)}"
        )


OPERATION_RULES: Mapping[str, Callable[[Operation], None]] = MappingProxyType(
    {"loop.tile": _tile, "loop.fused": _fused, "kernel.product": _product}
)

"""Which axes of the arguments are batches: they get a symbolic size, and one of them is tiled.

A batch is recognised by where its size occurs. Shapes alone cannot always tell a batch from a
layer width, so what they suggest is tried first and corrected by what the traced program does:
where two symbolic sizes meet in one value, as functions and points do in an operator network,
a loop over tiles of one of them leaves the other whole, and its number must be known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ..core.dims import Dim, dim_names, evaluate_dim
from ..core.tree import Structure
from ..ir.program import Program
from ..ir.types import TensorType

__all__ = ["met_sizes", "symbolic_types"]

# A leading axis shorter than this is taken as part of the mathematics, not as a batch.
_SMALLEST_BATCH = 8


def symbolic_types(
    structure: Structure, types: Sequence[TensorType]
) -> Iterator[tuple[TensorType, ...]]:
    """Yield the types of arguments with symbolic batch sizes, the most daring guess first.

    A leading axis is a batch if its size is at least 8 and does not occur as another axis of any
    argument (there it would be a layer width). The first guess also takes as a batch what leads
    one array and is the second batch of another, such as the points of values of shape
    (functions, points): both must be arguments of their own, not in a container as weights are.
    The last guess leaves out what only leads vectors.
    Axes of equal size share one name.

    Parameters
    ----------
    structure
        The container of all arguments, a tuple.
    types
        The types of their leaves.
    """
    direct = [child.kind is None for child in structure.children for _ in range(child.leaf_count)]
    inner = {s for t in types for s in t.shape[1:]}
    leading = [t.shape[0] for t in types if t.shape]
    batches = [s for s in dict.fromkeys(leading) if s not in inner and _long(s)]
    second = _second_batches(types, direct, batches)
    if second:
        yield _named(types, [s for s in dict.fromkeys(leading) if s in second or s in batches])
    if batches:
        yield _named(types, batches)
    if len(batches) > 1:
        # a vector may be no batch, but all parameters in one array, which is cut into pieces
        fewer = [s for s in batches if any(t.rank > 1 and t.shape[0] == s for t in types)]
        if 0 < len(fewer) < len(batches):
            yield _named(types, fewer)


def _long(size: int | Dim) -> bool:
    return isinstance(size, int) and size >= _SMALLEST_BATCH


def _second_batches(
    types: Sequence[TensorType], direct: Sequence[bool], batches: Sequence[int | Dim]
) -> set[int | Dim]:
    """Return sizes that lead one argument and are an inner axis of batched arguments only."""
    found = {t.shape[0] for t, own in zip(types, direct, strict=True) if own and t.shape}
    found = {s for s in found if _long(s) and s not in batches}
    for type, own in zip(types, direct, strict=True):
        for size in type.shape[1:]:
            once = type.shape.count(size) == 1
            if not (own and once and type.shape[0] in batches):
                found.discard(size)
    return found


def _named(types: Sequence[TensorType], sizes: Sequence[int | Dim]) -> tuple[TensorType, ...]:
    names = {size: Dim.named("N" if k == 0 else f"N{k + 1}") for k, size in enumerate(sizes)}
    return tuple(TensorType(tuple(names.get(s, s) for s in t.shape), t.dtype) for t in types)


def met_sizes(program: Program, sizes: Mapping[str, int]) -> dict[str, int]:
    """Return the sizes whose numbers must be known, since a larger batch meets them in a value.

    Of symbolic sizes that meet, the one stays symbolic along which most elements lie.

    Parameters
    ----------
    program
        A traced program.
    sizes
        The number of every symbolic size.
    """
    if len(sizes) < 2:
        return {}
    elements: Counter[str] = Counter(dict.fromkeys(sizes, 0))
    meetings = set()
    values = [*program.inputs, *(r for o in program.operations for r in o.results)]
    for value in values:
        names = dim_names(value.type.shape)
        if len(names) > 1:
            meetings.add(names)
        count = 1
        for size in value.type.shape:
            count *= int(evaluate_dim(size, sizes))
        elements.update(dict.fromkeys(names, count))
    kept: list[str] = []
    for name, _ in elements.most_common():
        if not any({name, other} <= names for names in meetings for other in kept):
            kept.append(name)
    return {name: number for name, number in sizes.items() if name not in kept}

"""Sums of products by the summation convention, over `dot_general`, transpose and sum."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Sequence
from typing import Any

from ..core.dims import Dim
from ..core.dtypes import is_float
from ..errors import DtypeError, ShapeError
from ..ops.contraction import dot_general
from ..ops.primitive import Operand, type_of
from ..ops.reduction import reduce_sum
from ..ops.tensor import ArrayLike, unwrap, wrap
from ..ops.transpose import transpose

__all__ = ["einsum"]


def einsum(subscripts: str, *operands: ArrayLike) -> Any:
    """Sum of products of arrays by the summation convention.

    Parameters
    ----------
    subscripts
        One letter per axis: ``"ij,jk->ik"``. A letter that is missing on the right is summed over;
        without an arrow the right side holds, in alphabetical order, the letters that occur once.
    *operands
        Two or more arrays of one floating type, multiplied from left to right.

    Raises
    ------
    ShapeError
        If letters and axes do not match, or one letter stands for two sizes or twice in one
        operand (a diagonal), which is not supported.

    Examples
    --------
    >>> einsum("ij,j->i", np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 10.0]))
    array([21., 43.])
    """
    values = [unwrap(o) for o in operands]
    inputs, output = _letters(subscripts, values)
    _check_sizes(subscripts, inputs, values)
    letters, result = inputs[0], values[0]
    for position, value in enumerate(values[1:], 1):
        later = {*output, *"".join(inputs[position + 1 :])}
        letters, result = _pair(letters, result, inputs[position], value, later)
    order = tuple(letters.index(c) for c in output)
    return wrap(
        result if order == tuple(range(len(order))) else transpose(result, permutation=order)
    )


def _letters(subscripts: str, operands: Sequence[Operand]) -> tuple[list[str], str]:
    """Return the letters of each operand and of the result."""
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    inputs = left.split(",")
    foreign = sorted({*left, *right} - {*string.ascii_letters, ","})
    if foreign:
        raise ShapeError(f"einsum: {foreign[0]!r} in {subscripts!r} is no letter for an axis")
    if len(operands) < 2:
        raise ShapeError(
            f"einsum: two or more operands are needed, got {len(operands)}; "
            "use sum and transpose for one array"
        )
    if len(inputs) != len(operands):
        raise ShapeError(
            f"einsum: {subscripts!r} describes {len(inputs)} operands, got {len(operands)}"
        )
    counts = Counter(left.replace(",", ""))
    output = right if arrow else "".join(sorted(c for c, n in counts.items() if n == 1))
    for word in (*inputs, output):
        doubled = [c for c, n in Counter(word).items() if n > 1]
        if doubled:
            raise ShapeError(f"einsum: {doubled[0]!r} stands twice in {word!r} of {subscripts!r}")
    unknown = [c for c in output if c not in counts]
    if unknown:
        raise ShapeError(f"einsum: {unknown[0]!r} of the result of {subscripts!r} is in no operand")
    return inputs, output


def _check_sizes(subscripts: str, inputs: Sequence[str], operands: Sequence[Operand]) -> None:
    sizes: dict[str, int | Dim] = {}
    types = [type_of(o) for o in operands]
    for position, (letters, type) in enumerate(zip(inputs, types, strict=True)):
        if len(letters) != type.rank:
            raise ShapeError(
                f"einsum: operand {position} is {type}, but {letters!r} of {subscripts!r} "
                f"names {len(letters)} axes"
            )
        if not is_float(type.dtype) or type.dtype != types[0].dtype:
            raise DtypeError(
                "einsum: operands must be of one floating type, got "
                f"{', '.join(map(str, types))}; convert them first"
            )
        for letter, size in zip(letters, type.shape, strict=True):
            if sizes.setdefault(letter, size) != size:
                raise ShapeError(
                    f"einsum: {letter!r} of {subscripts!r} stands for the sizes "
                    f"{sizes[letter]} and {size}"
                )


def _pair(a: str, x: Operand, b: str, y: Operand, later: set[str]) -> tuple[str, Operand]:
    """Multiply two operands and sum over the letters that nothing later needs."""
    a, x = _summed(a, x, {*b, *later})
    b, y = _summed(b, y, {*a, *later})
    shared = [c for c in a if c in b]
    contract, batch = ([c for c in shared if (c in later) == kept] for kept in (False, True))
    result = dot_general(
        x, y,
        contract=(tuple(map(a.index, contract)), tuple(map(b.index, contract))),
        batch=(tuple(map(a.index, batch)), tuple(map(b.index, batch))),
    )  # fmt: skip
    free = [c for c in (*a, *b) if c not in shared]
    return "".join([*batch, *free]), result


def _summed(letters: str, x: Operand, needed: set[str]) -> tuple[str, Operand]:
    """Sum over the axes whose letters nothing else has."""
    axes = tuple(i for i, c in enumerate(letters) if c not in needed)
    if not axes:
        return letters, x
    return "".join(c for c in letters if c in needed), reduce_sum(x, axes=axes)

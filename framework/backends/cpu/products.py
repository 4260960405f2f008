"""Matrix products: BLAS calls through pointers, plain loops for layouts BLAS does not know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from ...core.dims import Dim, Shape, product
from ...core.dtypes import DType
from ...ir.types import Attributes
from ...ops.contraction import free_axes
from .emitter import I8, I32, I64, LlvmEmitter, element_type
from .loops import SizeOf, Target, count_loop, flat_index, nest

__all__ = ["BLAS_FUNCTIONS", "ProductLayout", "emit_product", "product_layout"]

BLAS_FUNCTIONS = ("dgemm", "sgemm")


@dataclass(frozen=True)
class ProductLayout:
    """A product as matrices: (m, k) times (k, n), each possibly stored transposed.

    `m`, `n` and `k` are sizes of axis groups; None where the layout is not a plain product.
    """

    batch: Shape
    m: Shape
    n: Shape
    k: Shape
    transpose_left: bool
    transpose_right: bool


def product_layout(left: Shape, right: Shape, attributes: Attributes) -> ProductLayout | None:
    """Return the layout of a `dot_general` as a matrix product, or None if it is not one."""
    (lc, rc), (lb, rb) = attributes["contract"], attributes["batch"]
    lc, rc, lb, rb = (tuple(t) for t in (lc, rc, lb, rb))
    leading = tuple(range(len(lb)))
    if lb != leading or rb != leading:
        return None
    lf, rf = free_axes(len(left), lc, lb), free_axes(len(right), rc, rb)
    left_order = tuple(range(len(lb), len(left)))
    right_order = tuple(range(len(rb), len(right)))
    if (*lf, *lc) == left_order:
        transpose_left = False
    elif (*lc, *lf) == left_order:
        transpose_left = True
    else:
        return None
    if (*rc, *rf) == right_order:
        transpose_right = False
    elif (*rf, *rc) == right_order:
        transpose_right = True
    else:
        return None

    def sizes(shape: Shape, axes: Sequence[int]) -> Shape:
        return tuple(shape[a] for a in axes)

    return ProductLayout(
        sizes(left, lb), sizes(left, lf), sizes(right, rf), sizes(left, lc),
        transpose_left, transpose_right,
    )  # fmt: skip


def emit_product(
    builder: Any,
    attributes: Attributes,
    left: Target,
    right: Target,
    result: Target,
    size_of: SizeOf,
    library: Any,
    *,
    members: int = 1,
    form: str = "stacked",
    accumulate: bool = False,
) -> None:
    """Emit ``result = left right`` for `members` consecutive left operands.

    ``stacked``: results are consecutive too and the right operand is shared, so the left rows
    are simply more rows. ``summed``: right operands are consecutive and the products are added,
    so the contracted axis is simply longer. `library` is a pointer to the BLAS pointers.
    """
    layout = product_layout(left.shape, right.shape, attributes)
    if layout is None or not _longer(layout, form, members):
        assert members == 1
        _emit_loops(builder, attributes, left, right, result, size_of, accumulate)
        return
    m, n, k = (_count(builder, s, size_of) for s in (layout.m, layout.n, layout.k))
    if form == "stacked":
        m = builder.mul(m, ir.Constant(m.type, members))
    else:
        k = builder.mul(k, ir.Constant(k.type, members))
    if not layout.batch:
        _gemm(builder, layout, left, right, result, (m, n, k), library, accumulate)
        return
    with count_loop(builder, m.type(0), _count(builder, layout.batch, size_of)) as b:
        x, y, z = (
            _shift(builder, t, builder.mul(b, builder.mul(rows, columns)))
            for t, rows, columns in ((left, m, k), (right, k, n), (result, m, n))
        )
        _gemm(builder, layout, x, y, z, (m, n, k), library, accumulate)


def can_join(left: Shape, right: Shape, attributes: Attributes, form: str) -> bool:
    """Return whether consecutive members can be one library call."""
    layout = product_layout(left, right, attributes)
    return layout is not None and _longer(layout, form, 2)


def _longer(layout: ProductLayout, form: str, members: int) -> bool:
    if members == 1:
        return True
    if layout.batch:
        return False
    if form == "stacked":
        return not layout.transpose_left
    return layout.transpose_left and not layout.transpose_right


def _count(builder: Any, shape: Shape, size_of: SizeOf) -> Any:
    total: Any = size_of(1)
    fixed: int | Dim = product(s for s in shape if not isinstance(s, Dim))
    total = size_of(fixed)
    for size in shape:
        if isinstance(size, Dim):
            total = builder.mul(total, size_of(size))
    return total


def _shift(builder: Any, target: Target, elements: Any) -> Target:
    typed = target.address(builder, elements)
    return Target(builder.bitcast(typed, I8.as_pointer()), target.shape, target.dtype)


def _gemm(
    builder: Any,
    layout: ProductLayout,
    left: Target,
    right: Target,
    result: Target,
    sizes: tuple[Any, Any, Any],
    library: Any,
    accumulate: bool,
) -> None:
    """Row-major C = A B as BLAS sees it: column-major C^T = B^T A^T."""
    m, n, k = sizes
    dtype: DType = result.dtype
    element = element_type(dtype)
    integer, number, letter = I32.as_pointer(), element.as_pointer(), I8.as_pointer()
    type = ir.FunctionType(
        ir.VoidType(),
        [letter, letter, integer, integer, integer, number, number, integer, number, integer,
         number, number, integer],
    )  # fmt: skip
    slot = BLAS_FUNCTIONS.index("dgemm" if dtype.itemsize == 8 else "sgemm")
    raw = builder.load(builder.gep(library, [I32(slot)]))
    function = builder.bitcast(raw, type.as_pointer())

    def boxed(value: Any, kind: Any) -> Any:
        with builder.goto_entry_block():
            box = builder.alloca(kind)
        builder.store(value, box)
        return box

    def whole(value: Any) -> Any:
        return boxed(builder.trunc(value, I32), I32)

    flag_left = boxed(I8(ord("T" if layout.transpose_left else "N")), I8)
    flag_right = boxed(I8(ord("T" if layout.transpose_right else "N")), I8)

    def lead(columns: Any) -> Any:
        # BLAS refuses a leading dimension of zero, even of an empty matrix
        return builder.select(builder.icmp_signed("<", columns, I64(1)), I64(1), columns)

    lead_left = lead(m if layout.transpose_left else k)
    lead_right = lead(k if layout.transpose_right else n)
    one = boxed(element(1.0), element)
    beta = boxed(element(1.0 if accumulate else 0.0), element)
    a, b, c = (builder.bitcast(t.pointer, number) for t in (left, right, result))
    builder.call(
        function,
        [flag_right, flag_left, whole(n), whole(m), whole(k), one, b, whole(lead_right), a,
         whole(lead_left), beta, c, whole(lead(n))],
    )  # fmt: skip


def _emit_loops(
    builder: Any,
    attributes: Attributes,
    left: Target,
    right: Target,
    result: Target,
    size_of: SizeOf,
    accumulate: bool,
) -> None:
    """Plain loops for any `dot_general`."""
    (lc, rc), (lb, rb) = attributes["contract"], attributes["batch"]
    lf = free_axes(len(left.shape), lc, lb)
    rf = free_axes(len(right.shape), rc, rb)
    emitter = LlvmEmitter(builder, 1, size_of)
    with builder.goto_entry_block():
        slot = builder.alloca(element_type(result.dtype))

    def outer(index: list[Any]) -> None:
        at = flat_index(builder, index, result.shape, size_of)
        start = result.load(emitter, at) if accumulate else emitter.constant(0, result.dtype)
        builder.store(start, slot)
        batch = index[: len(lb)]
        left_free = index[len(lb) : len(lb) + len(lf)]
        right_free = index[len(lb) + len(lf) :]

        def inner(folded: list[Any]) -> None:
            l = dict(zip((*lb, *lf, *lc), (*batch, *left_free, *folded), strict=True))
            r = dict(zip((*rb, *rf, *rc), (*batch, *right_free, *folded), strict=True))
            x = left.load(emitter, flat_index(
                builder, [l[i] for i in range(len(l))], left.shape, size_of))  # fmt: skip
            y = right.load(emitter, flat_index(
                builder, [r[i] for i in range(len(r))], right.shape, size_of))  # fmt: skip
            builder.store(emitter.add(builder.load(slot), emitter.mul(x, y)), slot)

        nest(builder, tuple(left.shape[a] for a in lc), size_of, inner)
        result.store(emitter, at, builder.load(slot))

    nest(builder, result.shape, size_of, outer)

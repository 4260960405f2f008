"""Taylor series of one variable through a function, with the meaning of JAX's `jet`."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from ..errors import ShapeError
from ..ops.elementwise import filled, scaled
from ..ops.primitive import Operand, type_of
from ..ops.tensor import wrap
from .taylor import MultiIndex, Series, TaylorContext
from .trace import inline, rewrap, trace_call, unwrap_leaves

__all__ = ["jet"]

Function = Callable[..., Any]


def jet(
    function: Function, primals: Sequence[object], series: Sequence[Sequence[object]]
) -> tuple[Any, Any]:
    """Propagate Taylor series of one variable: the meaning and arguments of JAX's ``jet``.

    With x(t) = primal + sum over k of series[k-1] t^k / k!, return f(x(0)) and the derivatives
    d^k f(x(t)) / dt^k at t = 0. Terms are derivatives, not normalised coefficients.

    Parameters
    ----------
    primals
        One array per argument.
    series
        For each argument the derivatives of order 1 to K, all of the shape of the argument.

    Examples
    --------
    >>> import sciml.framework as sf
    >>> one, zero = np.array(1.0), np.array(0.0)
    >>> jet(sf.sin, (zero,), ((one, zero, zero),))
    (array(0.), [array(1.), array(0.), array(-1.)])
    """
    traced, operands = trace_call(function, primals)
    if len(series) != len(primals):
        raise ShapeError(f"jet: {len(primals)} primals, but {len(series)} series")
    orders = {len(s) for s in series}
    if len(orders) != 1:
        raise ShapeError(f"jet: all series must have one length, got {sorted(orders)}")
    order = orders.pop()
    context = TaylorContext(1)
    inputs: list[Operand] = []
    for operand, terms in zip(operands, series, strict=False):
        coefficients: dict[MultiIndex, Operand] = {}
        for k, term in enumerate(terms, 1):
            (value,), _ = unwrap_leaves(term)
            if type_of(value) != type_of(operand):
                raise ShapeError(
                    f"jet: series terms must be {type_of(operand)}, got {type_of(value)}"
                )
            coefficients[(k,)] = scaled(value, 1.0 / math.factorial(k))
        inputs.append(context.input(operand, coefficients))
    results = inline(traced.program, [*inputs, *traced.captured])
    values: list[Operand] = []
    terms_out: list[list[Operand]] = []
    for result in results:
        base = result.coefficient((0,)) if isinstance(result, Series) else result
        assert base is not None
        values.append(base)
        terms_out.append([_term(result, base, k) for k in range(1, order + 1)])
    out = [[wrap(t) for t in terms] for terms in terms_out]
    if traced.structure.kind is None:
        return wrap(values[0]), out[0]
    return rewrap(traced.structure, values), out


def _term(result: Operand, base: Operand, k: int) -> Operand:
    part = result.coefficient((k,)) if isinstance(result, Series) else None
    return filled(0.0, base) if part is None else scaled(part, float(math.factorial(k)))

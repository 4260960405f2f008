"""The functions by name, their stated error bounds, and how one is put into a module."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from llvmlite import ir

from sciml.framework.errors import LoweringError

from . import (
    error_function,
    exponential,
    hyperbolic,
    inverse_trigonometric,
    logarithm,
    power,
    roots,
    trigonometric,
)
from .formats import format_of, type_suffix
from .lanes import Lanes


@dataclass(frozen=True)
class VectorFunction:
    """One function.

    Parameters
    ----------
    name
        The name `emit` takes.
    body
        The formula, over one `Lanes` per operand.
    max_ulp
        Bound of the error in units in the last place of the exact result, for float64 and
        float32, over the whole range; in the denormal range the unit is the smallest denormal.
    arity
        Number of operands.
    inline
        Always inline. For what stands in hot loops: a call would spill every vector register
        (none is preserved across calls on x86-64). The others are left to LLVM.
    """

    name: str
    body: Callable[..., Lanes]
    max_ulp: tuple[float, float]
    arity: int = 1
    inline: bool = False


FUNCTIONS: Mapping[str, VectorFunction] = MappingProxyType({
    function.name: function
    for function in (
        VectorFunction("exp", exponential.exp, (1.2, 1.2), inline=True),
        VectorFunction("expm1", exponential.expm1, (1.8, 1.5), inline=True),
        VectorFunction("log", logarithm.log, (1.0, 1.0), inline=True),
        VectorFunction("log1p", logarithm.log1p, (1.0, 1.0)),
        VectorFunction("sin", trigonometric.sin, (2.2, 2.2), inline=True),
        VectorFunction("cos", trigonometric.cos, (2.2, 2.2), inline=True),
        VectorFunction("tan", trigonometric.tan, (3.2, 3.2)),
        VectorFunction("asin", inverse_trigonometric.asin, (1.0, 1.0)),
        VectorFunction("acos", inverse_trigonometric.acos, (1.0, 1.0)),
        VectorFunction("atan", inverse_trigonometric.atan, (2.1, 2.1)),
        VectorFunction("atan2", inverse_trigonometric.atan2, (2.5, 2.5), arity=2),
        VectorFunction("sinh", hyperbolic.sinh, (2.5, 2.5)),
        VectorFunction("cosh", hyperbolic.cosh, (1.7, 1.7)),
        VectorFunction("tanh", hyperbolic.tanh, (2.5, 2.5), inline=True),
        VectorFunction("logistic", hyperbolic.logistic, (2.5, 2.5), inline=True),
        VectorFunction("erf", error_function.erf, (1.4, 1.4)),
        VectorFunction("pow", power.power, (1.5, 0.51), arity=2),
        VectorFunction("sqrt", roots.sqrt, (0.5, 0.5), inline=True),
        VectorFunction("rsqrt", roots.rsqrt, (1.5, 1.5), inline=True),
    )
})  # fmt: skip

SUPPORTED: frozenset[str] = frozenset(FUNCTIONS)

MAX_ULP: Mapping[tuple[str, str], float] = MappingProxyType({
    (function.name, kind): bound
    for function in FUNCTIONS.values()
    for kind, bound in zip(("f64", "f32"), function.max_ulp, strict=True)
})  # fmt: skip


def emit(name: str, builder: ir.IRBuilder, *operands: ir.Value) -> ir.Value:
    """Call the named function on scalar or vector operands.

    Parameters
    ----------
    name
        One of `SUPPORTED`.
    builder
        Positioned where the call goes, in a function of a module.
    operands
        Values of one type: float, double or a vector of either, with any number of lanes.

    Returns
    -------
    ir.Value
        The result, of the operands' type. Its error is at most ``MAX_ULP[name, format]``.

    Raises
    ------
    LoweringError
        Unknown name, wrong number of operands, or operands of an unsupported or different type.

    Notes
    -----
    The module gains an internal function such as ``sciml_tanh_v8f64``. It uses no external
    symbol and no fast-math flag but ``contract``. The same bits come out for every width on one
    CPU; with and without fused multiply-add the last bit may differ.

    Examples
    --------
    >>> vector = ir.VectorType(ir.DoubleType(), 8)
    >>> caller = ir.Function(ir.Module(), ir.FunctionType(vector, [vector]), "caller")
    >>> builder = ir.IRBuilder(caller.append_basic_block())
    >>> emit("tanh", builder, caller.args[0]).callee.name
    'sciml_tanh_v8f64'
    """
    function = FUNCTIONS.get(name)
    if function is None:
        raise LoweringError(
            f"got function {name!r}, expected one of {', '.join(sorted(SUPPORTED))}; "
            "write it in terms of these"
        )
    if len(operands) != function.arity:
        raise LoweringError(f"{name} got {len(operands)} operands, expected {function.arity}")
    kind = operands[0].type
    if format_of(kind) is None or any(operand.type != kind for operand in operands):
        kinds = ", ".join(str(operand.type) for operand in operands)
        raise LoweringError(
            f"{name} got operands of type {kinds}, expected float, double or a vector of one of "
            "them, the same for all; convert them first"
        )
    return builder.call(_define(builder.module, function, kind), operands)


def _define(module: ir.Module, function: VectorFunction, kind: ir.Type) -> ir.Function:
    """The module's copy of the function for operands of type `kind`."""
    symbol = f"sciml_{function.name}_{type_suffix(kind)}"
    if symbol in module.globals:
        return module.globals[symbol]
    format = format_of(kind)
    if format is None:
        raise LoweringError(f"{function.name} got type {kind}, expected float or double")
    definition = ir.Function(module, ir.FunctionType(kind, [kind] * function.arity), symbol)
    definition.linkage = "internal"
    definition.attributes.add("nounwind")
    if function.inline:
        definition.attributes.add("alwaysinline")
    builder = ir.IRBuilder(definition.append_basic_block("entry"))
    result = function.body(*(Lanes(builder, value, format) for value in definition.args))
    builder.ret(result.value)
    return definition

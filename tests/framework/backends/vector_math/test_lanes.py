"""Operators on lanes: which flags they set, and what integers and masks do."""

from __future__ import annotations

import numpy as np
from llvmlite import ir

from sciml.framework.backends.vector_math.formats import F64
from sciml.framework.backends.vector_math.lanes import Lanes, horner

from .harness import compiled_formula

VECTOR = ir.VectorType(ir.DoubleType(), 4)


def _operands(count):
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(VECTOR, [VECTOR] * count), "f")
    builder = ir.IRBuilder(function.append_basic_block())
    return [Lanes(builder, value, F64) for value in function.args]


def test_operators_allow_contraction_and_named_sums_do_not():
    x, y = _operands(2)
    for contracted in (x + y, x - y, x * y, 1.0 + x, 1.0 - x, 2.0 * x):
        assert " contract " in str(contracted.value)
    for exact in (x.plus(y), x.minus(y), x.times(y), x / y, 1.0 / x, -x):
        assert "contract" not in str(exact.value)


def test_intrinsics_are_declared_once():
    (x,) = _operands(1)
    x.abs().abs().sqrt()
    assert sorted(x.builder.module.globals) == ["f", "llvm.fabs.v4f64", "llvm.sqrt.v4f64"]


def test_clamp_keeps_nan_and_limits_the_rest():
    clamp = compiled_formula(lambda x: x.clamp(-1.0, 2.0), 1, "f64", 4)
    got = clamp(np.array([-3.0, 0.5, 7.0, np.nan, np.inf, -np.inf]))
    np.testing.assert_array_equal(got, [-1.0, 0.5, 2.0, np.nan, 2.0, -1.0])


def test_horner_takes_the_lowest_power_first():
    polynomial = compiled_formula(lambda x: horner(x, (1.0, 2.0, 3.0)), 1, "f32", 1)
    np.testing.assert_array_equal(polynomial(np.array([0.0, 2.0], np.float32)), [1.0, 17.0])


def test_bits_shift_and_select():
    def formula(x):
        bits = x.bits()
        return ((bits << 1) >> 1).where(bits.is_negative(), bits ^ F64.sign_bit).floats()

    minus_absolute = compiled_formula(formula, 1, "f64", 3)
    np.testing.assert_array_equal(minus_absolute(np.array([-2.0, 3.0])), [2.0, -3.0])

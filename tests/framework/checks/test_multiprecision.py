"""Programs on mpmath numbers: every primitive, at its samples and with many digits."""

from __future__ import annotations

import doctest
import sys
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.checks import multiprecision as module
from sciml.framework.checks.multiprecision import evaluate_multiprecision, multiprecision
from sciml.framework.core.dtypes import is_float
from sciml.framework.errors import LoweringError, MissingPackageError
from sciml.framework.ops.primitive import Primitive, Sample, bind
from sciml.framework.ops.tensor import unwrap, wrap
from sciml.framework.transforms.custom import expand


def cases() -> list[Any]:
    return [
        pytest.param(record, sample, id=f"{record.name}-{k}")
        for record in sf.primitives.values()
        for k, sample in enumerate(record.samples)
    ]


@pytest.mark.parametrize(("record", "sample"), cases())
def test_every_primitive_agrees_with_numpy(record: Primitive, sample: Sample) -> None:
    """Operands and result of float32 are exact here, so the difference is their rounding."""

    def function(*operands: Any) -> Any:
        return wrap(bind(record, [unwrap(o) for o in operands], dict(sample.attributes)))

    program = expand(sf.make_program(function)(*sample.operands))
    (got,) = evaluate_multiprecision(program, sample.operands)
    expected = record.evaluate(sample.operands, dict(sample.attributes))
    assert got.shape == expected.shape
    if not is_float(expected.dtype):
        np.testing.assert_array_equal(got, expected)
        return
    assert all(isinstance(v, mp.mpf) for v in got.ravel())
    single = expected.dtype == np.float32 or any(o.dtype == np.float32 for o in sample.operands)
    tolerance = 1e-6 if single else 1e-14
    np.testing.assert_allclose(got.astype(float), expected, rtol=tolerance, atol=tolerance)


def test_digits_are_those_of_the_working_precision() -> None:
    w = np.linspace(0.1, 1.0, 20)
    program = sf.make_program(lambda x, w: sf.tanh(sf.sin(x) / 3.0 + w).sum())(np.ones(()), w)
    with mp.workdps(100):
        (got,) = evaluate_multiprecision(program, [multiprecision(mp.mpf(1) / 3), w])
        x = mp.sin(mp.mpf(1) / 3) / 3
        exact = mp.fsum(mp.tanh(x + mp.mpf(float(v))) for v in w)
        assert abs(got.item() - exact) < mp.mpf(10) ** -98


def test_what_is_constant_to_derivatives_can_be_frozen() -> None:
    program = sf.make_program(lambda x: x * sf.stop_gradient(x))(np.ones(()))
    frozen: dict[Any, Any] = {}
    evaluate_multiprecision(program, [np.asarray(3.0)], frozen)
    (got,) = evaluate_multiprecision(program, [np.asarray(5.0)], frozen)
    assert got.item() == 15
    assert evaluate_multiprecision(program, [np.asarray(5.0)])[0].item() == 25


def test_calls_that_are_not_expanded_are_refused() -> None:
    program = sf.make_program(sf.softplus)(np.ones(()))
    with pytest.raises(LoweringError, match="custom_jvp has no meaning"):
        evaluate_multiprecision(program, [np.ones(())])


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mpmath", None)
    with pytest.raises(MissingPackageError, match="pip install mpmath"):
        sf.check_derivatives(sf.sin, np.ones(2))


def test_the_examples() -> None:
    assert doctest.testmod(module, extraglobs={"np": np}).failed == 0

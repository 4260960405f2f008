"""One set of tests for every primitive, made from the samples in its record."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.core.dtypes import is_float
from sciml.framework.errors import RegistryError
from sciml.framework.ir.types import type_of_array
from sciml.framework.ops.lowering import Expanded
from sciml.framework.ops.primitive import Operand, Primitive, Registry, Sample, bind
from sciml.framework.ops.tensor import unwrap, wrap

REQUIRED = (
    "neg abs sign exp expm1 log log1p sqrt rsqrt sin cos tan asin acos atan sinh cosh tanh "
    "logistic erf add sub mul div pow integer_pow max min atan2 eq ne lt le gt ge select "
    "convert broadcast reshape transpose slice pad concatenate reverse iota full reduce_sum "
    "reduce_max reduce_min reduce_prod dot_general gather scatter_add stop_gradient one_hot "
    "random_bits"
)


def cases(only: Any = lambda record, sample: True) -> list[Any]:
    return [
        pytest.param(record, sample, id=f"{record.name}-{k}")
        for record in sf.primitives.values()
        for k, sample in enumerate(record.samples)
        if only(record, sample)
    ]


def apply(record: Primitive, sample: Sample) -> Any:
    """The primitive as a function of its floating operands."""
    moving = floating(sample)

    def function(*arguments: Any) -> Any:
        operands: list[Operand] = list(sample.operands)
        for position, argument in zip(moving, arguments, strict=True):
            operands[position] = unwrap(argument)
        return wrap(bind(record, operands, dict(sample.attributes)))

    return function


def floating(sample: Sample) -> list[int]:
    return [i for i, o in enumerate(sample.operands) if is_float(o.dtype)]


def is_differentiable(record: Primitive, sample: Sample) -> bool:
    """Whether float64 goes in and comes out, so that differences have their digits."""
    doubles = all(sample.operands[i].dtype == np.float64 for i in floating(sample))
    out = record.infer([type_of_array(o) for o in sample.operands], dict(sample.attributes))
    return bool(floating(sample)) and doubles and sample.smooth and out.dtype == np.float64


def primals(sample: Sample) -> list[np.ndarray]:
    return [sample.operands[i] for i in floating(sample)]


def directions(sample: Sample, seed: int = 0) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [np.asarray(rng.normal(size=o.shape)) for o in primals(sample)]


def test_the_required_primitives_are_there() -> None:
    assert len(REQUIRED.split()) >= 50
    assert set(REQUIRED.split()) <= set(sf.primitives)


@pytest.mark.parametrize(
    "rule", ["infer", "evaluate", "jvp", "batch", "axes", "lowering", "samples", "source"]
)
def test_a_record_without_a_rule_is_refused(rule: str) -> None:
    incomplete = dataclasses.replace(sf.primitives["sin"], name="other", **{rule: None})
    with pytest.raises(RegistryError, match=rule):
        Registry().register(incomplete)


def test_a_linear_record_without_a_transpose_is_refused() -> None:
    with pytest.raises(RegistryError, match="transpose"):
        Registry().register(dataclasses.replace(sf.primitives["neg"], transpose=None))


def test_a_second_record_of_one_name_is_refused() -> None:
    registry = Registry()
    registry.register(sf.primitives["sin"])
    with pytest.raises(RegistryError, match="twice"):
        registry.register(sf.primitives["sin"])


@pytest.mark.parametrize(("record", "sample"), cases())
def test_shape_rule_agrees_with_evaluation(record: Primitive, sample: Sample) -> None:
    attributes = dict(sample.attributes)
    expected = record.infer([type_of_array(o) for o in sample.operands], attributes)
    assert type_of_array(record.evaluate(sample.operands, attributes)) == expected


@pytest.mark.parametrize(("record", "sample"), cases(is_differentiable))
def test_jvp_agrees_with_differences(record: Primitive, sample: Sample) -> None:
    """Central differences of two steps with Richardson extrapolation: error of order h^4."""
    function, x, v = apply(record, sample), primals(sample), directions(sample)

    def central(h: float) -> Any:
        up = function(*(a + h * b for a, b in zip(x, v, strict=True)))
        down = function(*(a - h * b for a, b in zip(x, v, strict=True)))
        return (np.asarray(up) - np.asarray(down)) / (2 * h)

    if record.linearity == "constant":
        _, tangent = sf.jvp(function, x, v)
        assert not np.any(tangent)
        return
    expected = (4 * central(5e-4) - central(1e-3)) / 3
    _, tangent = sf.jvp(function, x, v)
    np.testing.assert_allclose(tangent, expected, rtol=2e-8, atol=2e-8)


@pytest.mark.parametrize(("record", "sample"), cases(is_differentiable))
def test_reverse_is_the_transpose_of_forward(record: Primitive, sample: Sample) -> None:
    """<c, J v> = <J^T c, v>, and the same for the derivative of the derivative."""
    function, x, v = apply(record, sample), primals(sample), directions(sample)
    check_identity(function, x, v)
    if record.linearity == "none":
        check_identity(lambda *a: sf.jvp(function, a, v)[1], x, directions(sample, 7))


def check_identity(function: Any, x: list[np.ndarray], v: list[np.ndarray]) -> None:
    value, tangent = sf.jvp(function, x, v)
    c = np.asarray(np.random.default_rng(1).normal(size=value.shape))
    _, pull = sf.vjp(function, *x)
    left = float(np.sum(c * tangent))
    right = float(sum(np.sum(g * b) for g, b in zip(pull(c), v, strict=True)))
    scale = float(np.sum(np.abs(c * tangent))) + 1e-300
    assert abs(left - right) <= 1e-13 * scale


@pytest.mark.parametrize(("record", "sample"), cases(is_differentiable))
def test_taylor_agrees_with_nested_jvp_to_order_six(record: Primitive, sample: Sample) -> None:
    function, x, v = apply(record, sample), primals(sample), directions(sample, 3)
    v = [0.4 * b for b in v]
    zero = [np.zeros_like(b) for b in v]
    _, terms = sf.jet(function, x, [(b, *[z] * 5) for b, z in zip(v, zero, strict=True)])

    def lower(f: Any) -> Any:
        return lambda *a: sf.jvp(f, a, v)[1]

    nested = function
    for k in range(6):
        nested = lower(nested)
        expected = np.asarray(nested(*x))
        scale = max(1.0, float(np.abs(expected).max(initial=0.0)))
        np.testing.assert_allclose(terms[k], expected, rtol=1e-10, atol=1e-11 * scale)


@pytest.mark.parametrize(("record", "sample"), cases())
def test_vmap_agrees_with_a_loop(record: Primitive, sample: Sample) -> None:
    """For every choice of mapped operands, and a mapped axis in first and last place."""
    count = len(sample.operands)
    rng = np.random.default_rng(2)

    def stack(o: np.ndarray) -> np.ndarray:
        if not is_float(o.dtype):
            return np.stack([o, o, o])
        return np.stack([o, o * 0.9, o * 0.8 + 0.01 * rng.uniform()]).astype(o.dtype)

    def function(*operands: Any) -> Any:
        return wrap(bind(record, [unwrap(o) for o in operands], dict(sample.attributes)))

    for choice in range(1, 2**count):
        mapped = [bool(choice >> i & 1) for i in range(count)]
        batches = [stack(o) if m else o for o, m in zip(sample.operands, mapped, strict=True)]
        expected = np.stack([
            np.asarray(function(*(b[k] if m else b for b, m in zip(batches, mapped, strict=True))))
            for k in range(3)
        ])  # fmt: skip
        axes = [0 if m else None for m in mapped]
        # NumPy may add up a stack in another order than one matrix
        close = {"rtol": 4 * np.finfo(expected.dtype).eps if is_float(expected.dtype) else 0}
        np.testing.assert_allclose(sf.vmap(function, axes)(*batches), expected, **close)
        moved = [np.moveaxis(b, 0, -1) if m else b for b, m in zip(batches, mapped, strict=True)]
        last = [-1 if m else None for m in mapped]
        np.testing.assert_allclose(sf.vmap(function, last)(*moved), expected, **close)


@pytest.mark.parametrize("precision", [np.float64, np.float32])
@pytest.mark.parametrize(("record", "sample"), cases())
def test_compiled_code_agrees_with_evaluation(
    record: Primitive, sample: Sample, precision: Any
) -> None:
    if isinstance(record.lowering, Expanded):
        precision = np.float64  # a body has the element types it was traced for
    operands = [o.astype(precision) if o.dtype == np.float64 else o for o in sample.operands]

    def function(*arguments: Any) -> Any:
        return wrap(bind(record, [unwrap(o) for o in arguments], dict(sample.attributes)))

    expected = record.evaluate(operands, dict(sample.attributes))
    got = sf.jit(function, symbolic=False)(*operands)
    assert got.dtype == expected.dtype
    # functions differ from NumPy's by their stated error of a few units in the last place
    exact = not is_float(expected.dtype)
    tolerance = 0.0 if exact else 8 * float(np.finfo(expected.dtype).eps)
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize(("record", "sample"), cases(lambda r, s: len(s.operands) > 0))
def test_axis_labels_describe_the_evaluation(record: Primitive, sample: Sample) -> None:
    """Cutting every operand along one label cuts the result, or splits the reduction."""
    attributes = dict(sample.attributes)
    types = [type_of_array(o) for o in sample.operands]
    axes = record.axes(types, attributes)
    out = record.infer(types, attributes)
    assert [len(a) for a in axes.operands] == [t.rank for t in types]
    assert len(axes.result) == out.rank
    for label in {x for a in (*axes.operands, axes.result) for x in a} - {None}:
        sizes = {
            t.shape[a.index(label)]
            for t, a in zip((*types, out), (*axes.operands, axes.result), strict=True)
            if label in a
        }
        assert len(sizes) == 1, f"label {label} stands for sizes {sizes}"

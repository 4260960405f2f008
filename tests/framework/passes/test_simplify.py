"""Simplification of whole steps: fewer operations, equal values, quick."""

import itertools
import time

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.ir.compare import same_program
from sciml.framework.ir.program import Program
from sciml.framework.ops.lowering import Elementwise
from sciml.framework.ops.primitive import primitives
from sciml.framework.passes.simplify import RULES, simplify
from sciml.framework.passes.verify import verify_program
from sciml.framework.transforms.trace import evaluate, unwrap_leaves

LAYERS = (2, 16, 16, 16, 16, 1)
F64 = np.dtype(np.float64)


def loss(params, X):  # type: ignore[no-untyped-def]
    """The residual of a plate, as a user writes it."""

    def field(X):  # type: ignore[no-untyped-def]
        h = X
        for w, b in params[:-1]:
            h = sf.tanh(h @ w + b)
        return (h @ params[-1][0])[:, 0]

    w_xxxx, w_xxyy, w_yyyy = sf.derivatives(field, [(4, 0), (2, 2), (0, 4)])(X)
    return ((w_xxxx + 2.0 * w_xxyy + w_yyyy - 1.0) ** 2).mean()


@pytest.fixture(scope="module")
def params():  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(0)
    return [
        (rng.normal(size=(a, b)) * np.sqrt(2 / (a + b)), rng.normal(size=b) * 0.1)
        for a, b in itertools.pairwise(LAYERS)
    ]


@pytest.fixture(scope="module")
def step(params) -> Program:  # type: ignore[no-untyped-def]
    points = sf.TensorType((sf.Dim.named("N"), 2), F64)
    return sf.make_program(sf.value_and_grad(loss, allow_unused=True))(params, points)


@pytest.fixture
def points() -> np.ndarray:
    return np.random.default_rng(1).uniform(size=(33, 2))


def test_rules_have_distinct_names() -> None:
    assert len({r.name for r in RULES}) == len(RULES)


def test_every_elementwise_primitive_moves_behind_a_repeat() -> None:
    names = {r.name for r in RULES}
    for name, record in primitives.items():
        if isinstance(record.lowering, Elementwise) and len(record.samples[0].operands) == 1:
            assert f"{name} of a repeat" in names


def test_no_operation_of_the_first_layer_repeats_a_direction_over_points(step: Program) -> None:
    simplified = verify_program(simplify(step))
    for operation in simplified.operations:
        if operation.name == "dot_general":
            assert all(getattr(v.operation, "name", "") != "broadcast" for v in operation.operands)
    assert simplified.count()["neg"] < step.count()["neg"] / 2
    assert sum(simplified.count().values()) < sum(step.count().values())


def test_simplifying_again_changes_nothing(step: Program) -> None:
    once = simplify(step)
    assert same_program(simplify(once), once)


def test_the_step_has_the_same_value_and_gradient(step: Program, params, points) -> None:  # type: ignore[no-untyped-def]
    inputs, _ = unwrap_leaves((params, points))
    pairs = zip(evaluate(step, inputs), evaluate(simplify(step), inputs), strict=True)
    for expected, got in pairs:
        scale = max(1.0, float(np.abs(expected).max()))
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-13 * scale)


def test_the_compiled_step_equals_the_eager_one(params, points, monkeypatch, tmp_path) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("SCIML_CACHE_DIR", str(tmp_path))
    function = sf.value_and_grad(loss, allow_unused=True)
    value, gradient = sf.jit(function, threads=1)(params, points)
    expected, expected_gradient = function(params, points)
    assert value == pytest.approx(float(expected), rel=1e-12)
    for layer, expected_layer in zip(gradient, expected_gradient, strict=True):
        for got, want in zip(layer, expected_layer, strict=True):
            want = np.asarray(want)
            scale = max(float(np.abs(want).max()), 1e-300)
            assert float(np.abs(np.asarray(got) - want).max()) <= 1e-12 * scale


def test_a_step_is_simplified_in_tens_of_milliseconds(step: Program) -> None:
    simplify(step)
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        simplify(step)
        times.append(time.perf_counter() - begin)
    # a twentieth of the time of one compilation; ten times what it takes on an idle machine
    assert min(times) < 0.2

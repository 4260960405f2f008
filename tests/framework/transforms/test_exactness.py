"""Derivatives of orders 1 to 10 of every smooth primitive, and of compositions, against mpmath.

Relative error below 1e-10, above order 6 below 1e-8, in float64; mpmath works with 60 digits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.core.dtypes import is_float
from sciml.framework.ops.primitive import Operand, Primitive, Sample, bind
from sciml.framework.ops.tensor import unwrap, wrap

ORDER = 10
LOGISTIC = (lambda x: 1 / (1 + mp.exp(-x)), (-2.3, 0.4, 3.1))

# name: the function in mpmath and the points of expansion
UNARY: dict[str, tuple[Callable[[Any], Any], tuple[float, ...]]] = {
    "exp": (mp.exp, (-3.0, 0.2, 2.5)),
    "expm1": (mp.expm1, (-1.5, 1e-3, 2.0)),
    "log": (mp.log, (0.3, 1.1, 7.0)),
    "log1p": (mp.log1p, (-0.6, 1e-3, 4.0)),
    "sqrt": (mp.sqrt, (0.2, 1.3, 9.0)),
    "rsqrt": (lambda x: 1 / mp.sqrt(x), (0.2, 1.3, 9.0)),
    "sin": (mp.sin, (-2.0, 0.3, 11.0)),
    "cos": (mp.cos, (-2.0, 0.3, 11.0)),
    "tan": (mp.tan, (-1.1, 0.3, 2.0)),
    "asin": (mp.asin, (-0.8, 0.1, 0.6)),
    "acos": (mp.acos, (-0.8, 0.1, 0.6)),
    "atan": (mp.atan, (-2.2, 0.3, 0.9)),
    "sinh": (mp.sinh, (-2.0, 0.3, 3.0)),
    "cosh": (mp.cosh, (-2.0, 0.3, 3.0)),
    "tanh": (mp.tanh, (-1.7, 0.25, 0.8)),
    "logistic": LOGISTIC,
    "erf": (mp.erf, (-1.3, 0.2, 0.9)),
}
BINARY: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "div": (lambda x, y: x / y, lambda x, y: x / y),
    "pow": (lambda x, y: x**y, lambda x, y: x**y),
    "atan2": (sf.atan2, mp.atan2),
    "mul": (lambda x, y: x * y, lambda x, y: x * y),
}


def assert_exact(got: list[Any], exact: list[Any]) -> None:
    """Compare derivatives of orders 1, 2, ...; where one vanishes, against its neighbours."""
    for k, (a, b) in enumerate(zip(got, exact, strict=True), 1):
        scale = max(abs(b), mp.mpf(10) ** -3 * max(abs(e) for e in exact[max(0, k - 3) : k]))
        bound = 1e-10 if k <= 6 else 1e-8
        assert abs(mp.mpf(float(a)) - b) <= bound * scale, f"order {k}: {float(a)} against {b}"


def jets(function: Any, points: tuple[float, ...]) -> list[list[Any]]:
    x = np.asarray(points)
    series = [np.ones_like(x)] + [np.zeros_like(x)] * (ORDER - 1)
    _, terms = sf.jet(function, (x,), (series,))
    return [[np.asarray(t)[i] for t in terms] for i in range(len(points))]


def exact(function: Any, point: float) -> list[Any]:
    with mp.workdps(60):
        return [mp.diff(function, mp.mpf(point), k) for k in range(1, ORDER + 1)]


@pytest.mark.parametrize("name", UNARY)
def test_unary_primitives(name: str) -> None:
    reference, points = UNARY[name]
    for point, got in zip(points, jets(getattr(sf, name), points), strict=True):
        assert_exact(got, exact(reference, point))


@pytest.mark.parametrize("exponent", [-3, -1, 2, 5, 12])
def test_integer_powers(exponent: int) -> None:
    points = (-1.4, 0.7, 2.1)
    for point, got in zip(points, jets(lambda x: x**exponent, points), strict=True):
        assert_exact(got, exact(lambda x: x**exponent, point))


@pytest.mark.parametrize("name", BINARY)
def test_binary_primitives_along_a_curve(name: str) -> None:
    """Both operands move: x = 1.3 + sin t, y = 0.8 + t/2 + t^2."""
    function, reference = BINARY[name]
    points = (0.1, 0.9)

    def along(t: Any) -> Any:
        return function(1.3 + sf.sin(t), 0.8 + 0.5 * t + t * t)

    def expected(t: Any) -> Any:
        return reference(mp.mpf(1.3) + mp.sin(t), mp.mpf(0.8) + t / 2 + t * t)

    for point, got in zip(points, jets(along, points), strict=True):
        assert_exact(got, exact(expected, point))


def test_tanh_of_sin_of_a_polynomial() -> None:
    points = (-0.6, 0.2, 0.9)
    for point, got in zip(
        points, jets(lambda x: sf.tanh(sf.sin(x**3 - 2.0 * x + 0.5)), points), strict=True
    ):
        assert_exact(got, exact(lambda x: mp.tanh(mp.sin(x**3 - 2 * x + 0.5)), point))


def test_mixed_derivatives_of_a_network() -> None:
    """An MLP of two hidden layers at order 8 in two variables, along four directions."""
    rng = np.random.default_rng(0)
    W1, W2 = rng.normal(size=(2, 4)), rng.normal(size=(4, 4))
    b, v = rng.normal(size=4) * 0.3, rng.normal(size=4)
    X = np.array([[0.3, -0.2]])

    def u(X: Any) -> Any:
        return sf.tanh(sf.tanh(X @ W1 + b) @ W2) @ v

    def along(direction: tuple[int, int]) -> Callable[[Any], Any]:
        def value(t: Any) -> Any:
            x = [mp.mpf(float(X[0, i])) + t * direction[i] for i in range(2)]
            h = [mp.tanh(sum(x[i] * mp.mpf(W1[i, j]) for i in range(2)) + mp.mpf(b[j]))
                 for j in range(4)]  # fmt: skip
            g = [mp.tanh(sum(h[i] * mp.mpf(W2[i, j]) for i in range(4))) for j in range(4)]
            return sum(g[j] * mp.mpf(v[j]) for j in range(4))

        return value

    indices = [(8 - j, j) for j in range(9)]
    mixed = [float(d[0]) for d in sf.derivatives(u, indices)(X)]
    for direction in ((1, 0), (0, 1), (1, 1), (2, -1)):
        # d^8/dt^8 u(x + t v) = sum_j binomial(8, j) v_1^(8-j) v_2^j u_(8-j, j)
        terms = [
            mp.binomial(8, j) * direction[0] ** (8 - j) * direction[1] ** j * mp.mpf(mixed[j])
            for j in range(9)
        ]
        with mp.workdps(60):
            expected = mp.diff(along(direction), 0, 8)
        assert abs(sum(terms) - expected) <= 1e-10 * sum(abs(t) for t in terms)


# --- every primitive, without a list to forget one in -----------------------------------------


def is_smooth(record: Primitive) -> bool:
    """Whether a primitive has derivatives that are not all zero."""
    return record.linearity != "constant"


def smooth_cases() -> list[Any]:
    """Every sample of every smooth primitive whose floating operands and result are float64."""
    found = []
    for record in sf.primitives.values():
        for k, sample in enumerate(record.samples):
            dtypes = {o.dtype for o in sample.operands if is_float(o.dtype)}
            result = record.evaluate(sample.operands, dict(sample.attributes)).dtype
            if is_smooth(record) and sample.smooth and dtypes == {np.dtype(np.float64)} == {result}:
                found.append(pytest.param(record, sample, id=f"{record.name}-{k}"))
    return found


def test_no_smooth_primitive_is_forgotten() -> None:
    covered = {case.values[0].name for case in smooth_cases()}
    assert covered == {name for name, record in sf.primitives.items() if is_smooth(record)}
    assert covered >= set(UNARY) | set(BINARY) | {
        "add", "sub", "neg", "select", "dot_general", "reduce_sum", "reduce_prod", "concatenate",
        "gather", "scatter_add", "pad", "slice", "reverse", "reshape", "transpose", "broadcast",
        "convert", "custom_jvp", "integer_pow",
    }  # fmt: skip


@pytest.mark.parametrize(("record", "sample"), smooth_cases())
def test_every_smooth_primitive_with_all_operands_moving(record: Primitive, sample: Sample) -> None:
    """Operand i moves along its own curve, x_i + v_i (sin t + 0.3 t^2), with v_i at random."""
    rng = np.random.default_rng(0)
    # short enough that no operand comes near a kink or pole of the sample
    directions = [0.2 * rng.normal(size=o.shape) for o in sample.operands]

    def along(t: Any) -> Any:
        step = sf.sin(t) + 0.3 * t * t
        operands: list[Operand] = [
            unwrap(o + v * step) if is_float(o.dtype) else o
            for o, v in zip(sample.operands, directions, strict=True)
        ]
        return wrap(bind(record, operands, dict(sample.attributes)))

    sf.check_derivatives(along, np.array(0.0), ORDER).require()


# --- compositions -----------------------------------------------------------------------------

_RNG = np.random.default_rng(5)
_W, _V, _U = _RNG.normal(size=(2, 4)), _RNG.normal(size=(4, 4)), _RNG.normal(size=(2, 4))
_B = 0.5 * _RNG.normal(size=4)


def _gated(X: Any) -> Any:
    U, V, h = sf.tanh(X @ _W + _B), sf.tanh(X @ _U), sf.tanh(X @ (_W - _U))
    for _ in range(2):
        h = U + sf.tanh(h @ _V) * (V - U)
    return h


def _attention(X: Any) -> Any:
    tokens = sf.tanh(X @ np.hstack([_W, _U]) + np.hstack([_B, -_B])).reshape(X.shape[0], 2, 4)
    normed = sf.layer_norm(tokens, epsilon=1e-2)
    scores = sf.einsum("nqc,nkc->nqk", normed @ _V, normed)
    return (tokens + sf.einsum("nqk,nkc->nqc", sf.softmax(scores, axis=-1), normed)).sum(axis=1)


COMPOSITIONS: dict[str, Callable[[Any], Any]] = {
    "tanh of sin of a polynomial": lambda X: sf.tanh(
        sf.sin(X[:, 0] ** 3 - 2.0 * X[:, 0] * X[:, 1] + 0.5)
    ),
    "mlp": lambda X: sf.tanh(sf.tanh(X @ _W + _B) @ _V),
    "gated": _gated,
    "siren": lambda X: sf.sin(3.0 * (sf.sin(3.0 * (X @ _W + _B)) @ _V)),
    "softplus and silu": lambda X: sf.softplus(sf.silu(X @ _W) @ _V),
    "gelu": lambda X: sf.gelu(X @ _W + _B),
    "sinc": lambda X: sf.sinc(X[:, 0] * X[:, 1]),
    "softmax": lambda X: sf.softmax(X @ _W, axis=1),
    "log_softmax": lambda X: sf.log_softmax(X @ _W, axis=1),
    "logsumexp": lambda X: sf.logsumexp(sf.sin(X @ _W), axis=1),
    "layer_norm": lambda X: sf.layer_norm(sf.tanh(X @ _W + _B), epsilon=1e-2),
    "norm": lambda X: sf.norm(X @ _W + _B, axis=1),
    "attention": _attention,
}


@pytest.mark.parametrize("name", COMPOSITIONS)
def test_all_mixed_derivatives_of_compositions_to_order_eight(name: str) -> None:
    points = np.array([[0.3, -0.2], [-0.6, 0.4]])
    sf.check_derivatives(COMPOSITIONS[name], points, 8, mixed=True).require()

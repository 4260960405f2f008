"""The rules of custom functions: linear programs, and what is no rule."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import DifferentiationError, TraceError

X = np.array([0.3, -0.7, 1.1])


def with_rule(rule: Any, function: Any = sf.sin) -> Any:
    made = sf.custom_jvp(function)
    made.defjvp(rule)
    return lambda *x: made(*x).sum()


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (lambda p, t: t[0], r"must return \(value, tangent\), got Tensor"),
        (lambda p, t: (sf.sin(p[0]), t[0].sum()), r"tangent of the type .*f64\[3\], got f64\[\]"),
        (lambda p, t: (sf.sin(p[0]).sum(), t[0]), r"value of the type .*f64\[3\], got f64\[\]"),
        (lambda p, t: (sf.sin(p[0]), t[0].astype(np.float32)), r"f64\[3\], got f32\[3\]"),
        (lambda p, t: (sf.sin(p[0]), [t[0]]), "tangent with the container"),
        (lambda p, t: (sf.sin(p[0]), t), "tangent with the container"),
        (lambda p, t: (sf.sin(p[0]), t[0] * t[0]), "not linear.*depends on them"),
        (lambda p, t: (sf.sin(p[0]), t[0] + 1.0), "not linear.*does not vanish"),
        (lambda p, t: (sf.sin(p[0]), sf.sin(t[0])), "not linear.*does not vanish"),
        (lambda p, t: (sf.sin(p[0]), sf.abs(t[0])), "not linear.*does not vanish"),
        (lambda p, t: (sf.sin(p[0]), t[0] * sf.sign(t[0])), "not linear.*depends on them"),
        (lambda p, t: (sf.sin(p[0]), sf.where(t[0] > 0, t[0], 2 * t[0])), "not linear.*depends"),
        (lambda p, t: (sf.sin(p[0]), sf.stop_gradient(t[0])), "not linear"),
        (lambda p, t: (sf.sin(p[0]), 0.0 * p[0]), "ignores the tangent of argument 0|not linear"),
        (lambda p, t: (sf.sin(p[0]), sf.zeros_like(p[0])), "ignores the tangent of argument 0"),
    ],
)  # fmt: skip
def test_rules_that_are_none_are_refused(rule: Any, message: str) -> None:
    for transform in (sf.grad, lambda f: lambda x: sf.jet(f, (x,), ([np.ones(3)],))):
        with pytest.raises(DifferentiationError, match=message):
            transform(with_rule(rule))(X)


def test_an_argument_that_the_rule_ignores_is_an_error_unless_it_has_no_derivative() -> None:
    function = with_rule(lambda p, t: (p[0] * p[1], t[0] * p[1]), lambda x, y: x * y)
    with pytest.raises(DifferentiationError, match="ignores the tangent of argument 1"):
        sf.grad(function, (0, 1))(X, X)
    np.testing.assert_array_equal(sf.grad(function)(X, 2 * X), 2 * X)
    gradient = sf.grad(lambda x: function(x, sf.stop_gradient(x)))
    np.testing.assert_array_equal(gradient(X), X)


def test_linear_rules_are_accepted_however_they_are_written() -> None:
    for rule, factor in (
        (lambda p, t: (p[0], t[0] / (2.0 + p[0] * 0.0)), 0.5),
        (lambda p, t: (p[0], sf.where(p[0] > 0, t[0], 0.0)), (X > 0) * 1.0),
        (lambda p, t: (p[0], -sf.stack([t[0], t[0] * 0.0]).sum(axis=0)), -1.0),
        (lambda p, t: (p[0], sf.zeros_like(p[0]) + t[0].mean()), 1.0),
        (lambda p, t: (p[0], sf.jvp(sf.sin, p, (t[0] / sf.cos(p[0]),))[1]), 1.0),
    ):
        got = sf.grad(with_rule(rule, lambda x: x * 1.0))(X)
        np.testing.assert_allclose(got, factor * np.ones(3), rtol=1e-15)


def test_functions_must_return_floating_arrays() -> None:
    with pytest.raises(DifferentiationError, match="must return floating arrays"):
        sf.make_program(with_rule(lambda p, t: (p[0], t[0]), lambda x: x > 0))(X)
    with pytest.raises(DifferentiationError, match="distinct positions"):
        sf.custom_jvp(sf.sin, nondiff_argnums=(0, 0))
    power = sf.custom_jvp(lambda x, n: x**n, nondiff_argnums=(1,))
    power.defjvp(lambda n, p, t: (power(p[0], n), t[0]))
    with pytest.raises(TraceError, match="1 arguments"):
        sf.make_program(power)(X)


def test_derivatives_by_both_arguments_in_any_mask() -> None:
    function = sf.custom_jvp(lambda x, y: sf.sin(x) * y)
    function.defjvp(
        lambda p, t: (function(*p), sf.cos(p[0]) * p[1] * t[0] + sf.sin(p[0]) * t[1] * 5.0)
    )
    y = np.array([2.0, 3.0, 4.0])
    expected = (np.cos(X) * y, 5.0 * np.sin(X))
    for chosen in ((0,), (1,), (0, 1)):
        got = sf.grad(lambda x, y: function(x, y).sum(), chosen)(X, y)
        for g, k in zip(got, chosen, strict=True):
            np.testing.assert_allclose(g, expected[k], rtol=1e-15)

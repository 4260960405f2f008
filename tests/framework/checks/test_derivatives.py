"""The check of derivatives: what it accepts, what it finds, what it refuses."""

from __future__ import annotations

import doctest
import subprocess
import sys
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.checks import derivatives as module
from sciml.framework.errors import DifferentiationError, ShapeError

X = np.array([0.3, 1.2, -0.7])
POINTS = np.array([[0.3, 1.2], [0.4, -0.2]])


def off_by(relative: float) -> Any:
    """sin with a slope that is wrong by a factor."""
    function = sf.custom_jvp(sf.sin)
    function.defjvp(lambda p, t: (function(*p), sf.cos(p[0]) * t[0] * (1.0 + relative)))
    return function


def test_functions_by_element_with_and_without_a_closed_form() -> None:
    for reference in (None, lambda x: mp.tanh(x) * x):
        check = sf.check_derivatives(lambda x: sf.tanh(x) * x, X, reference=reference).require()
        assert list(check.errors) == list(range(1, 11))
        assert max(check.errors.values()) < 1e-12


def test_differences_without_a_closed_form_are_those_with_one() -> None:
    """The same error is found either way, to ten digits."""
    one = sf.check_derivatives(off_by(1e-6), X, 6)
    two = sf.check_derivatives(off_by(1e-6), X, 6, reference=mp.sin)
    for k in range(1, 7):
        assert one.errors[k] == pytest.approx(two.errors[k], rel=1e-10)
        assert one.errors[k] == pytest.approx(1e-6, rel=1e-3)


def test_functions_of_whole_arrays_along_a_direction() -> None:
    v = np.array([1.0, -2.0, 0.5])
    sf.check_derivatives(lambda x: sf.softmax(x * x), X, 8, direction=v).require()
    sf.check_derivatives(
        sf.norm, X, 8, direction=v, reference=lambda x: mp.sqrt(mp.fsum(a * a for a in x))
    ).require()
    other = sf.check_derivatives(sf.norm, X, 4, direction=v, reference=lambda x: mp.fsum(x))
    assert other.failures == [1, 2, 3, 4]


def test_all_mixed_derivatives_of_a_field() -> None:
    def u(P: Any) -> Any:
        return sf.sin(P[:, 0] * P[:, 1]) + P[:, 0] ** 3

    sf.check_derivatives(u, POINTS, 6, mixed=True).require()
    closed = sf.check_derivatives(
        u, POINTS, 6, mixed=True, reference=lambda x, y: mp.sin(x * y) + x**3
    )
    assert closed.passed
    wrong = sf.check_derivatives(
        u, POINTS, 4, mixed=True, reference=lambda x, y: mp.sin(x * y) + x**3 + y**4 * 1e-6
    )
    assert wrong.failures == [1, 2, 3, 4]


def test_fields_of_several_columns_and_captured_arrays() -> None:
    W = np.random.default_rng(0).normal(size=(2, 20))
    check = sf.check_derivatives(lambda P: sf.tanh(P @ W), POINTS, [2, 5], mixed=True).require()
    assert list(check.errors) == [2, 5]


def test_vanishing_derivatives_are_measured_by_their_neighbours() -> None:
    assert sf.check_derivatives(lambda x: x**2 * 3.0, X, 8).errors[8] == 0.0
    sf.check_derivatives(sf.sin, np.array([0.0, np.pi / 2]), 6).require()


def test_an_error_is_found_and_named() -> None:
    assert sf.check_derivatives(off_by(1e-11), X, 4).passed
    check = sf.check_derivatives(off_by(1e-9), X, 8)
    assert check.failures == [1, 2, 3, 4, 5, 6]
    assert not check.passed
    with pytest.raises(DifferentiationError, match=r"derivatives of sin .*\n.*\n +1 .* FAILED"):
        check.require()
    assert sf.check_derivatives(off_by(1e-9), X, 8, tolerance=1e-8).passed
    lines = str(check).splitlines()
    assert lines[0] == "order  relative error  tolerance"
    assert lines[-1] == f"    8  {check.errors[8]:14.2e}      1e-08  ok"


def test_derivatives_that_are_no_numbers_fail() -> None:
    """The rule divides zero by zero at the origin, where the function itself is smooth."""
    square = sf.custom_jvp(lambda x: x * x)
    square.defjvp(lambda p, t: (square(*p), 2.0 * p[0] * p[0] / p[0] * t[0]))
    assert sf.check_derivatives(square, np.array([0.0, 1.0]), 2).failures == [1, 2]


def test_constants_to_derivatives_are_constants_to_the_reference() -> None:
    sf.check_derivatives(lambda x: x**3 * sf.stop_gradient(sf.exp(x)), X, 6).require()
    sf.check_derivatives(sf.logsumexp, X, 6, direction=[1.0, 0.5, -1.0]).require()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"orders": 0}, "orders must be 1 or more"),
        ({"orders": [0, 2]}, "orders must be 1 or more"),
        ({"x": X.astype(np.float32)}, "must be float64, got float32"),
        ({"x": np.arange(3)}, "must be float64, got int64"),
        ({"mixed": True}, r"of shape \(points, d\)"),
        ({"direction": np.ones(2)}, r"direction \(2,\) and x \(3,\) differ"),
        ({"x": POINTS, "mixed": True, "direction": POINTS}, "have no direction"),
        ({"function": lambda x: (x, x)}, "must return one array"),
        ({"function": lambda x: x.sum(), "reference": lambda x: list(x)}, "reference gives"),
    ],
)
def test_mistakes(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ShapeError, match=message):
        sf.check_derivatives(**{"function": sf.sin, "x": X, **arguments})


def test_importing_the_framework_loads_no_mpmath() -> None:
    code = "import sys, sciml.framework; print('mpmath' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        cwd=Path(__file__).resolve().parents[3],
    )  # fmt: skip
    assert result.stdout.strip() == "False"


def test_the_examples() -> None:
    assert doctest.testmod(module, extraglobs={"np": np}).failed == 0

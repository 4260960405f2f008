"""Transposes and vjp at the level of programs: identities, verified output, refusals."""

from __future__ import annotations

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.errors import DifferentiationError
from sciml.framework.ir.verifier import verify
from sciml.framework.transforms.forward import jvp_program, linearize_program
from sciml.framework.transforms.reverse import influencing_inputs, transpose_program, vjp_program
from sciml.framework.transforms.trace import evaluate

RNG = np.random.default_rng(0)
X, W = RNG.normal(size=(5, 3)), RNG.normal(size=(3, 2))
V, C = RNG.normal(size=(5, 3)), RNG.normal(size=(5, 2))
PROGRAM = sf.make_program(lambda x, w: sf.tanh(x @ w) * x.sum(axis=1, keepdims=True))(X, W)


def test_the_transpose_of_the_linear_part_is_the_vjp() -> None:
    primal, linear = linearize_program(PROGRAM, [0])
    transposed = transpose_program(linear, [len(linear.inputs) - 1])
    for program in (primal, linear, transposed):
        verify(program)
    _, *residuals = evaluate(primal, [X, W])
    (tangent,) = evaluate(linear, [*residuals, V])
    (cotangent,) = evaluate(transposed, [*residuals, C])
    assert float(np.sum(C * tangent)) == pytest.approx(float(np.sum(cotangent * V)), rel=1e-13)
    _, expected = evaluate(vjp_program(PROGRAM, [0]), [X, W, C])
    np.testing.assert_allclose(cotangent, expected, rtol=1e-14)


def test_the_linear_part_is_the_jvp() -> None:
    primal, linear = linearize_program(PROGRAM, [0, 1])
    value, *residuals = evaluate(primal, [X, W])
    (tangent,) = evaluate(linear, [*residuals, V, W])
    expected = evaluate(jvp_program(PROGRAM, [0, 1]), [X, W, V, W])
    np.testing.assert_array_equal(value, expected[0])
    np.testing.assert_allclose(tangent, expected[1], rtol=1e-14)


def test_a_transpose_twice_is_the_program() -> None:
    linear = sf.make_program(lambda x: (x @ W)[1:, ::-1].T)(X)
    twice = transpose_program(transpose_program(linear, [0]), [0])
    np.testing.assert_allclose(evaluate(twice, [X])[0], evaluate(linear, [X])[0], rtol=1e-14)


def test_what_is_not_linear_is_not_transposed() -> None:
    with pytest.raises(DifferentiationError, match="mul is not linear"):
        transpose_program(sf.make_program(lambda x: x * x)(X), [0])


def test_outputs_that_are_inputs_or_repeated_add_their_cotangents() -> None:
    program = sf.make_program(lambda x: (x, x, 2.0 * x))(V)
    *_, gradient = evaluate(vjp_program(program, [0]), [V, V, V, V])
    np.testing.assert_allclose(gradient, 4 * V)


def test_integers_carry_no_influence() -> None:
    program = sf.make_program(lambda x, y: (x > 0).astype(np.float64) * y)(X, X)
    assert influencing_inputs(program) == {1}

"""Taylor programs: coefficients to order eight, and composition with the other transforms."""

from __future__ import annotations

import itertools
import math
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.ir.program import Program
from sciml.framework.ir.verifier import verify
from sciml.framework.transforms.batching import vmap_program
from sciml.framework.transforms.forward import jvp_program
from sciml.framework.transforms.reverse import vjp_program
from sciml.framework.transforms.taylor import below, taylor_program
from sciml.framework.transforms.trace import evaluate

ONE = np.asarray(1.0)


def coefficients(function: Any, x: float, order: int) -> np.ndarray:
    """Normalised coefficients 0..order at a point."""
    program = taylor_program(
        sf.make_program(function)(np.asarray(x)), [[(1,)]], [(k,) for k in range(order + 1)]
    )
    return np.array([float(v) for v in evaluate(program, [np.asarray(x), ONE])])


def test_coefficients_of_a_composition_to_order_eight() -> None:
    with mp.workdps(40):
        exact = mp.taylor(lambda x: mp.tanh(mp.sin(1 + 2 * x - x**3)), 0.3, 8)
    got = coefficients(lambda x: sf.tanh(sf.sin(1.0 + 2.0 * x - x**3)), 0.3, 8)
    np.testing.assert_allclose(got, [float(c) for c in exact], rtol=1e-10)


def test_coefficients_of_a_network_to_order_eight() -> None:
    rng = np.random.default_rng(0)
    w1, b1, w2, w3 = (rng.normal(size=s) for s in ((1, 4), (4,), (4, 4), (4, 1)))

    def exactly(x: Any) -> Any:
        h = [mp.tanh(x * mp.mpf(w) + mp.mpf(b)) for w, b in zip(w1[0], b1, strict=True)]
        z = [mp.tanh(mp.fsum(a * mp.mpf(w2[i, j]) for i, a in enumerate(h))) for j in range(4)]
        return mp.fsum(a * mp.mpf(w) for a, w in zip(z, w3[:, 0], strict=True))

    def network(x: Any) -> Any:
        return (sf.tanh(sf.tanh(sf.reshape(x, (1, 1)) @ w1 + b1) @ w2) @ w3)[0, 0]

    with mp.workdps(40):
        exact = [float(c) for c in mp.taylor(exactly, 0.2, 8)]
    np.testing.assert_allclose(coefficients(network, 0.2, 8), exact, rtol=1e-10)


def test_the_indices_below_a_multi_index() -> None:
    assert sorted(below((2, 1))) == [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]


def second(program: Program) -> Program:
    """(x, direction) -> the coefficient of order two."""
    seeds = [[(1,)]] + [[] for _ in program.inputs[1:]]
    return taylor_program(program, seeds, [(2,)])


TRANSFORMS = {
    "taylor": second,
    "jvp": lambda p: jvp_program(p, [0]),
    "vjp": lambda p: vjp_program(p, [0]),
    "vmap": lambda p: vmap_program(p, [True] * len(p.inputs), 2),
}


@pytest.mark.parametrize("names", list(itertools.product(TRANSFORMS, repeat=3)))
def test_transforms_compose_in_every_order(names: tuple[str, ...]) -> None:
    """Program to Program: the compiled result is the evaluated one, whatever was applied."""
    program = sf.make_program(lambda x: sf.tanh(sf.sin(x) * x))(np.ones(3))
    for name in names:
        program = TRANSFORMS[name](program)
        verify(program)
    rng = np.random.default_rng(1)
    arrays = [np.asarray(rng.normal(size=v.type.shape)) for v in program.inputs]
    expected = evaluate(program, arrays)
    got = sf.jit(lambda *a: tuple(sf_inline(program, a)))(*arrays)
    for a, b in zip(got, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-12)


def sf_inline(program: Program, arguments: Any) -> list[Any]:
    from sciml.framework.ops.tensor import unwrap, wrap
    from sciml.framework.transforms.trace import inline

    return [wrap(o) for o in inline(program, [unwrap(a) for a in arguments])]


def test_the_gradient_of_a_taylor_coefficient() -> None:
    """d/dx of f''(x)/2 is f'''(x)/2."""
    program = vjp_program(second(sf.make_program(sf.sin)(ONE)), [0])
    _, gradient = evaluate(program, [np.asarray(0.4), ONE, ONE])
    assert float(gradient) == pytest.approx(-math.cos(0.4) / 2, rel=1e-14)

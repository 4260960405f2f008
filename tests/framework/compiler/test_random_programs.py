"""jit against evaluation on random programs: sizes, threads, gradients, vmap, derivatives."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sciml.framework as sf
from sciml.framework.core.tree import flatten
from sciml.framework.errors import ScimlError

from .random_programs import RandomProgram, random_arguments, random_program

SIZES = (1, 2, 7, 8, 9, 15, 33, 70, 255, 256, 257, 300, 513)
SEEDS = st.integers(0, 2**32 - 1)
FEW = settings(deadline=None, max_examples=10, suppress_health_check=list(HealthCheck))
MANY = settings(FEW, max_examples=600)


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCIML_CACHE_DIR", "")


def evaluated(function: Any, arguments: Any) -> Any:
    with np.errstate(all="ignore"):
        return function(*arguments)


def compare(compiled: Any, function: Any, arguments: Any, dtype: Any, what: str) -> None:
    """The same results, or an error in both: nothing has no maximum and no mean."""
    try:
        expected = evaluated(function, arguments)
    except (ScimlError, ValueError, IndexError):
        with pytest.raises((ScimlError, ValueError, IndexError)):
            compiled(*arguments)
        return
    check(evaluated(compiled, arguments), expected, dtype, what)


def check(got: Any, expected: Any, dtype: Any, what: str) -> None:
    got, expected = flatten(got)[0], flatten(expected)[0]
    assert len(got) == len(expected)
    tolerance = 1e-9 if dtype == np.float64 else 2e-3
    for k, (a, b) in enumerate(zip(got, expected, strict=True)):
        a, b = np.asarray(a), np.asarray(b)
        assert (a.shape, a.dtype) == (b.shape, b.dtype), f"result {k} of\n{what}"
        if b.dtype.kind != "f":
            np.testing.assert_array_equal(a, b, err_msg=what)
            continue
        scale = float(np.abs(b[np.isfinite(b)]).max(initial=1.0))
        np.testing.assert_allclose(
            a, b, rtol=tolerance, atol=tolerance * scale, err_msg=f"result {k} of\n{what}"
        )


def agree_at_several_sizes(seed: int) -> None:
    source = random.Random(seed)
    program = random_program(source)
    compiled = sf.jit(program, threads=source.choice([1, 2, 3]))
    for k in range(3):
        n, m = source.choice(SIZES), source.choice(SIZES)
        arguments = random_arguments(program, n, m, seed + k)
        what = f"N {n}, M {m}, seed {seed}\n{program!r}"
        compare(compiled, program, arguments, program.dtype, what)


def loss_of(program: RandomProgram) -> Any:
    def loss(*arguments: Any) -> Any:
        total = 0.0
        for k, value in enumerate(program(*arguments)):
            total = total + (sf.sin(value + 0.3 * k) * (1.0 + 0.1 * k)).mean()
        return total

    return loss


def gradients_agree(seed: int) -> None:
    source = random.Random(seed)
    program = random_program(source, smooth=True)
    chosen = tuple(range(len(program.arguments)))
    gradient = sf.value_and_grad(loss_of(program), chosen, allow_unused=True)
    compiled = sf.jit(gradient, threads=source.choice([1, 2]))
    for k in range(2):
        n, m = source.choice(SIZES), source.choice(SIZES)
        arguments = random_arguments(program, n, m, seed + k)
        what = f"N {n}, M {m}, seed {seed}\n{program!r}"
        compare(compiled, gradient, arguments, program.dtype, what)


def vmap_agrees(seed: int) -> None:
    source = random.Random(seed)
    program = random_program(source)
    n, count = source.choice((1, 3, 9)), source.choice((1, 2, 9, 40))
    rows = [random_arguments(program, n, n, seed + k) for k in range(count)]
    stacked = [np.stack(column) for column in zip(*rows, strict=True)]

    def each(*_: Any) -> Any:
        return [np.stack(c) for c in zip(*(program(*row) for row in rows), strict=True)]

    mapped = sf.vmap(program)
    what = f"N {n}, batch {count}, seed {seed}\n{program!r}"
    compare(mapped, each, stacked, program.dtype, what)
    compare(sf.jit(mapped), each, stacked, program.dtype, what)


def field_of(source: random.Random) -> Any:
    """A pointwise function of (points, 2) from random layers."""
    rng = np.random.default_rng(source.randrange(2**31))
    names = [source.choice(["tanh", "sin", "atan", "logistic", "exp"]) for _ in range(3)]
    width = source.choice([1, 3, 8, 20])
    first, second = rng.normal(size=(2, width)), rng.normal(size=(width, width)) / width
    out = source.choice([1, 2])

    def u(X: Any) -> Any:
        h = getattr(sf, names[0])(0.5 * (X @ first))
        h = getattr(sf, names[1])(h @ second) * X[:, :1] + h**2
        h = h / (1.5 + getattr(sf, names[2])(X[:, 1:])) + sf.sqrt(1.0 + h * h)
        return h.sum(axis=1) if out == 1 else h

    return u


def derivatives_agree(seed: int) -> None:
    source = random.Random(seed)
    indices = [(source.randrange(4), source.randrange(4)) for _ in range(source.randint(1, 3))]
    function = sf.derivatives(field_of(source), indices)
    compiled = sf.jit(function)
    for n in (source.choice(SIZES), source.choice(SIZES)):
        X = np.random.default_rng(seed).uniform(-1, 1, size=(n, 2))
        check(compiled(X), evaluated(function, (X,)), np.float64, f"seed {seed}, {indices}, N {n}")


CHECKS = [agree_at_several_sizes, gradients_agree, vmap_agrees, derivatives_agree]


@pytest.mark.parametrize("agree", CHECKS)
def test_random_programs(agree: Any) -> None:
    FEW(given(SEEDS)(agree))()


@pytest.mark.slow
@pytest.mark.parametrize("agree", CHECKS)
def test_many_random_programs(agree: Any) -> None:
    MANY(given(SEEDS)(agree))()

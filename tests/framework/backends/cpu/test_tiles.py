"""The tile: chosen by the cache model, checked by measurement at the first call, kept on disk."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.backends.cpu import backend as backend_module
from sciml.framework.backends.cpu.native import host

RNG = np.random.default_rng(0)


def parameters(width: int, dtype: str) -> list[Any]:
    sizes = (2, width, width, width, width, 1)
    return [(RNG.normal(size=s) * 0.1).astype(dtype) for s in itertools.pairwise(sizes)]


def plate_loss(params: list[Any], X: Any) -> Any:
    def w(X: Any) -> Any:
        for W in params[:-1]:
            X = sf.tanh(X @ W)
        return (X @ params[-1])[:, 0]

    return ((sf.biharmonic(w)(X) - 1.0) ** 2).mean()


def loop(step: Any) -> Any:
    """The only tile loop of the program that a jitted function has compiled."""
    ((compiled,),) = step._known.values()
    (found,) = compiled.executable.plan.loops
    return found


class Clock:
    """A clock by which a tile of `fast` points takes no time, and every other one second."""

    def __init__(self, fast: int) -> None:
        self.fast = fast
        self.now = 0.0
        self.tile = 0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clocked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    monkeypatch.setenv("SCIML_CACHE_DIR", str(tmp_path))
    run_range = backend_module.CpuExecutable._run_range

    def install(fast: int) -> list[int]:
        clock, measured = Clock(fast), []

        def timed(self: Any, step: Any, *rest: Any) -> Any:
            measured.append(step.tile)
            clock.now += 0.0 if step.tile == fast else 1.0
            return run_range(self, step, *rest)

        monkeypatch.setattr(backend_module, "time", clock)
        monkeypatch.setattr(backend_module.CpuExecutable, "_run_range", timed)
        return measured

    return install


def square(X: Any) -> Any:
    return (sf.tanh(X) ** 2).mean()


@pytest.mark.parametrize("fast", [128, 256])
def test_the_fastest_tile_is_taken_and_found_again(clocked: Any, fast: int) -> None:
    """A small program fits the largest tile, so that it and half of it are measured."""
    X = RNG.normal(size=(4000, 3))
    measured = clocked(fast)
    step = sf.jit(square, threads=1)
    value = step(X)
    assert loop(step).tile == fast
    assert set(measured) == {128, 256}
    np.testing.assert_allclose(value, np.mean(np.tanh(X) ** 2), rtol=1e-13)
    clocked(384 - fast)
    again = sf.jit(square, threads=1)
    assert again(X) == value
    assert loop(again).tile == fast


def test_too_few_points_are_not_measured(clocked: Any) -> None:
    clocked(128)
    step = sf.jit(square, threads=1)
    step(RNG.normal(size=(600, 3)))
    assert loop(step).tile == 256


def test_without_a_cache_the_model_alone_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be kept is not measured, so that another process adds in the same order."""
    monkeypatch.setenv("SCIML_CACHE_DIR", "")
    step = sf.jit(square)
    step(RNG.normal(size=(4000, 3)))
    assert loop(step).tile == loop(step).largest_tile == 256


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("width", [16, 64, 128])
def test_scratch_memory_of_the_plate_step_fits_the_cache(
    width: int, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCIML_CACHE_DIR", "")
    step = sf.jit(sf.value_and_grad(plate_loss))
    step(parameters(width, dtype), RNG.uniform(size=(96, 2)).astype(dtype))
    assert loop(step).arena_bytes <= max(host().cache_bytes, 512 * 1024)


def test_every_tile_gives_the_same_gradient(clocked: Any) -> None:
    params, X = parameters(16, "float64"), RNG.uniform(size=(2048, 2))
    expected = sf.value_and_grad(plate_loss)(params, X)
    step = sf.jit(sf.value_and_grad(plate_loss))
    clocked(10**9)
    step(params, X)
    ((compiled,),) = step._known.values()
    executable: Any = compiled.executable
    largest = executable.plan.loops[0].largest_tile
    for tile in (1, 3, largest // 4, largest):
        executable.plan = executable.plan.with_tiles([tile])
        value, gradient = step(params, X)
        np.testing.assert_allclose(value, expected[0], rtol=1e-12)
        for a, b in zip(gradient, expected[1], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-10, atol=1e-12)

"""Running compiled programs: threads of the caller, failures, kept memory, BLAS limits."""

from __future__ import annotations

import gc
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
from threadpoolctl import ThreadpoolController

import sciml.framework as sf
from sciml.framework.backends.cpu import backend as backend_module
from sciml.framework.backends.cpu.native import single_threaded_blas


@pytest.fixture(autouse=True)
def no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCIML_CACHE_DIR", "")


W = np.random.default_rng(0).normal(size=(3, 3))


def loss(X: Any) -> Any:
    return (sf.tanh(X @ W) ** 2).mean(axis=0)


def points(count: int) -> np.ndarray:
    return np.random.default_rng(count).normal(size=(count, 3))


@pytest.mark.parametrize("threads", [1, 2, 3, 50])
@pytest.mark.parametrize("count", [8, 255, 257, 5000])
def test_more_threads_than_tiles(threads: int, count: int) -> None:
    got = sf.jit(loss, threads=threads)(points(count))
    np.testing.assert_allclose(got, loss(points(count)), rtol=1e-13)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_wide_first_layer_has_few_long_tiles(threads: int, dtype: type) -> None:
    """Its weights and their gradient do not fit the cache, so short tiles would read them often."""
    rng = np.random.default_rng(0)
    X, w = (rng.normal(size=s).astype(dtype) for s in ((37, 60_000), (60_000, 64)))

    def loss(weights: Any, X: Any) -> Any:
        return ((sf.sin(X) @ weights[0]) ** 2).mean()

    step = sf.jit(sf.value_and_grad(loss), threads=threads)
    value, (gradient,) = step([w], X)
    ((compiled,),) = step._known.values()
    (loop,) = compiled.executable.plan.loops
    assert loop.tile > 37
    S = np.sin(X.astype(np.float64))
    Y = S @ w
    # sums of 60,000 terms of order one, whose size is of order 250
    bound = 1e-12 if dtype == np.float64 else 1e-4
    np.testing.assert_allclose(value, (Y**2).mean(), rtol=bound)
    exact = S.T @ Y * (2 / Y.size)
    np.testing.assert_allclose(gradient, exact, rtol=0, atol=bound * np.abs(exact).max())
    np.testing.assert_array_equal(step([w], X)[1][0], gradient)


def test_many_callers_at_once_get_their_own_results() -> None:
    step = sf.jit(loss, threads=2)
    other = sf.jit(lambda X: loss(X) * 2.0, threads=2)
    sizes = [9 + 37 * k for k in range(24)]

    def call(count: int) -> bool:
        X = points(count)
        same = np.allclose(step(X), loss(X), rtol=1e-12)
        return bool(same and np.allclose(other(X), 2 * loss(X), rtol=1e-12))

    before = [m["num_threads"] for m in ThreadpoolController().info()]
    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(call, sizes * 3))
    assert [m["num_threads"] for m in ThreadpoolController().info()] == before


def test_the_limit_holds_where_another_thread_has_set_one_before() -> None:
    """Entered and left by two threads, neither of them the one that threadpoolctl obeys."""
    guard = single_threaded_blas()
    controller = ThreadpoolController().select(user_api="blas")

    def counts() -> set[int]:
        return {m["num_threads"] for m in controller.info()}

    before = controller.limit(limits=2)
    assert counts() == {2}
    with ThreadPoolExecutor(1) as first, ThreadPoolExecutor(1) as last:
        first.submit(guard.__enter__).result()
        assert counts() == {1}
        last.submit(guard.__exit__).result()
        assert counts() == {2}
    before.restore_original_limits()


def test_a_failure_inside_a_call_leaves_nothing_locked(monkeypatch: pytest.MonkeyPatch) -> None:
    step = sf.jit(loss, threads=2)
    expected = step(points(900))
    before = [m["num_threads"] for m in ThreadpoolController().info()]
    with monkeypatch.context() as patch:

        def fail(*_: object) -> Any:
            raise MemoryError("no memory")

        patch.setattr(backend_module, "neutral", fail)
        with pytest.raises(MemoryError, match="no memory"):
            step(points(900))
    assert [m["num_threads"] for m in ThreadpoolController().info()] == before
    np.testing.assert_array_equal(step(points(900)), expected)


def test_memory_is_flat_over_many_calls() -> None:
    step = sf.jit(loss, threads=2)
    arrays = [points(count) for count in (20, 300, 600)]

    def call(times: int) -> int:
        for k in range(times):
            step(arrays[k % 3])
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        first = call(600)
        # one small object per call would be 150 kB; what else a process does is less than that
        assert call(3000) - first < 100_000
    finally:
        tracemalloc.stop()


def test_sums_that_overflow_give_infinity_without_a_warning(recwarn: Any) -> None:
    X = np.full((5000, 1), 3e38, np.float32)
    assert sf.jit(lambda X: X.sum(), threads=2)(X) == np.inf
    assert not recwarn.list


def test_folds_of_every_kind_start_at_their_neutral_element() -> None:
    n = np.arange(-400, -100)
    step = sf.jit(lambda n: (n.max(), n.min(), n.sum(), sf.sign(n).prod()), threads=2)
    assert [int(v) for v in step(n)] == [n.max(), n.min(), n.sum(), 1]
    u = (n + 500).astype(np.uint32)
    assert [int(v) for v in sf.jit(lambda u: (u.max(), u.min()))(u)] == [u.max(), u.min()]


@pytest.mark.parametrize("position", [0, 150, 299])
def test_a_nan_reaches_every_fold(position: int) -> None:
    x = np.linspace(1, 2, 300)
    x[position] = np.nan
    step = sf.jit(lambda x: (x.max(), x.min(), x.sum(), x.prod()), threads=2)
    assert all(np.isnan(v) for v in step(x))

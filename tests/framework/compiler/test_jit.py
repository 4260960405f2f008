"""jit: the same numbers as NumPy evaluation, one compilation for all sizes, the same bits again."""

from __future__ import annotations

import itertools
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.core.tree import flatten
from sciml.framework.errors import LoweringError, ShapeError, TraceError


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCIML_CACHE_DIR", str(tmp_path / "kernels"))


def network(sizes: tuple[int, ...], dtype: Any = np.float64) -> list[dict[str, Any]]:
    rng = np.random.default_rng(0)
    return [
        {"w": (rng.normal(size=(a, b)) / np.sqrt(a)).astype(dtype),
         "b": (0.1 * rng.normal(size=b)).astype(dtype)}
        for a, b in itertools.pairwise(sizes)
    ]  # fmt: skip


def forward(params: Any, X: Any) -> Any:
    for layer in params[:-1]:
        X = sf.tanh(X @ layer["w"] + layer["b"])
    return (X @ params[-1]["w"] + params[-1]["b"])[:, 0]


def plate_loss(params: Any, X: Any) -> Any:
    a, b, c = sf.derivatives(lambda X: forward(params, X), [(4, 0), (2, 2), (0, 4)])(X)
    return ((a + 2.0 * b + c - 1.0) ** 2).mean()


PLATE = sf.value_and_grad(plate_loss, allow_unused=True)


def points(count: int, dtype: Any = np.float64) -> np.ndarray:
    return np.random.default_rng(1).uniform(size=(count, 2)).astype(dtype)


def assert_close(got: Any, expected: Any, tolerance: float) -> None:
    for a, b in zip(flatten(got)[0], flatten(expected)[0], strict=True):
        scale = float(np.abs(np.asarray(b)).max(initial=0.0))
        np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance * scale)


@pytest.mark.parametrize("sizes", [(2, 16, 16, 1), (2, 7, 5, 3, 1), (2, 64, 1)])
@pytest.mark.parametrize("count", [1, 2, 9, 33, 1000])
def test_the_plate_step_agrees_with_evaluation(sizes: tuple[int, ...], count: int) -> None:
    params, X = network(sizes), points(count)
    assert_close(sf.jit(PLATE)(params, X), PLATE(params, X), 1e-12)


def test_single_precision() -> None:
    params, X = network((2, 32, 32, 1)), points(500)
    single = [{k: v.astype(np.float32) for k, v in p.items()} for p in params]
    value, gradient = sf.jit(PLATE)(single, X.astype(np.float32))
    assert value.dtype == np.float32
    assert_close((value, gradient), PLATE(params, X), 1e-4)


def test_a_float32_sum_over_many_points_keeps_its_digits() -> None:
    X = points(1_000_000, np.float32)
    got = sf.jit(lambda X: (X * X).sum())(X)
    assert float(got) == pytest.approx(np.sum(X.astype(np.float64) ** 2), rel=2e-6)


def test_one_compilation_serves_every_batch_size() -> None:
    step = sf.jit(PLATE)
    params = network((2, 16, 1))
    for count in (50, 8, 3000, 51, 12):
        assert_close(step(params, points(count)), PLATE(params, points(count)), 1e-12)
    assert step.compilations == 1


def test_batches_of_two_sizes_share_one_program() -> None:
    def loss(params: Any, inside: Any, edge: Any) -> Any:
        residual = sf.laplacian(lambda X: forward(params, X))(inside)
        return (residual**2).mean() + 10.0 * (forward(params, edge) ** 2).mean()

    step = sf.jit(sf.value_and_grad(loss))
    params = network((2, 12, 12, 1))
    for inside, edge in ((100, 40), (17, 200)):
        expected = sf.value_and_grad(loss)(params, points(inside), points(edge))
        assert_close(step(params, points(inside), points(edge)), expected, 1e-12)
    assert step.compilations == 1
    equal = sf.value_and_grad(loss)(params, points(64), points(64))
    assert_close(step(params, points(64), points(64)), equal, 1e-12)


def test_the_same_seed_and_threads_give_the_same_bits() -> None:
    params, X = network((2, 32, 32, 1)), points(5000)
    for threads in (1, 2, 3):
        first = flatten(sf.jit(PLATE, threads=threads)(params, X))[0]
        again = sf.jit(PLATE, threads=threads)
        for _ in range(3):
            for a, b in zip(first, flatten(again(params, X))[0], strict=True):
                assert np.asarray(a).tobytes() == np.asarray(b).tobytes()


def test_a_second_start_reads_the_disk_cache(tmp_path: Path, monkeypatch: Any) -> None:
    params, X = network((2, 8, 1)), points(20)
    first = sf.jit(PLATE)(params, X)
    assert list((tmp_path / "kernels").glob("*.bin"))
    from sciml.framework.backends.cpu import backend

    def refuse(*_: object) -> Any:
        raise AssertionError("compiled again")

    monkeypatch.setattr(backend, "compile_object", refuse)
    assert_close(sf.jit(PLATE)(params, X), first, 0.0)


def test_a_damaged_cache_entry_is_not_used(tmp_path: Path) -> None:
    params, X = network((2, 8, 1)), points(20)
    first = sf.jit(PLATE)(params, X)
    (entry,) = (p for p in (tmp_path / "kernels").glob("*.bin") if "-plan" not in p.name)
    data = bytearray(entry.read_bytes())
    data[len(data) // 2] ^= 255
    entry.write_bytes(bytes(data))
    assert_close(sf.jit(PLATE)(params, X), first, 0.0)
    entry.write_bytes(b"short")
    assert_close(sf.jit(PLATE)(params, X), first, 0.0)


@pytest.mark.parametrize("function", [
    lambda X: X - X.mean(),
    lambda X: ((X - X.mean(axis=0)) ** 2).mean(),
    lambda X: X / X.max(),
    lambda X: X[::-1] * X,
    lambda X: sf.concatenate([X, X * 2.0]),
    lambda X: X @ X.T,
    lambda X: sf.sin(X).T,
    lambda X: (X[:, 0] * 2.0, X.sum(), X),
    lambda X: X[1:] - X[:-1],
    lambda X: sf.where(X[:, :1] > 0.5, X, 0.0).prod(axis=1),
    lambda X: (X > 0.5) & (X < 0.7),
    lambda X: X.min(axis=0) + X.max(),
    lambda X: X.reshape(-1),
    lambda X: sf.vmap(lambda x: x @ x)(X),
    lambda X: sf.take(X, np.array([0, 3, 3])),
    lambda X: X.T @ sf.tanh(X),
    lambda X: sf.sqrt((X**2).sum(axis=1)),
    lambda X: X.shape[0] * X,
    lambda X: X * np.arange(2.0),
    lambda X: np.ones(3),
])  # fmt: skip
def test_programs_of_every_kind_agree_with_evaluation(function: Any) -> None:
    X = points(301)
    assert_close(sf.jit(function)(X), function(X), 1e-13)
    assert_close(sf.jit(function, threads=1)(X[:9]), function(X[:9]), 1e-13)


def test_gradients_through_reductions_need_several_loops() -> None:
    def loss(w: Any, X: Any) -> Any:
        z = sf.tanh(X @ w)
        return sf.sqrt(((z - z.mean(axis=0)) ** 2).mean()) + sf.log(sf.exp(z).sum())

    w, X = network((2, 5))[0]["w"], points(77)
    assert_close(sf.jit(sf.grad(loss))(w, X), sf.grad(loss)(w, X), 1e-11)


def test_an_empty_batch() -> None:
    step = sf.jit(lambda X: (X * 2.0).sum())
    step(points(20))
    assert float(step(np.zeros((0, 2)))) == 0.0


def test_non_contiguous_and_integer_arguments() -> None:
    X = np.asfortranarray(points(40))
    assert_close(sf.jit(lambda X: X * 2.0)(X), X * 2, 0.0)
    n = np.arange(40)[::-1]
    np.testing.assert_array_equal(sf.jit(lambda n: n * 2 + 1)(n), n * 2 + 1)


def test_closed_over_arrays_are_copied_at_the_first_call() -> None:
    data = np.linspace(0, 1, 50)
    step = sf.jit(lambda x: (x * data).sum())
    before = step(np.ones(50))
    data[:] = 0
    assert float(step(np.ones(50))) == float(before)


def test_jit_inside_a_transform_is_part_of_the_program() -> None:
    inner = sf.jit(lambda x: sf.sin(x) * x)
    x = np.linspace(0, 1, 5)
    np.testing.assert_allclose(
        sf.grad(lambda x: inner(x).sum())(x), np.cos(x) * x + np.sin(x), rtol=1e-15
    )


def test_decorator_with_options() -> None:
    @sf.jit(threads=1, symbolic=False)
    def double(x: Any) -> Any:
        """Twice x."""
        return x * 2

    assert double.__doc__ == "Twice x."
    assert double(np.ones(2)).tolist() == [2.0, 2.0]
    assert double.compile_time_s > 0


def test_memory_of_a_tile_loop_does_not_depend_on_the_batch() -> None:
    step = sf.jit(PLATE)
    params = network((2, 64, 64, 1))
    step(params, points(100))
    (compiled,) = next(iter(step._known.values()))
    kept = compiled.executable._memory  # type: ignore[attr-defined]
    before = sum(a.nbytes for a in kept.values())
    step(params, points(50_000))
    assert sum(a.nbytes for a in kept.values()) == before


def test_explain_shows_every_pass_with_counts() -> None:
    text = sf.jit(PLATE).explain(network((2, 4, 1)), points(20))
    for word in ("// trace:", "// tile:", "// fuse:", "loop.tile", "loop.fused", "kernel.product"):
        assert word in text


def test_an_unknown_back_end_is_named() -> None:
    with pytest.raises(LoweringError, match="'abacus'"):
        sf.jit(lambda x: x, backend="abacus")(np.ones(3))


def test_rounding_mode_and_denormals_survive_compilation() -> None:
    """No step may switch the process to flushing denormals to zero."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sf.jit(PLATE)(network((2, 8, 1)), points(20))
    assert 5e-324 * 0.5 == 0.0
    assert np.float64(2.0**-1060) * np.float64(2.0**-10) == 2.0**-1070


def check_sizes(function: Any, *counts: int) -> None:
    """The same compiled function at several sizes against evaluation at each."""
    compiled = sf.jit(function)
    for count in counts:
        X = points(count)
        assert_close(compiled(X), function(X), 1e-12)


@pytest.mark.parametrize("function", [
    lambda X: X[:50].sum(),
    lambda X: X[20:] * 1.0,
    lambda X: X[7] * 2.0,
    lambda X: X[1:-1].sum(axis=0),
    lambda X: X.sum() * (2.0 if X.shape[0] == 301 else 1.0),
    lambda X: X.sum() * (0.5 * X.shape[0]),
    lambda X: X.sum() / np.sqrt(X.shape[0]),
    lambda X: X[:, 0] * np.ones(X.shape[0]),
    lambda X: X[:, 0] * np.arange(X.shape[0]) / (X.shape[0] % 7 + 1),
    lambda X: (X.mean(axis=0) if X.shape[0] != 1 else X[0]) * 2.0,
])  # fmt: skip
def test_what_a_trace_took_for_granted_is_checked_at_every_size(function: Any) -> None:
    """A slice of 50 rows must not read beyond 30, a comparison must be decided again."""
    check_sizes(function, 301, 30, 9, 64, 8, 301)


def test_sizes_that_become_equal_are_traced_again() -> None:
    def loss(X: Any, Y: Any) -> Any:
        return X + Y if X.shape == Y.shape else X.sum() * Y

    step = sf.jit(loss)
    for a, b in ((20, 30), (20, 20), (30, 30), (9, 20)):
        assert_close(step(points(a), points(b)), loss(points(a), points(b)), 1e-13)


def test_an_empty_batch_has_no_maximum() -> None:
    step = sf.jit(lambda X: X.max())
    step(points(20))
    with pytest.raises(ShapeError, match="no elements"):
        step(points(0))


@pytest.mark.parametrize("function", [
    lambda x: x[:, None] * 2.0,
    lambda x: (x[:, None] @ np.ones((1, 3))).sum(axis=0),
    lambda x: x.reshape(-1, 1, 1).transpose(2, 0, 1),
])  # fmt: skip
def test_a_reshaped_argument_is_read_at_its_tile(function: Any) -> None:
    for count in (8, 300, 1000):
        x = np.linspace(0, 1, count)
        assert_close(sf.jit(function)(x), function(x), 1e-13)


@pytest.mark.parametrize("function", [
    lambda X: X.T[::-1] * 2.0,
    lambda X: (X.T / X.max()) @ X,
    lambda X: sf.tanh(X.T - X.T.mean(axis=1, keepdims=True)).sum(axis=0),
    lambda X: sf.where(X.T[::-1] > 0.5, 1.0, X.T),
])  # fmt: skip
def test_the_batch_may_be_an_inner_axis(function: Any) -> None:
    check_sizes(function, 301, 8, 256, 257)


def test_products_of_different_layout_and_depth_that_are_summed() -> None:
    W = network((2, 2))[0]["w"]

    def function(X: Any) -> Any:
        Z = sf.tanh(sf.tanh(X) @ W)
        return Z.T @ X + X.T @ X + (X.T[::-1] @ Z).T

    check_sizes(function, 40, 300)


@pytest.mark.parametrize("function", [
    lambda X: X[:, :0] @ np.ones((0, 3)),
    lambda X: X @ np.ones((2, 0)),
    lambda X: (X[:, :0].T @ X, X[:, :0].sum(axis=1), X[:, :0].prod(axis=0)),
])  # fmt: skip
def test_axes_without_elements(function: Any, capfd: Any) -> None:
    check_sizes(function, 40, 0)
    assert capfd.readouterr().err == ""


def test_a_compiled_closure_over_a_traced_value_is_part_of_the_program() -> None:
    def outer(a: Any) -> Any:
        return sf.jit(lambda x: (a * x).sum())(points(20))

    assert float(sf.grad(outer)(np.asarray(2.0))) == pytest.approx(points(20).sum())


def test_a_traced_value_that_outlived_its_trace_is_refused() -> None:
    kept: list[Any] = []
    sf.make_program(lambda x: kept.append(x) or x)(np.ones(3))
    with pytest.raises(TraceError, match="has returned"):
        sf.jit(lambda y: y * kept[0])(np.ones(3))


def test_an_extremum_is_attained_in_every_loop() -> None:
    """A second loop that rounds z otherwise would find no element equal to the maximum."""
    for seed in range(12):
        a, b, _ = np.random.default_rng(seed).normal(size=3)

        def loss(X: Any, a: float = a, b: float = b) -> Any:
            p = a * X[:, 0] * X[:, 1]
            z = p + b * X[:, 0]
            hits = sf.where(z == z.max(), 1.0, 0.0) * sf.exp(p)
            return hits.sum() + z.max() * sf.exp(p * p - z.max()).mean()

        X = np.random.default_rng(seed).normal(size=(301, 2))
        step = sf.value_and_grad(loss)
        assert_close(sf.jit(step)(X), step(X), 1e-10)

"""The plate step: loss and parameter gradient of the biharmonic residual of a tanh MLP.

    python tests/benchmarks/plate_step.py            # this project and the floor
    python tests/benchmarks/plate_step.py --peers    # with JAX and PyTorch, if installed

mean((w_xxxx + 2 w_xxyy + w_yyyy - 1)^2) of an MLP 2 -> 64 x 4 -> 1 at N = 2048 points. All versions
run the same mathematics on the same arrays in the same process run, one after the other; the
figures to quote are medians and ratios, not absolute times. The floor is the time of the matrix
products alone, 3 x 13 x 2 x 64^2 x 3 floating point operations per point, at the rate of a large
product in the same BLAS measured in this run.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

LAYERS = (2, 64, 64, 64, 64, 1)
POINTS = 2048
INDICES = [(4, 0), (2, 2), (0, 4)]
Params = list[dict[str, Any]]


def parameters(dtype: str, seed: int = 0) -> Params:
    """Glorot-normal weights and small biases."""
    rng = np.random.default_rng(seed)
    return [
        {
            "w": (rng.normal(size=(a, b)) * np.sqrt(2.0 / (a + b))).astype(dtype),
            "b": (rng.normal(size=b) * 0.1).astype(dtype),
        }
        for a, b in itertools.pairwise(LAYERS)
    ]


def points(dtype: str, count: int = POINTS) -> np.ndarray:
    """Uniform points of the unit square."""
    return np.random.default_rng(1).uniform(size=(count, 2)).astype(dtype)


def time_call(call: Callable[[], object], repeats: int) -> dict[str, float]:
    """Median, smallest and first time of a call [ms]; the first one compiles."""
    begin = time.perf_counter()
    call()
    first = time.perf_counter() - begin
    call()
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return {
        "median_ms": statistics.median(times) * 1e3,
        "min_ms": min(times) * 1e3,
        "first_call_s": first,
    }


# --- this project ---------------------------------------------------------------------------


def user_loss(params: Params, X: Any) -> Any:
    """The loss as a user writes it."""
    import sciml.framework as sf

    def w(X: Any) -> Any:
        h = X
        for layer in params[:-1]:
            h = sf.tanh(h @ layer["w"] + layer["b"])
        return (h @ params[-1]["w"] + params[-1]["b"])[:, 0]

    w_xxxx, w_xxyy, w_yyyy = sf.derivatives(w, INDICES)(X)
    return ((w_xxxx + 2.0 * w_xxyy + w_yyyy - 1.0) ** 2).mean()


def own_step(threads: int | None = None) -> Any:
    """The compiled step of this project."""
    import sciml.framework as sf

    return sf.jit(sf.value_and_grad(user_loss, allow_unused=True), threads=threads)


def bench_own(dtype: str, repeats: int) -> tuple[dict[str, Any], tuple[Any, Any]]:
    """Time this project: cold compile with an empty cache, warm from the disk cache, the step."""
    params, X = parameters(dtype), points(dtype)
    before = os.environ.get("SCIML_CACHE_DIR")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SCIML_CACHE_DIR"] = folder
        step = own_step()
        result = time_call(lambda: step(params, X), repeats)
        again = own_step()
        again(params, X)
        value = step(params, X)
    if before is None:
        del os.environ["SCIML_CACHE_DIR"]
    else:
        os.environ["SCIML_CACHE_DIR"] = before
    single = own_step(threads=1)
    one = time_call(lambda: single(params, X), max(3, repeats // 3))
    return {
        **result,
        "cold_compile_s": step.compile_time_s,
        "warm_start_s": again.compile_time_s,
        "one_thread_ms": one["median_ms"],
    }, value


def floor_ms(dtype: str) -> dict[str, float]:
    """Time of the products alone at the rate of a large product in the same BLAS."""
    from scipy.linalg import blas

    n = 2048
    rng = np.random.default_rng(0)
    a = np.asfortranarray(rng.normal(size=(n, n)).astype(dtype))
    gemm = blas.dgemm if dtype == "float64" else blas.sgemm
    gemm(1.0, a, a)
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        gemm(1.0, a, a)
        times.append(time.perf_counter() - begin)
    rate = 2 * n**3 / statistics.median(times)
    flops = POINTS * 3 * 13 * 2 * 64**2 * 3
    return {"gflops": rate / 1e9, "floor_ms": flops / rate * 1e3}


def memory_mb(count: int) -> float:
    """Peak memory of a fresh process that runs the step at this many points [MB]."""
    code = (
        "import sys; sys.path[:0] = [sys.argv[1]]\n"
        f"import plate_step as p; X = p.points('float64', {count})\n"
        "step = p.own_step(); step(p.parameters('float64'), X); print(p.peak_mb())\n"
    )
    here = os.path.dirname(os.path.abspath(__file__))
    out = subprocess.run(
        [sys.executable, "-c", code, here], check=True, capture_output=True, text=True
    )
    # the points themselves are the caller's
    return float(out.stdout) - count * 16 / 2**20


def peak_mb() -> float:
    """Peak memory of this process [MB]; getrusage would count the parent's before exec."""
    with open("/proc/self/status") as status:
        line = next(x for x in status if x.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


# --- JAX ------------------------------------------------------------------------------------


def jax_steps() -> dict[str, Callable[..., Any]]:
    """The formulations anyone can write with JAX's public functions, and hand-written ones."""
    import jax
    import jax.numpy as jnp
    from jax.experimental import jet

    def network(params: Params, x: Any) -> Any:
        h = x
        for layer in params[:-1]:
            h = jnp.tanh(h @ layer["w"] + layer["b"])
        return (h @ params[-1]["w"] + params[-1]["b"])[0]

    def loss_of(residual: Callable[..., Any]) -> Callable[..., Any]:
        def loss(params: Params, X: Any) -> Any:
            r = jax.vmap(lambda x: residual(params, x))(X)
            return jnp.mean((r - 1.0) ** 2)

        return jax.jit(jax.value_and_grad(loss))

    def nested(params: Params, x: Any) -> Any:
        laplacian = lambda f: lambda x: jnp.trace(jax.hessian(f)(x))  # noqa: E731
        return laplacian(laplacian(lambda x: network(params, x)))(x)

    def nested_jvp(params: Params, x: Any) -> Any:
        def second(f: Any, v: Any) -> Any:
            first = lambda x: jax.jvp(f, (x,), (v,))[1]  # noqa: E731
            return lambda x: jax.jvp(first, (x,), (v,))[1]

        e = jnp.eye(2, dtype=x.dtype)
        f = lambda x: network(params, x)  # noqa: E731
        g = lambda x: second(f, e[0])(x) + second(f, e[1])(x)  # noqa: E731
        return second(g, e[0])(x) + second(g, e[1])(x)

    def along(params: Params, x: Any, v: Any) -> Any:
        zero = jnp.zeros_like(v)
        _, terms = jet.jet(lambda x: network(params, x), (x,), ((v, zero, zero, zero),))
        return terms[3]

    def directions(params: Params, x: Any) -> Any:
        v = jnp.array([[1.0, 0], [0, 1], [1, 1], [1, -1]], dtype=x.dtype)
        d = jax.vmap(lambda v: along(params, x, v))(v)
        return (2 / 3) * (d[0] + d[1]) + (1 / 6) * (d[2] + d[3])

    steps = {
        "nested_hessian": loss_of(nested),
        "nested_jvp": loss_of(nested_jvp),
        "jet_four_directions": loss_of(directions),
    }
    for collapsed in (False, True):
        name = "hand_taylor_collapsed" if collapsed else "hand_taylor"
        steps[name] = jax.jit(jax.value_and_grad(hand_taylor_loss(jnp, collapsed)))
    return steps


def hand_taylor_loss(np_like: Any, collapsed: bool) -> Callable[..., Any]:
    """The multi-index Taylor propagation written out by hand, one stacked product per layer.

    With `collapsed` the three fourth-order coefficients are carried as the one combination that
    the residual needs, which leaves 11 coefficients instead of 13.
    """
    order = sorted(
        {(i, j) for a in INDICES for i in range(a[0] + 1) for j in range(a[1] + 1)},
        key=lambda a: (sum(a), a),
    )
    weights = {(4, 0): 24.0, (2, 2): 8.0, (0, 4): 24.0}
    lower = [a for a in order if sum(a) < 4]

    def minus(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
        return (a[0] - b[0], a[1] - b[1])

    def below(a: tuple[int, int]) -> list[tuple[int, int]]:
        return [(i, j) for i in range(a[0] + 1) for j in range(a[1] + 1)]

    def tanh_terms(z: dict[Any, Any], s: dict[Any, Any], a: Any, skip_top: bool) -> Any:
        i = 0 if a[0] and (not a[1] or a[0] <= a[1]) else 1
        total = 0.0
        for b in below(a):
            if b[i] and b in z and not (skip_top and b == a):
                total = total + (b[i] / a[i]) * z[b] * s[minus(a, b)]
        return total

    def loss(params: Params, X: Any) -> Any:
        z: dict[Any, Any] = {}
        first = params[0]
        z[(0, 0)] = X @ first["w"] + first["b"]
        z[(1, 0)] = np_like.broadcast_to(first["w"][0], z[(0, 0)].shape)
        z[(0, 1)] = np_like.broadcast_to(first["w"][1], z[(0, 0)].shape)
        top: Any = None
        for depth, layer in enumerate(params[1:], 1):
            y: dict[Any, Any] = {}
            s: dict[Any, Any] = {}
            for a in lower if collapsed else order:
                y[a] = np_like.tanh(z[a]) if a == (0, 0) else tanh_terms(z, s, a, False)
                if sum(a) < 4:
                    square = sum(y[b] * y[minus(a, b)] for b in below(a))
                    s[a] = (1.0 - square) if a == (0, 0) else -square
            stack = [y[a] for a in (lower if collapsed else order)]
            if collapsed:
                combined = sum(c * tanh_terms(z, s, a, True) for a, c in weights.items())
                if top is not None:
                    combined = combined + s[(0, 0)] * top
                stack.append(combined)
            if depth == len(params) - 1:
                tail = stack[-1] if collapsed else sum(c * y[a] for a, c in weights.items())
                return np_like.mean(((tail @ layer["w"])[:, 0] - 1.0) ** 2)
            out = np_like.stack(stack) @ layer["w"]
            names = lower if collapsed else order
            z = {a: out[k] for k, a in enumerate(names)}
            z[(0, 0)] = z[(0, 0)] + layer["b"]
            top = out[-1] if collapsed else None
        raise AssertionError

    return loss


# --- PyTorch --------------------------------------------------------------------------------


def torch_step(dtype: str) -> Callable[[], Any]:
    """Nested ``autograd.grad``, the usual way."""
    import torch

    params = [
        {k: torch.tensor(v, requires_grad=True) for k, v in layer.items()}
        for layer in parameters(dtype)
    ]
    X = torch.tensor(points(dtype))
    leaves = [t for layer in params for t in (layer["w"], layer["b"])][:-1]

    def grad(y: Any, x: Any) -> Any:
        return torch.autograd.grad(y.sum(), x, create_graph=True)[0]

    def step() -> Any:
        x = X[:, 0:1].clone().requires_grad_(True)
        y = X[:, 1:2].clone().requires_grad_(True)
        h = torch.cat([x, y], dim=1)
        for layer in params[:-1]:
            h = torch.tanh(h @ layer["w"] + layer["b"])
        w = h @ params[-1]["w"] + params[-1]["b"]
        laplacian = grad(grad(w, x), x) + grad(grad(w, y), y)
        residual = grad(grad(laplacian, x), x) + grad(grad(laplacian, y), y)
        loss = ((residual - 1.0) ** 2).mean()
        return loss.detach(), torch.autograd.grad(loss, leaves)

    return step


# --- comparison -----------------------------------------------------------------------------


def largest_difference(value: Any, reference: Any) -> float:
    """Largest difference of loss and gradient, relative to the largest entry of each array."""
    pairs = [(value[0], reference[0])] + [
        (a[k], b[k]) for a, b in zip(value[1], reference[1], strict=True) for k in a
    ]
    worst = 0.0
    for got, expected in pairs:
        expected = np.asarray(expected, dtype=np.float64)
        scale = float(np.abs(expected).max())
        if scale:
            worst = max(worst, float(np.abs(np.asarray(got) - expected).max()) / scale)
    return worst


def bench_peers(dtype: str, repeats: int, own: Any, report: dict[str, Any]) -> None:
    """Time JAX and PyTorch, and compare loss and gradient with JAX in float64."""
    import jax

    jax.config.update("jax_enable_x64", True)
    params64 = parameters("float64")
    cast = [{k: v.astype(dtype).astype("float64") for k, v in p.items()} for p in params64]
    exact = jax.jit(jax.value_and_grad(hand_taylor_loss(jax.numpy, False)))(
        cast, points(dtype).astype("float64")
    )
    report["difference_from_jax_float64"] = largest_difference(own, exact)
    params, X = parameters(dtype), points(dtype)
    peers: dict[str, Any] = {}
    for name, step in jax_steps().items():
        count = repeats if "nested" not in name else max(3, repeats // 4)
        peers[f"jax_{name}"] = time_call(
            lambda step=step: jax.block_until_ready(step(params, X)), count
        )
        difference = largest_difference(step(params, X), exact)
        peers[f"jax_{name}"]["difference_from_jax_float64"] = difference
    try:
        peers["pytorch_nested_grad"] = time_call(torch_step(dtype), max(3, repeats // 4))
    except ImportError:
        peers["pytorch_nested_grad"] = None
    report["peers"] = peers
    fastest = min((v["median_ms"], k) for k, v in peers.items() if v and k.startswith("jax"))
    report["fastest_jax"] = fastest[1]
    report["times_faster_than_fastest_jax"] = fastest[0] / report["sciml"]["median_ms"]
    if peers["pytorch_nested_grad"]:
        report["times_faster_than_pytorch"] = (
            peers["pytorch_nested_grad"]["median_ms"] / report["sciml"]["median_ms"]
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--peers", action="store_true", help="also time JAX and PyTorch")
    parser.add_argument("--repeats", type=int, default=21)
    parser.add_argument("--memory", action="store_true", help="print peak memory against N")
    arguments = parser.parse_args()
    threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    report: dict[str, Any] = {
        "points": POINTS, "layers": LAYERS, "threads": threads,
        "machine": platform.processor() or platform.machine(), "python": platform.python_version(),
    }  # fmt: skip
    for dtype in ("float32", "float64"):
        entry: dict[str, Any] = {"floor": floor_ms(dtype)}
        entry["sciml"], own = bench_own(dtype, arguments.repeats)
        entry["times_the_floor"] = entry["sciml"]["median_ms"] / entry["floor"]["floor_ms"]
        if arguments.peers:
            bench_peers(dtype, arguments.repeats, own, entry)
        report[dtype] = entry
    if arguments.memory or arguments.peers:
        report["peak_memory_mb"] = {str(n): memory_mb(n) for n in (10**4, 10**5, 10**6)}
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()

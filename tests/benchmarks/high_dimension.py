"""Training steps in up to 100,000 dimensions, against JAX in the same run.

    python tests/benchmarks/high_dimension.py                   # this project alone
    python tests/benchmarks/high_dimension.py --peers           # with JAX, if installed
    python tests/benchmarks/high_dimension.py 100 1000 --peers  # some of the dimensions

One step is loss, parameter gradient and Adam for mean(r^2) with the residual

    r = laplacian(u) + sin(u) - g   (Sine-Gordon)   or   laplacian(u) + u - u^3 - g   (Allen-Cahn)

at 100 points of the unit ball, the Laplacian estimated from 16 coordinates drawn without
replacement in every step. u = (1 - |x|^2) MLP(x) with tanh layers of width 128; g belongs to the
solution with two-body terms of Shi, Hu, Lin, Kawaguchi (2024). Both sides evaluate g in every step.
JAX runs that paper's formulation: jets along one-hot directions under vmap, in one jit with Adam,
with the buffers of the state donated. Before anything is timed both sides must agree in the loss
and its gradient where all coordinates are drawn. Steps are timed in turn; ratios are of medians.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

POINTS, SAMPLES, WIDTH, HIDDEN = 100, 16, 128, 4
RATE, BETA1, BETA2, EPSILON = 1e-3, 0.9, 0.999, 1e-8
Params = list[dict[str, Any]]


# --- the problem, in NumPy-like functions of either library ---------------------------------


def coefficients(d: int, dtype: str) -> np.ndarray:
    """c_i of the solution, normal numbers."""
    return np.random.default_rng(2).normal(size=d - 1).astype(dtype)


def points(d: int, dtype: str, count: int = POINTS) -> np.ndarray:
    """Points of the unit ball with uniform radius."""
    rng = np.random.default_rng(1)
    x = rng.normal(size=(count, d))
    radius = rng.uniform(size=(count, 1))
    return (x / np.linalg.norm(x, axis=1, keepdims=True) * radius).astype(dtype)


def parameters(d: int, dtype: str) -> Params:
    """Glorot-normal weights and zero biases."""
    rng = np.random.default_rng(0)
    return [
        {
            "w": (rng.normal(size=(a, b)) * np.sqrt(2.0 / (a + b))).astype(dtype),
            "b": np.zeros(b, dtype),
        }
        for a, b in itertools.pairwise((d, *[WIDTH] * HIDDEN, 1))
    ]


def network(np_like: Any, params: Params, X: Any) -> Any:
    """(1 - |x|^2) MLP(x), zero on the sphere."""
    h = X
    for layer in params[:-1]:
        h = np_like.tanh(h @ layer["w"] + layer["b"])
    out = h @ params[-1]["w"] + params[-1]["b"]
    return (1.0 - (X * X).sum(axis=-1)) * out[..., 0]


def solution(np_like: Any, c: Any, X: Any) -> Any:
    """(1 - |x|^2) sum over i of c_i sin(x_i + cos(x_j) + x_j cos(x_i)) with j = i + 1."""
    a, b = X[:, :-1], X[:, 1:]
    phase = a + np_like.cos(b) + b * np_like.cos(a)
    return (1.0 - (X * X).sum(axis=1)) * (np_like.sin(phase) @ c)


def source(np_like: Any, equation: str, c: Any, X: Any) -> Any:
    """g = laplacian(u) + reaction(u) of the solution.

    With p = a + cos b + b cos a, p_a = 1 - b sin a, p_b = cos a - sin b and s = sum c sin p,

        laplacian(s) = sum c (-(p_a^2 + p_b^2) sin p - (b cos a + cos b) cos p),
        x . grad(s) = sum c (a p_a + b p_b) cos p,
        laplacian((1 - |x|^2) s) = (1 - |x|^2) laplacian(s) - 4 x . grad(s) - 2 d s.
    """
    d = X.shape[1]
    a, b = X[:, :-1], X[:, 1:]
    sin_a, cos_a, sin_b, cos_b = np_like.sin(a), np_like.cos(a), np_like.sin(b), np_like.cos(b)
    phase = a + cos_b + b * cos_a
    sin_p, cos_p = np_like.sin(phase), np_like.cos(phase)
    p_a, p_b = 1.0 - b * sin_a, cos_a - sin_b
    inside = 1.0 - (X * X).sum(axis=1)
    second = -(p_a * p_a + p_b * p_b) * sin_p - (b * cos_a + cos_b) * cos_p
    first = (a * p_a + b * p_b) * cos_p
    s = sin_p @ c
    laplacian = (inside[:, None] * second - 4.0 * first) @ c - 2.0 * d * s
    return laplacian + reaction(np_like, equation, inside * s)


def reaction(np_like: Any, equation: str, u: Any) -> Any:
    """sin(u) of Sine-Gordon, u - u^3 of Allen-Cahn."""
    return np_like.sin(u) if equation == "sine_gordon" else u - u * u * u


# --- one step of Adam -----------------------------------------------------------------------


def adam(np_like: Any, map_leaves: Any, gradient: Any, state: dict[str, Any]) -> dict[str, Any]:
    """The next state: parameters, moments and the number of steps."""
    t = state["t"] + 1.0
    up, down = 1.0 - BETA1**t, 1.0 - BETA2**t
    mean = map_leaves(lambda m, g: BETA1 * m + (1 - BETA1) * g, state["mean"], gradient)
    square = map_leaves(lambda v, g: BETA2 * v + (1 - BETA2) * (g * g), state["square"], gradient)

    def moved(p: Any, m: Any, v: Any) -> Any:
        return p - RATE * (m / up) / (np_like.sqrt(v / down) + EPSILON)

    params = map_leaves(moved, state["params"], mean, square)
    return {"params": params, "mean": mean, "square": square, "t": t}


def start(d: int, dtype: str) -> dict[str, Any]:
    """The state before the first step."""
    params = parameters(d, dtype)
    zeros = [{k: np.zeros_like(v) for k, v in layer.items()} for layer in params]
    again = [{k: v.copy() for k, v in layer.items()} for layer in zeros]
    return {"params": params, "mean": zeros, "square": again, "t": np.zeros((), dtype)}


# --- this project ---------------------------------------------------------------------------


def own_loss(equation: str, c: Any, samples: int) -> Callable[..., Any]:
    """The loss as a user of this project writes it."""
    import sciml.framework as sf

    def loss(params: Params, X: Any, key: Any) -> Any:
        u = functools.partial(network, sf, params)
        laplacian = sf.estimate_laplacian(u, key, samples)(X).mean
        residual = laplacian + reaction(sf, equation, u(X)) - source(sf, equation, c, X)
        return (residual**2).mean()

    return loss


def own_step(equation: str, c: Any, samples: int = SAMPLES) -> Any:
    """The compiled step of this project: (state, X, key) -> (state, loss)."""
    import sciml.framework as sf
    from sciml.framework.core.tree import map_leaves

    # closed over, since an argument with 99,999 rows would look like a batch of its own
    loss = own_loss(equation, c, samples)

    def step(state: dict[str, Any], X: Any, key: Any) -> Any:
        value, gradient = sf.value_and_grad(loss)(state["params"], X, key)
        return adam(sf, map_leaves, gradient, state), value

    return sf.jit(step)


def own_key(seed: int) -> Any:
    """A key of this project."""
    import sciml.framework as sf

    return sf.random_key(seed)


# --- JAX ------------------------------------------------------------------------------------


def jax_loss(equation: str, c: Any, samples: int) -> Callable[..., Any]:
    """Jets along one-hot directions under vmap, all points with the same directions."""
    import jax
    import jax.numpy as jnp
    from jax.experimental import jet

    def loss(params: Params, X: Any, key: Any) -> Any:
        d = X.shape[1]
        u = functools.partial(network, jnp, params)
        chosen = jax.random.choice(key, d, shape=(samples,), replace=False)

        def residual(x: Any) -> Any:
            def second(i: Any) -> tuple[Any, Any]:
                v = jax.nn.one_hot(i, d, dtype=x.dtype)
                value, (_, part) = jet.jet(u, (x,), ((v, jnp.zeros_like(v)),))
                return value, part

            values, parts = jax.vmap(second)(chosen)
            return parts.mean() * d + reaction(jnp, equation, values[0])

        return jnp.mean((jax.vmap(residual)(X) - source(jnp, equation, c, X)) ** 2)

    return loss


def jax_step(equation: str, c: Any, samples: int = SAMPLES) -> Any:
    """The compiled step of JAX."""
    import jax
    import jax.numpy as jnp

    loss = jax_loss(equation, c, samples)

    def step(state: dict[str, Any], X: Any, key: Any) -> Any:
        value, gradient = jax.value_and_grad(loss)(state["params"], X, key)
        return adam(jnp, jax.tree.map, gradient, state), value

    return jax.jit(step, donate_argnums=0)


def jax_key(seed: int) -> Any:
    """A key of JAX."""
    import jax

    return jax.random.key(seed)


# --- measurements ---------------------------------------------------------------------------


def check_agreement(equation: str, dtype: str, d: int = 40) -> dict[str, float]:
    """Largest relative difference of loss and gradient where all coordinates are drawn."""
    import jax

    import sciml.framework as sf

    c, X, params = coefficients(d, dtype), points(d, dtype), parameters(d, dtype)
    own = sf.jit(sf.value_and_grad(own_loss(equation, c, d)))(params, X, own_key(0))
    other = jax.jit(jax.value_and_grad(jax_loss(equation, c, d)))(params, X, jax_key(0))
    scale = max(float(np.abs(g["w"]).max()) for g in own[1])
    gradient = max(
        float(np.abs(a[k] - np.asarray(b[k])).max()) / scale
        for a, b in zip(own[1], other[1], strict=True)
        for k in a
    )
    value = abs(float(own[0]) / float(other[0]) - 1.0)
    bound = 1e-10 if dtype == "float64" else 1e-3
    assert value < bound, (equation, dtype, value)
    assert gradient < bound, (equation, dtype, gradient)
    return {"loss": value, "gradient": gradient}


class Side:
    """A step with its state, run again and again."""

    def __init__(self, name: str, equation: str, d: int, dtype: str) -> None:
        self.name = name
        self.state: Any = start(d, dtype)
        self.points: Any = points(d, dtype)
        make, self.key = (own_step, own_key) if name == "sciml" else (jax_step, jax_key)
        if name == "jax":
            import jax

            jax.config.update("jax_enable_x64", True)
            self.state, self.points = jax.device_put((self.state, self.points))
        self.step = make(equation, coefficients(d, dtype))
        self.count = 0
        self.losses: list[float] = []

    def run(self) -> float:
        """Run one step and return its time [s]."""
        self.count += 1
        key = self.key(self.count)
        begin = time.perf_counter()
        self.state, value = self.step(self.state, self.points, key)
        self.losses.append(float(value))
        if self.name == "jax":
            import jax

            jax.block_until_ready(self.state)
        return time.perf_counter() - begin


def row(equation: str, d: int, dtype: str, peers: bool, repeats: int) -> dict[str, Any]:
    """Time one configuration: first calls, medians, iterations per second, ratio."""
    names = ["sciml", "jax"] if peers else ["sciml"]
    sides = [Side(name, equation, d, dtype) for name in names]
    first = {s.name: s.run() for s in sides}
    for s in sides:
        s.run()
    times: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(repeats):
        for s in sides:
            times[s.name].append(s.run())
    median = {name: statistics.median(t) for name, t in times.items()}
    result: dict[str, Any] = {
        "first_call_s": first,
        "median_ms": {name: t * 1e3 for name, t in median.items()},
        "steps_per_s": {name: 1.0 / t for name, t in median.items()},
        "last_loss": {s.name: s.losses[-1] for s in sides},
    }
    if peers:
        result["times_faster"] = median["jax"] / median["sciml"]
    result["peak_memory_mb"] = {name: peak_memory_mb(name, equation, d, dtype) for name in names}
    return result


def peak_memory_mb(name: str, equation: str, d: int, dtype: str) -> float:
    """Peak resident memory of a process of its own that runs three steps [MB]."""
    command = [sys.executable, __file__, "--only-memory", name, equation, str(d), dtype]
    found = subprocess.run(command, check=True, capture_output=True, text=True)
    return float(found.stdout)


def run_for_memory(name: str, equation: str, d: str, dtype: str) -> None:
    """Run three steps and print the peak resident memory of this process [MB]."""
    side = Side(name, equation, int(d), dtype)
    for _ in range(3):
        side.run()
    print(peak_mb())


def peak_mb() -> float:
    """Peak resident memory of this process since it was started [MB]."""
    # getrusage also counts what the process that made this one had at that time
    status = Path("/proc/self/status").read_text()
    return float(next(line for line in status.splitlines() if "VmHWM" in line).split()[1]) / 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("dimensions", nargs="*", type=int, default=[100, 1000, 10_000, 100_000])
    parser.add_argument("--peers", action="store_true", help="also time JAX")
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--equation", choices=("sine_gordon", "allen_cahn"), default="sine_gordon")
    parser.add_argument("--only-memory", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.only_memory:
        run_for_memory(*arguments.only_memory)
        return
    report: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        # first calls compile, they do not read what an earlier run has stored
        os.environ["SCIML_CACHE_DIR"] = folder
        for dtype in ("float32", "float64"):
            report[dtype] = {}
            if arguments.peers:
                import jax

                jax.config.update("jax_enable_x64", True)
                report[dtype]["difference"] = check_agreement(arguments.equation, dtype)
            for d in arguments.dimensions:
                report[dtype][str(d)] = row(
                    arguments.equation, d, dtype, arguments.peers, arguments.repeats
                )
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()

"""Cost of residual steps over order, dimension, width and depth, against JAX in the same run.

    python tests/benchmarks/derivative_costs.py                 # this project alone
    python tests/benchmarks/derivative_costs.py --peers         # with JAX (and folx, if installed)
    python tests/benchmarks/derivative_costs.py order width     # some of the tables

Every row times loss and parameter gradient of mean(r^2) for a tanh MLP, medians in milliseconds.
The JAX column is the fastest of the formulations written here for that residual, named in the
report; loss and gradient of both agree, which is checked before anything is timed.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

Params = list[dict[str, Any]]


def parameters(sizes: tuple[int, ...], dtype: str) -> Params:
    """Glorot-normal weights and small biases."""
    rng = np.random.default_rng(0)
    return [
        {
            "w": (rng.normal(size=(a, b)) * np.sqrt(2.0 / (a + b))).astype(dtype),
            "b": (rng.normal(size=b) * 0.1).astype(dtype),
        }
        for a, b in itertools.pairwise(sizes)
    ]


def network(np_like: Any, params: Params, X: Any) -> Any:
    """The MLP, in NumPy-like functions of either library."""
    h = X
    for layer in params[:-1]:
        h = np_like.tanh(h @ layer["w"] + layer["b"])
    return h @ params[-1]["w"] + params[-1]["b"]


def median_ms(call: Callable[[], object], repeats: int) -> float:
    """Median time of a call after two warm-up calls [ms]."""
    call()
    call()
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        call()
        times.append(time.perf_counter() - begin)
    return statistics.median(times) * 1e3


# --- residuals of this project --------------------------------------------------------------


def own_residual(kind: str, order: int) -> Callable[[Params, Any], Any]:
    """The residual as a user of this project writes it."""
    import sciml.framework as sf

    def derivative(params: Params, X: Any) -> Any:
        return sf.derivative(lambda X: network(sf, params, X)[:, 0], (order,))(X)

    def laplacian(params: Params, X: Any) -> Any:
        return sf.laplacian(lambda X: network(sf, params, X)[:, 0])(X) - 1.0

    def navier_stokes(params: Params, X: Any) -> Any:
        """Steady, two-dimensional, viscosity 1/100; the three residuals side by side."""
        fields = lambda X: network(sf, params, X)  # noqa: E731
        f, x, y, xx, yy = sf.derivatives(fields, [(0, 0), (1, 0), (0, 1), (2, 0), (0, 2)])(X)
        u, v = f[:, 0], f[:, 1]
        momentum = [
            u * x[:, i] + v * y[:, i] + p[:, 2] - 0.01 * (xx[:, i] + yy[:, i])
            for i, p in ((0, x), (1, y))
        ]
        return sf.stack([*momentum, x[:, 0] + y[:, 1]], axis=1)

    return {"order": derivative, "laplacian": laplacian, "navier_stokes": navier_stokes}[kind]


def own_step(kind: str, order: int) -> Any:
    """The compiled step of this project."""
    import sciml.framework as sf

    residual = own_residual(kind, order)
    loss = lambda params, X: (residual(params, X) ** 2).mean()  # noqa: E731
    return sf.jit(sf.value_and_grad(loss, allow_unused=True))


# --- residuals of JAX -----------------------------------------------------------------------


def jax_residuals(kind: str, order: int) -> dict[str, Callable[[Params, Any], Any]]:
    """Formulations of one residual at one point with JAX's public functions."""
    import jax
    import jax.numpy as jnp
    from jax.experimental import jet

    def scalar(params: Params) -> Callable[[Any], Any]:
        return lambda x: network(jnp, params, x)[0]

    def nested_forward(params: Params, x: Any) -> Any:
        def raised(f: Any) -> Any:
            return lambda x: jax.jvp(f, (x,), (jnp.ones_like(x),))[1]

        f = scalar(params)
        for _ in range(order):
            f = raised(f)
        return f(x)

    def taylor(params: Params, x: Any) -> Any:
        one, zero = jnp.ones_like(x), jnp.zeros_like(x)
        return jet.jet(scalar(params), (x,), ((one, *[zero] * (order - 1)),))[1][order - 1]

    def trace_of_hessian(params: Params, x: Any) -> Any:
        return jnp.trace(jax.hessian(scalar(params))(x)) - 1.0

    def forward_over_forward(params: Params, x: Any) -> Any:
        f = scalar(params)

        def second(v: Any) -> Any:
            return jax.jvp(lambda x: jax.jvp(f, (x,), (v,))[1], (x,), (v,))[1]

        return jax.vmap(second)(jnp.eye(x.size, dtype=x.dtype)).sum() - 1.0

    def forward_over_reverse(params: Params, x: Any) -> Any:
        g = jax.grad(scalar(params))
        rows = jax.vmap(lambda v: jax.jvp(g, (x,), (v,))[1] @ v)(jnp.eye(x.size, dtype=x.dtype))
        return rows.sum() - 1.0

    def jet_laplacian(params: Params, x: Any) -> Any:
        f = scalar(params)

        def second(v: Any) -> Any:
            return jet.jet(f, (x,), ((v, jnp.zeros_like(v)),))[1][1]

        return jax.vmap(second)(jnp.eye(x.size, dtype=x.dtype)).sum() - 1.0

    def navier_stokes(jacobian: Any, hessian: Any) -> Callable[[Params, Any], Any]:
        def residual(params: Params, x: Any) -> Any:
            fields = lambda x: network(jnp, params, x)  # noqa: E731
            f, J, H = fields(x), jacobian(fields)(x), hessian(fields)(x)
            momentum = [
                f[0] * J[i, 0] + f[1] * J[i, 1] + J[2, i] - 0.01 * jnp.trace(H[i]) for i in range(2)
            ]
            return jnp.stack([*momentum, J[0, 0] + J[1, 1]])

        return residual

    if kind == "order":
        forms = {"jet": taylor}
        return {**forms, "nested_jvp": nested_forward} if order <= 6 else forms
    if kind == "laplacian":
        forms = {
            "trace_of_hessian": trace_of_hessian,
            "forward_over_forward": forward_over_forward,
            "forward_over_reverse": forward_over_reverse,
            "jet": jet_laplacian,
        }
        try:
            import folx
        except ImportError:
            return forms

        def forward_laplacian(params: Params, x: Any) -> Any:
            return folx.forward_laplacian(scalar(params))(x).laplacian - 1.0

        return {**forms, "folx": forward_laplacian}

    def along_axes(params: Params, x: Any) -> Any:
        fields = lambda x: network(jnp, params, x)  # noqa: E731

        def both(v: Any) -> tuple[Any, Any]:
            first = lambda x: jax.jvp(fields, (x,), (v,))[1]  # noqa: E731
            return jax.jvp(first, (x,), (v,))

        f, (d, dd) = fields(x), jax.vmap(both)(jnp.eye(2, dtype=x.dtype))
        momentum = [
            f[0] * d[0, i] + f[1] * d[1, i] + d[i, 2] - 0.01 * (dd[0, i] + dd[1, i])
            for i in range(2)
        ]
        return jnp.stack([*momentum, d[0, 0] + d[1, 1]])

    twice = lambda f: jax.jacfwd(jax.jacfwd(f))  # noqa: E731
    return {
        "jvp_along_axes": along_axes,
        "jacfwd": navier_stokes(jax.jacfwd, twice),
        "hessian": navier_stokes(jax.jacrev, jax.hessian),
    }


def jax_steps(kind: str, order: int) -> dict[str, Any]:
    """Compiled steps of JAX."""
    import jax
    import jax.numpy as jnp

    def step(residual: Any) -> Any:
        def loss(params: Params, X: Any) -> Any:
            return jnp.mean(jax.vmap(lambda x: residual(params, x))(X) ** 2)

        return jax.jit(jax.value_and_grad(loss))

    return {name: step(r) for name, r in jax_residuals(kind, order).items()}


# --- tables ---------------------------------------------------------------------------------


def row(
    kind: str, sizes: tuple[int, ...], points: int, dtype: str, order: int, peers: bool,
    repeats: int,
) -> dict[str, Any]:  # fmt: skip
    """Time one configuration."""
    params = parameters(sizes, dtype)
    X = np.random.default_rng(1).uniform(size=(points, sizes[0])).astype(dtype)
    step = own_step(kind, order)
    begin = time.perf_counter()
    value, gradient = step(params, X)
    result: dict[str, Any] = {
        "first_call_s": time.perf_counter() - begin,
        "sciml_ms": median_ms(lambda: step(params, X), repeats),
    }
    if not peers:
        return result
    import jax

    jax.config.update("jax_enable_x64", True)
    times = {}
    for name, other in jax_steps(kind, order).items():
        expected, other_gradient = other(params, X)
        bound = 1e-9 if dtype == "float64" else 2e-3
        assert abs(float(expected) / float(value) - 1) < bound, (name, expected, value)
        scale = max(float(np.abs(g["w"]).max()) for g in gradient)
        for a, b in zip(gradient, other_gradient, strict=True):
            assert float(np.abs(a["w"] - np.asarray(b["w"])).max()) < bound * scale, name
        times[name] = median_ms(
            lambda other=other: jax.block_until_ready(other(params, X)), max(3, repeats // 2)
        )
    fastest = min(times, key=lambda k: times[k])
    return {**result, "jax_ms": times, "fastest": fastest,
            "times_faster": times[fastest] / result["sciml_ms"]}  # fmt: skip


def tables(wanted: list[str], dtype: str, peers: bool, repeats: int) -> dict[str, Any]:
    """All rows of the wanted tables."""

    def run(kind: str, sizes: tuple[int, ...], points: int, order: int = 0) -> dict[str, Any]:
        return row(kind, sizes, points, dtype, order, peers, repeats)

    made: dict[str, Callable[[], dict[str, Any]]] = {
        "order": lambda: {str(k): run("order", (1, 64, 64, 64, 1), 2048, k) for k in range(1, 11)},
        "poisson": lambda: {"2-D": run("laplacian", (2, 64, 64, 64, 64, 1), 4096)},
        "navier_stokes": lambda: {"2-D": run("navier_stokes", (2, 64, 64, 64, 64, 3), 4096)},
        "dimension": lambda: {
            str(d): run("laplacian", (d, 64, 64, 64, 1), 512) for d in (1, 2, 3, 10, 30, 100)
        },
        "width": lambda: {
            str(w): run("laplacian", (2, w, w, w, 1), 1024) for w in (16, 32, 64, 128, 256, 512)
        },
        "depth": lambda: {
            str(n): run("laplacian", (2, *[64] * n, 1), 1024) for n in (2, 3, 4, 6, 8)
        },
    }
    return {name: make() for name, make in made.items() if not wanted or name in wanted}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("tables", nargs="*")
    parser.add_argument("--peers", action="store_true", help="also time JAX")
    parser.add_argument("--repeats", type=int, default=9)
    arguments = parser.parse_args()
    report = {
        dtype: tables(arguments.tables, dtype, arguments.peers, arguments.repeats)
        for dtype in ("float32", "float64")
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()

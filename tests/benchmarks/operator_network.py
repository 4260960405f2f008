"""Coordinate derivatives of an operator network: functions times points, against JAX.

    python tests/benchmarks/operator_network.py             # this project alone
    python tests/benchmarks/operator_network.py --peers     # with JAX, calls interleaved

A DeepONet of F functions and N points; the residual is laplacian(u) - f or biharmonic(u) - f, the
loss its mean square. Columns, as medians in milliseconds: u alone, the residual, and the loss with
its parameter gradient. JAX computes the same from the formulations below; values of the residual
and of the gradient agree, which is checked before anything is timed, and ratios are medians of the
ratios of calls that follow each other. The formulations of JAX are

- ``zcs``: zero coordinate shift (Leng et al., arXiv:2311.00860): derivatives of sum(a u(x + z)) by
  a scalar z for each coordinate, in reverse mode, then by the dummy array a;
- ``jvp``: nested forward mode through the trunk alone, summed before functions meet points;
- ``jet``: Taylor mode along lines through the trunk alone, summed before functions meet points.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

SENSORS, WIDTH, FEATURES = 100, 64, 64
Params = dict[str, Any]
Call = Callable[[], Any]


def parameters(dtype: str) -> Params:
    """Glorot-normal weights, small biases; two hidden layers in the branch, three in the trunk."""
    rng = np.random.default_rng(0)

    def layers(*sizes: int) -> list[dict[str, Any]]:
        return [
            {
                "w": (rng.normal(size=(a, b)) * np.sqrt(2.0 / (a + b))).astype(dtype),
                "b": (rng.normal(size=b) * 0.1).astype(dtype),
            }
            for a, b in itertools.pairwise(sizes)
        ]

    return {
        "branch": layers(SENSORS, WIDTH, WIDTH, FEATURES),
        "trunk": layers(2, WIDTH, WIDTH, WIDTH, FEATURES),
    }


def data(functions: int, points: int, dtype: str) -> tuple[Any, Any, Any]:
    """Values at sensors, points, and the right-hand side f of shape (functions, points)."""
    rng = np.random.default_rng(1)
    drawn = (
        rng.normal(size=(functions, SENSORS)),
        rng.uniform(-1, 1, size=(points, 2)),
        rng.normal(size=(functions, points)),
    )
    V, X, f = (a.astype(dtype) for a in drawn)
    return V, X, f


def mlp(np_like: Any, layers: list[dict[str, Any]], h: Any) -> Any:
    """Tanh layers and an affine one, in NumPy-like functions of either library."""
    for layer in layers[:-1]:
        h = np_like.tanh(h @ layer["w"] + layer["b"])
    return h @ layers[-1]["w"] + layers[-1]["b"]


def network(np_like: Any, params: Params, V: Any, X: Any) -> Any:
    """The operator network, shape (functions, points)."""
    return mlp(np_like, params["branch"], V) @ mlp(np_like, params["trunk"], X).T


# --- this project ---------------------------------------------------------------------------


def own(kind: str) -> dict[str, Any]:
    """Compiled u, residual and loss with gradient, as a user of this project writes them."""
    import sciml.framework as sf

    operator = {"laplacian": sf.laplacian, "biharmonic": sf.biharmonic}[kind]

    def forward(params: Params, V: Any, X: Any, f: Any) -> Any:
        return network(sf, params, V, X)

    def residual(params: Params, V: Any, X: Any, f: Any) -> Any:
        return operator(lambda X: network(sf, params, V, X))(X) - f

    def loss(params: Params, V: Any, X: Any, f: Any) -> Any:
        return (residual(params, V, X, f) ** 2).mean()

    step = sf.value_and_grad(loss, allow_unused=True)
    return {"forward": sf.jit(forward), "residual": sf.jit(residual), "step": sf.jit(step)}


# --- JAX ------------------------------------------------------------------------------------

# laplacian^2 = 2/3 (D_x^4 + D_y^4) + 1/6 (D_(1,1)^4 + D_(1,-1)^4)
LINES = {
    "laplacian": (2, ((1.0, 0.0), (0.0, 1.0)), (1.0, 1.0)),
    "biharmonic": (
        4, ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, -1.0)), (2 / 3, 2 / 3, 1 / 6, 1 / 6),
    ),
}  # fmt: skip


def jax_operators(kind: str) -> dict[str, Callable[..., Any]]:
    """The operator applied to the network, in formulations with JAX's public functions."""
    import jax
    import jax.numpy as jnp
    from jax.experimental import jet

    order, lines, weights = LINES[kind]

    def laplacian_of_scalar(omega: Any) -> Any:
        def total(z: Any) -> Any:
            second = [
                jax.grad(lambda s, i=i: jax.grad(lambda t: omega(z.at[i].set(t)))(s))(z[i])
                for i in range(2)
            ]
            return second[0] + second[1]

        return total

    def zcs(params: Params, V: Any, X: Any) -> Any:
        def omega(z: Any, a: Any) -> Any:
            return (a * network(jnp, params, V, X + z)).sum()

        def applied(a: Any) -> Any:
            total = functools.partial(omega, a=a)
            for _ in range(order // 2):
                total = laplacian_of_scalar(total)
            return total(jnp.zeros(2, X.dtype))

        return jax.grad(applied)(jnp.ones((V.shape[0], X.shape[0]), X.dtype))

    def jvp(params: Params, V: Any, X: Any) -> Any:
        def laplacian(t: Any) -> Any:
            def total(X: Any) -> Any:
                def second(v: Any) -> Any:
                    v = jnp.broadcast_to(jnp.asarray(v, X.dtype), X.shape)
                    first = lambda X: jax.jvp(t, (X,), (v,))[1]  # noqa: E731
                    return jax.jvp(first, (X,), (v,))[1]

                return second((1.0, 0.0)) + second((0.0, 1.0))

            return total

        trunk = lambda X: mlp(jnp, params["trunk"], X)  # noqa: E731
        for _ in range(order // 2):
            trunk = laplacian(trunk)
        return mlp(jnp, params["branch"], V) @ trunk(X).T

    def taylor(params: Params, V: Any, X: Any) -> Any:
        def top(v: Any) -> Any:
            zeros = [jnp.zeros_like(X)] * (order - 1)
            series = [jnp.broadcast_to(v, X.shape), *zeros]
            return jet.jet(lambda X: mlp(jnp, params["trunk"], X), (X,), (series,))[1][-1]

        tops = jax.vmap(top)(jnp.asarray(lines, X.dtype))
        total = jnp.tensordot(jnp.asarray(weights, X.dtype), tops, 1)
        return mlp(jnp, params["branch"], V) @ total.T

    return {"zcs": zcs, "jvp": jvp, "jet": taylor}


def jax_calls(kind: str) -> dict[str, dict[str, Any]]:
    """Compiled u, residual and step of every formulation."""
    import jax
    import jax.numpy as jnp

    def calls(operator: Any) -> dict[str, Any]:
        def residual(params: Params, V: Any, X: Any, f: Any) -> Any:
            return operator(params, V, X) - f

        def loss(params: Params, V: Any, X: Any, f: Any) -> Any:
            return jnp.mean(residual(params, V, X, f) ** 2)

        return {
            "forward": jax.jit(lambda params, V, X, f: network(jnp, params, V, X)),
            "residual": jax.jit(residual),
            "step": jax.jit(jax.value_and_grad(loss)),
        }

    return {name: calls(operator) for name, operator in jax_operators(kind).items()}


# --- measurement ----------------------------------------------------------------------------


def interleaved(calls: Mapping[str, Call], repeats: int) -> dict[str, list[float]]:
    """Times of calls taken in turn [ms], after two warm-up rounds."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for k in range(repeats + 2):
        for name, call in calls.items():
            begin = time.perf_counter()
            call()
            if k > 1:
                times[name].append((time.perf_counter() - begin) * 1e3)
    return times


def check(mine: Any, other: Any, bound: float, name: str) -> None:
    """Refuse results that differ by more than a share of the largest entry."""
    difference = np.abs(np.asarray(mine) - np.asarray(other)).max()
    assert difference <= bound * np.abs(np.asarray(mine)).max(), (name, difference)


def row(
    kind: str, functions: int, points: int, dtype: str, peers: bool, repeats: int
) -> dict[str, Any]:
    """Time one configuration."""
    arguments = (parameters(dtype), *data(functions, points, dtype))
    mine = own(kind)
    results = {name: call(*arguments) for name, call in mine.items()}
    rivals = jax_peers(kind, arguments, results, dtype) if peers else {}
    report: dict[str, Any] = {}
    for column, call in mine.items():
        calls: dict[str, Call] = {"sciml": functools.partial(call, *arguments)}
        for name, forms in rivals.items():
            if column != "forward" or name == "zcs":
                calls[name] = forms[column]
        times = interleaved(calls, repeats)
        report[column] = {
            "ms": {name: statistics.median(t) for name, t in times.items()},
            "times_faster": {
                name: statistics.median(b / a for a, b in zip(times["sciml"], t, strict=True))
                for name, t in times.items()
                if name != "sciml"
            },
        }
    once = report["forward"]["ms"]["sciml"]
    report["forwards"] = {k: report[k]["ms"]["sciml"] / once for k in ("residual", "step")}
    return report


def jax_peers(
    kind: str, arguments: tuple[Any, ...], results: dict[str, Any], dtype: str
) -> dict[str, dict[str, Call]]:
    """The calls of JAX, after a check that they give the same."""
    import jax

    jax.config.update("jax_enable_x64", True)
    bound = 1e-9 if dtype == "float64" else 5e-3
    peers = {}
    on_device = jax.tree.map(jax.numpy.asarray, arguments)
    for name, forms in jax_calls(kind).items():
        check(results["forward"], forms["forward"](*on_device), bound, name)
        check(results["residual"], forms["residual"](*on_device), bound, name)
        _, gradient = forms["step"](*on_device)
        for part in ("branch", "trunk"):
            for a, b in zip(results["step"][1][part], gradient[part], strict=True):
                check(a["w"], b["w"], bound, f"{name} {part}")
        peers[name] = {
            column: functools.partial(lambda call: jax.block_until_ready(call(*on_device)), call)
            for column, call in forms.items()
        }
    return peers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--functions", type=int, default=50)
    parser.add_argument("--points", type=int, nargs="*", default=[1000, 4000])
    parser.add_argument("--peers", action="store_true", help="also time JAX")
    parser.add_argument("--repeats", type=int, default=9)
    arguments = parser.parse_args()
    report = {
        f"{dtype} {kind} {arguments.functions} x {points}": row(
            kind, arguments.functions, points, dtype, arguments.peers, arguments.repeats
        )
        for dtype in ("float32", "float64")
        for kind in ("laplacian", "biharmonic")
        for points in arguments.points
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()

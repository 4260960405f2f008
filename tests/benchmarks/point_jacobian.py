"""Products of the per-point Jacobian of a Poisson residual, against JAX in the same run.

    python tests/benchmarks/point_jacobian.py            # this project alone
    python tests/benchmarks/point_jacobian.py --peers    # with JAX

Medians in milliseconds for a tanh MLP 2 -> width -> width -> 1 at 2048 points: J, J v, J^T v and
J^T J, and the peak of the memory that a call of J^T J adds [MiB]. JAX has no loop over tiles, so
its J^T J holds the whole of J. All results agree, which is checked before anything is timed.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from derivative_costs import Params, median_ms, network, parameters

POINTS = 2048


def residual(np_like: Any, laplacian: Any) -> Any:
    """The residual of the Poisson equation at all points, for either library."""

    def evaluate(params: Params, X: Any) -> Any:
        return laplacian(lambda X: network(np_like, params, X)[..., 0], X) - 1.0

    return evaluate


def own_products() -> dict[str, Any]:
    """The compiled products of this project."""
    import sciml.framework as sf

    J = sf.point_jacobian(residual(sf, lambda u, X: sf.laplacian(u)(X)))
    rows, gram = sf.jit(J.rows), sf.jit(J.gram)
    product = sf.jit(lambda p, X, v: J.product(p, X, vector=v))
    transposed = sf.jit(lambda p, X, r: J.transposed(p, X, vector=r))
    return {
        "J": lambda p, X, v, r: rows(p, X),
        "J v": lambda p, X, v, r: product(p, X, v),
        "J^T v": lambda p, X, v, r: transposed(p, X, r),
        "J^T J": lambda p, X, v, r: gram(p, X),
    }


def jax_products(example: Params) -> dict[str, Any]:
    """The same products with JAX's public functions."""
    import jax
    import jax.numpy as jnp
    from jax.flatten_util import ravel_pytree

    jax.config.update("jax_enable_x64", True)

    def at_point(params: Params, x: Any) -> Any:
        u = lambda x: network(jnp, params, x)[0]  # noqa: E731
        second = lambda v: jax.jvp(lambda x: jax.jvp(u, (x,), (v,))[1], (x,), (v,))[1]  # noqa: E731
        return jax.vmap(second)(jnp.eye(x.size, dtype=x.dtype)).sum() - 1.0

    def everywhere(params: Params, X: Any) -> Any:
        return jax.vmap(lambda x: at_point(params, x))(X)

    def rows(params: Params, X: Any) -> Any:
        single = lambda x: ravel_pytree(jax.grad(at_point)(params, x))[0]  # noqa: E731
        return jax.vmap(single)(X)

    _, unflatten = ravel_pytree(example)

    def product(params: Params, X: Any, v: Any) -> Any:
        return jax.jvp(lambda p: everywhere(p, X), (params,), (unflatten(v),))[1]

    def transposed(params: Params, X: Any, r: Any) -> Any:
        return jax.vjp(lambda p: everywhere(p, X), params)[1](r)[0]

    def gram(params: Params, X: Any) -> Any:
        J = rows(params, X)
        return J.T @ J

    compiled = [jax.jit(f) for f in (rows, product, transposed, gram)]
    wait = jax.block_until_ready
    return {
        "J": lambda p, X, v, r: wait(compiled[0](p, X)),
        "J v": lambda p, X, v, r: wait(compiled[1](p, X, v)),
        "J^T v": lambda p, X, v, r: wait(compiled[2](p, X, r)),
        "J^T J": lambda p, X, v, r: wait(compiled[3](p, X)),
    }


def row(width: int, dtype: str, peers: bool, repeats: int) -> dict[str, Any]:
    """Time one configuration."""
    params = parameters((2, width, width, 1), dtype)
    rng = np.random.default_rng(1)
    X = rng.uniform(size=(POINTS, 2)).astype(dtype)
    # leaves in the order of the columns, biases before weights
    count = sum(layer[key].size for layer in params for key in ("b", "w"))
    given = (params, X, rng.normal(size=count).astype(dtype), rng.normal(size=POINTS).astype(dtype))
    own = own_products()
    before = peak()
    own["J^T J"](*given)
    result: dict[str, Any] = {"parameters": count, "memory_of_gram_MiB": peak() - before}
    others = jax_products(params) if peers else {}
    for name, call in own.items():
        entry = {"sciml_ms": median_ms(lambda call=call: call(*given), repeats)}
        if name in others:
            compare(call(*given), others[name](*given), dtype)
            other = others[name]
            entry["jax_ms"] = median_ms(lambda other=other: other(*given), repeats)
            entry["times_faster"] = entry["jax_ms"] / entry["sciml_ms"]
        result[name] = entry
    return result


def compare(own: Any, other: Any, dtype: str) -> None:
    """Refuse results that differ by more than rounding."""
    leaves = [own] if hasattr(own, "shape") else [layer[k] for layer in own for k in layer]
    peers = [other] if hasattr(other, "shape") else [layer[k] for layer in other for k in layer]
    scale = max(float(np.abs(leaf).max()) for leaf in leaves)
    for a, b in zip(leaves, peers, strict=True):
        bound = 1e-10 if dtype == "float64" else 2e-4
        assert float(np.abs(a - np.asarray(b)).max()) < bound * scale


def peak() -> float:
    """Peak memory of the process so far [MiB]."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--peers", action="store_true", help="also time JAX")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--widths", type=int, nargs="*", default=[16, 32])
    arguments = parser.parse_args()
    report = {
        dtype: {str(w): row(w, dtype, arguments.peers, arguments.repeats) for w in arguments.widths}
        for dtype in ("float32", "float64")
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()

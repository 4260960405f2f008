"""The same problems by a JAX script and by DeepXDE, each with Adam and then L-BFGS.

Each gets the same points, width and time; the time counts from the first statement on, with
compilation and without imports.
"""

from __future__ import annotations

import contextlib
import itertools
import time
from typing import Any

import numpy as np
from cases import Case, Side

INTERIOR, PER_SIDE, HIDDEN, ADAM, ADAM_RATE, MEMORY = 2000, 100, (32, 32, 32), 2000, 1e-3, 50


def points(case: Case, seed: int) -> tuple[np.ndarray, dict[Side, np.ndarray]]:
    """Return points inside and on each side, shape (n, 2)."""
    from scipy.stats import qmc

    lower, upper = np.array(case.lower), np.array(case.upper)
    inside = lower + (upper - lower) * qmc.Halton(2, seed=seed).random(INTERIOR)
    around = {}
    for side in case.sides:
        X = lower + (upper - lower) * qmc.Halton(2, seed=seed).random(PER_SIDE)
        X[:, side.axis] = (case.lower, case.upper)[side.end][side.axis]
        around[side] = X
    return inside, around


class OutOfTime(Exception):
    """Ends SciPy's minimiser."""


def with_jax(case: Case, seed: int, budget_s: float) -> np.ndarray:
    """Return the fields on the grid, by nested derivatives under vmap and SciPy's L-BFGS-B."""
    import jax
    import jax.numpy as jnp
    import scipy.optimize
    from jax.flatten_util import ravel_pytree

    jax.config.update("jax_enable_x64", True)
    began, rng = time.perf_counter(), np.random.default_rng(seed)
    sizes = (2, *HIDDEN, case.fields)
    layers = [
        (rng.normal(size=(a, b)) * np.sqrt(2 / (a + b)), np.zeros(b))
        for a, b in itertools.pairwise(sizes)
    ]
    start, unravel = ravel_pytree(layers)
    lower, upper = jnp.array(case.lower), jnp.array(case.upper)

    def network(p: Any, x: Any) -> Any:
        h = 2 * (x - lower) / (upper - lower) - 1
        for W, b in p[:-1]:
            h = jnp.tanh(h @ W + b)
        return h @ p[-1][0] + p[-1][1]

    def derivative(p: Any, x: Any, k: int, orders: tuple[int, ...]) -> Any:
        def f(x: Any) -> Any:
            return network(p, x)[k]

        for axis, order in enumerate(orders):
            for _ in range(order):
                f = (lambda g, e: lambda x: jax.jvp(g, (x,), (e,))[1])(f, jnp.eye(2)[axis])
        return f(x)

    inside, around = points(case, seed)

    def loss(z: Any) -> Any:
        p = unravel(z)
        total = 0.0
        for residual in case.residuals:

            def at(x: Any, residual: Any = residual) -> Any:
                return residual(lambda k, o: derivative(p, x, k, o), (x[0], x[1]), jnp)

            total += jnp.mean(jax.vmap(at)(inside) ** 2)
        for side, X in around.items():
            got = jax.vmap(lambda x: derivative(p, x, side.field, side.orders))(X)  # noqa: B023
            total += jnp.mean((got - case.values(side, X)) ** 2)
        return total

    step = jax.jit(jax.value_and_grad(loss))
    z, m, v = np.asarray(start), 0.0, 0.0
    for i in range(1, ADAM + 1):
        g = np.asarray(step(z)[1])
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
        z = z - ADAM_RATE * (m / (1 - 0.9**i)) / (np.sqrt(v / (1 - 0.999**i)) + 1e-8)
        if time.perf_counter() - began > budget_s / 2:
            break
    best = z

    def objective(z: np.ndarray) -> tuple[float, np.ndarray]:
        if time.perf_counter() - began > budget_s:
            raise OutOfTime
        value, gradient = step(z)
        return float(value), np.asarray(gradient)

    def accepted(z: np.ndarray) -> None:
        nonlocal best
        best = z.copy()

    options = {"maxiter": 10**6, "maxfun": 10**6, "maxcor": MEMORY, "ftol": 0, "gtol": 0}
    with contextlib.suppress(OutOfTime):
        scipy.optimize.minimize(
            objective, z, jac=True, method="L-BFGS-B", callback=accepted, options=options
        )
    return np.asarray(jax.vmap(lambda x: network(unravel(best), x))(case.grid()))


def with_deepxde(case: Case, seed: int, budget_s: float) -> np.ndarray:
    """Return the fields on the grid, by DeepXDE on PyTorch with its own L-BFGS."""
    import deepxde as dde
    import torch

    began = time.perf_counter()
    dde.config.set_random_seed(seed)
    dde.config.set_default_float("float64")
    lower, upper = np.array(case.lower), np.array(case.upper)
    box = dde.geometry.Rectangle(lower, upper)

    def d(x: Any, y: Any) -> Any:
        def of(k: int, orders: tuple[int, ...]) -> Any:
            f, component = y, k
            axes = [axis for axis, order in enumerate(orders) for _ in range(order)]
            while len(axes) >= 2:
                f = dde.grad.hessian(f, x, component=component, i=axes[0], j=axes[1])
                axes, component = axes[2:], 0
            if axes:
                return dde.grad.jacobian(f, x, i=component, j=axes[0])
            return f if f is not y else y[:, k : k + 1]

        return of

    def equation(x: Any, y: Any) -> Any:
        columns = (x[:, :1], x[:, 1:])
        return [residual(d(x, y), columns, torch) for residual in case.residuals]

    def condition(side: Side) -> Any:
        place = (case.lower, case.upper)[side.end][side.axis]

        def on(x: Any, on_boundary: bool) -> bool:
            return on_boundary and bool(np.isclose(x[side.axis], place))

        if any(side.orders):
            return dde.icbc.OperatorBC(box, lambda x, y, X: d(x, y)(side.field, side.orders), on)
        return dde.icbc.DirichletBC(
            box, lambda X: case.values(side, X)[:, None], on, component=side.field
        )

    inside, _ = points(case, seed)
    data = dde.data.PDE(
        box, equation, [condition(s) for s in case.sides], num_domain=0, num_boundary=4 * PER_SIDE,
        anchors=inside,
    )  # fmt: skip
    net = dde.nn.FNN([2, *HIDDEN, case.fields], "tanh", "Glorot normal")
    middle, half = torch.tensor((lower + upper) / 2), torch.tensor((upper - lower) / 2)
    net.apply_feature_transform(lambda x: (x - middle) / half)
    model = dde.Model(data, net)
    model.compile("adam", lr=ADAM_RATE)
    quiet = {"display_every": 10**9, "verbose": 0}
    timer = dde.callbacks.Timer(budget_s / 120)
    model.train(iterations=ADAM, callbacks=[timer], **quiet)
    dde.optimizers.set_LBFGS_options(maxcor=MEMORY, ftol=0, gtol=0, maxiter=10**6, maxfun=10**6)
    dde.optimizers.config.LBFGS_options["iter_per_step"] = 20
    dde.optimizers.config.LBFGS_options["fun_per_step"] = 25
    model.compile("L-BFGS")
    left = budget_s - (time.perf_counter() - began)
    model.train(callbacks=[dde.callbacks.Timer(left / 60)], **quiet)
    return np.asarray(model.predict(case.grid()))

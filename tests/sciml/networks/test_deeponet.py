"""The deep operator network: values, derivatives at the cost of its trunk, a trained operator."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import sciml.framework as sf
from sciml import LBFGS, Adam, DeepONet
from sciml.framework.core.tree import flatten
from sciml.framework.errors import ConfigError, ShapeError
from sciml.framework.passes.simplify import simplify
from sciml.framework.transforms.collapse import collapse
from sciml.networks import parameter_count
from sciml.runs.config import SCHEMA
from sciml.runs.document import parse
from sciml.runs.dump import plain, yaml_text
from sciml.training.loop import Position, advance
from sciml.training.session import Packing

RNG = np.random.default_rng(0)
# sizes that all differ, so that a product is known by its shapes
F, N, SENSORS, P = 5, 17, 7, 6
NET = DeepONet(SENSORS, 2, P, branch=(24,), trunk=(10, 12))
PARAMETERS = NET.initialise(3)
V, X = RNG.normal(size=(F, SENSORS)), RNG.uniform(-1, 1, size=(N, 2))


def field(X: Any) -> Any:
    return NET(PARAMETERS, V, X)[..., 0]


# --- values ---------------------------------------------------------------------------------


def test_shapes_and_parameter_count() -> None:
    net = DeepONet(20, 3, 8, branch=(16,), trunk=(10, 12), outputs=2)
    parameters = net.initialise(0)
    branch, trunk = 20 * 16 + 16 + 16 * 16 + 16, 3 * 10 + 10 + 10 * 12 + 12 + 12 * 8 + 8
    assert parameter_count(parameters) == branch + trunk + 2
    assert net(parameters, np.zeros((4, 20)), np.zeros((9, 3))).shape == (4, 9, 2)


@pytest.mark.parametrize("outputs", [1, 3])
def test_the_formula(outputs: int) -> None:
    """u_i(f, x) = sum_k b_ik(f) t_k(x) + c_i, one function, point and field at a time."""
    net = DeepONet(SENSORS, 2, P, (24,), (10,), outputs, lower=(-1.0, 0.0), upper=(1.0, 4.0))
    parameters = net.initialise(1)
    parameters["bias"] += RNG.normal(size=outputs)
    got = net(parameters, V, X)
    for f, v in enumerate(V):
        for n, x in enumerate(X):
            h, t = v, np.array([x[0], x[1] / 2 - 1])
            for layer, (w, b) in enumerate((p["W"], p["b"]) for p in parameters["branch"]):
                h = h @ w + b if layer == 1 else np.tanh(h @ w + b)
            for p in parameters["trunk"]:
                t = np.tanh(t @ p["W"] + p["b"])
            expected = h.reshape(outputs, P) @ t + parameters["bias"]
            np.testing.assert_allclose(got[f, n], expected, rtol=1e-12, atol=1e-13)


def test_seed_fixes_the_bits_and_branch_and_trunk_draw_their_own() -> None:
    net = DeepONet(4, 4, 4, branch=(), trunk=())
    one, two = net.initialise(7), net.initialise(7, np.float32)
    for a, b in zip(flatten(one)[0], flatten(two)[0], strict=True):
        np.testing.assert_array_equal(a.astype(np.float32), b)
    assert not np.array_equal(one["branch"][0]["W"], one["trunk"][0]["W"])
    assert not np.array_equal(one["branch"][0]["W"], net.initialise(8)["branch"][0]["W"])


def test_float32_stays_float32() -> None:
    net = dataclasses.replace(NET, lower=(0.0, 0.0), upper=(1.0, 1.0), outputs=2)
    u = lambda X: net(net.initialise(0, np.float32), V.astype(np.float32), X)  # noqa: E731
    assert sf.laplacian(u)(X.astype(np.float32)).dtype == np.float32


def test_its_configuration_is_written_and_read() -> None:
    net = dataclasses.replace(NET, lower=(0.0, 0.0), upper=(1.0, 2.0), activation="sin")
    text = yaml_text(plain(net, DeepONet, SCHEMA))
    assert SCHEMA.build(DeepONet, parse(text, "deeponet.yaml")) == net


@pytest.mark.parametrize(("make", "word"), [
    (lambda: DeepONet(0, 2), "sensors"),
    (lambda: DeepONet(3, 2, features=0), "features"),
    (lambda: DeepONet(3, 2, trunk=(8, 0)), "width"),
    (lambda: DeepONet(3, 2, activation="relu"), "relu"),  # type: ignore[arg-type]
    (lambda: DeepONet(3, 2, lower=(0.0,), upper=(1.0,)), "2 coordinates"),
])  # fmt: skip
def test_configurations_that_mean_nothing_are_refused(make: Any, word: str) -> None:
    with pytest.raises(ConfigError, match=word):
        make()


@pytest.mark.parametrize(("functions", "points", "word"), [
    ((F, SENSORS + 1), (N, 2), r"\(functions, 7\), got \(5, 8\)"),
    ((SENSORS,), (N, 2), r"\(functions, 7\)"),
    ((F, SENSORS), (N, 3), r"\(points, 2\), got \(17, 3\)"),
    ((F, SENSORS), (2,), r"\(points, 2\)"),
])  # fmt: skip
def test_shapes_that_do_not_fit_are_refused(functions: Any, points: Any, word: str) -> None:
    with pytest.raises(ShapeError, match=word):
        NET(PARAMETERS, np.zeros(functions), np.zeros(points))


# --- derivatives ----------------------------------------------------------------------------

OPERATORS: dict[str, Callable[[Any], Any]] = {
    "gradient": sf.gradient,
    "hessian": sf.hessian,
    "laplacian": sf.laplacian,
    "forward_laplacian": lambda u: sf.laplacian(u, "forward_laplacian"),
    "directional": lambda u: sf.biharmonic(u, "directional"),
    "collapsed": lambda u: sf.biharmonic(u, "collapsed"),
    "multi_index": lambda u: sf.biharmonic(u, "multi_index"),
    "third_derivatives": sf.third_derivatives,
    "along_a_line": lambda u: sf.directional(u, [0.3, -1.0], 3),
    "linear": lambda u: sf.linear_operator(u, {(2, 0): 1.0, (0, 1): -2.0, (0, 0): 0.5}),
    "with_coefficient": lambda u: sf.linear_operator(
        u, {(2, 0): lambda X: X[:, 1], (0, 1): X[:, 0]}
    ),
}


@pytest.mark.parametrize("outputs", [1, 3])
@pytest.mark.parametrize("name", OPERATORS)
def test_all_functions_at_once_are_each_function_alone(name: str, outputs: int) -> None:
    """Evaluated, compiled, and mapped over the functions."""
    net = dataclasses.replace(NET, outputs=outputs)
    parameters, operator = net.initialise(5), OPERATORS[name]
    alone = np.stack([operator(lambda X, v=v: net(parameters, v[None], X)[0])(X) for v in V])

    def together(V: Any, X: Any) -> Any:
        return operator(lambda X: net(parameters, V, X))(X)

    def mapped(V: Any, X: Any) -> Any:
        return sf.vmap(lambda v: operator(lambda X: net(parameters, v[None], X)[0])(X))(V)

    tolerance = 1e-13 * np.abs(alone).max()
    for function in (together, mapped, sf.jit(together)):
        np.testing.assert_allclose(function(V, X), alone, rtol=0, atol=tolerance)


def test_reverse_mode_says_why_it_is_not_for_several_functions() -> None:
    with pytest.raises(Exception, match=r"reverse mode is for \(points,\) or \(points, m\)"):
        sf.laplacian(field, "nested")(X)


def test_sine_trunk_in_closed_form() -> None:
    """t_k = sin(w_k x + c_k): the polyharmonic operators multiply it by powers of -|w_k|^2."""
    net = DeepONet(SENSORS, 2, P, branch=(), trunk=(), activation="sin")
    p = net.initialise(2)
    b = V @ p["branch"][0]["W"]
    w, waves = p["trunk"][0]["W"], np.sin(X @ p["trunk"][0]["W"])
    u = lambda X: net(p, V, X)[..., 0]  # noqa: E731
    for power in (1, 2, 3):
        expected = b @ (waves * (-(w**2).sum(axis=0)) ** power).T
        np.testing.assert_allclose(
            sf.polyharmonic(u, power)(X), expected, rtol=0, atol=1e-13 * np.abs(expected).max()
        )


@pytest.mark.parametrize("index", [(2, 0), (2, 2), (1, 3)])
def test_deep_trunk_against_many_digits(index: tuple[int, int]) -> None:
    """mpmath differences the trunk with 60 digits; the branch is a plain sum."""
    layers = [(mp.matrix(p["W"].T), mp.matrix(p["b"])) for p in PARAMETERS["trunk"]]
    branch = np.tanh(V @ PARAMETERS["branch"][0]["W"]) @ PARAMETERS["branch"][1]["W"]

    def u(f: int, *x: Any) -> Any:
        h = mp.matrix(x)
        for w, b in layers:
            h = (w * h + b).apply(mp.tanh)
        return mp.fsum(mp.mpf(b) * t for b, t in zip(branch[f], h, strict=True))

    got = sf.derivative(field, index)(X[:2])
    with mp.workdps(60):
        for f, n in ((0, 0), (3, 1)):
            exact = mp.diff(lambda *x, f=f: u(f, *x), tuple(map(mp.mpf, X[n])), index)
            assert abs(mp.mpf(float(got[f, n])) - exact) <= 1e-12 * np.abs(got).max()


@pytest.mark.parametrize("name", OPERATORS)
def test_a_network_of_function_and_point_that_does_not_factorise(name: str) -> None:
    """u(f, x) = MLP([f, x]): all functions and points through every layer."""
    layers = [RNG.normal(size=s) * 0.4 for s in ((SENSORS + 2, 8), (8, 8), (8, 1))]

    def u(V: Any, X: Any) -> Any:
        count, points = V.shape[0], X.shape[0]
        h = sf.concatenate([
            sf.broadcast_to(V[:, None, :], (count, points, SENSORS)),
            sf.broadcast_to(X[None, :, :], (count, points, 2)),
        ], axis=2)  # fmt: skip
        for W in layers[:-1]:
            h = sf.tanh(h @ W)
        return (h @ layers[-1])[..., 0]

    def together(V: Any, X: Any) -> Any:
        return operator(lambda X: u(V, X))(X)

    operator = OPERATORS[name]
    alone = np.stack([operator(lambda X, v=v: u(v[None], X)[0])(X) for v in V])
    for function in (together, sf.jit(together)):
        tolerance = 1e-12 * np.abs(alone).max()
        np.testing.assert_allclose(function(V, X), alone, rtol=0, atol=tolerance)


# --- cost -----------------------------------------------------------------------------------

BRANCH = {(SENSORS, 24), (24, P)}
TRUNK = {(2, 10), (10, 12), (12, P)}


def product_rows(function: Any, *arguments: Any) -> dict[str, float]:
    """Rows of the products with each weight matrix, per function or point, and of both together.

    After the rewrites that every compiled program goes through.
    """
    program = simplify(collapse(sf.make_program(function)(*arguments)))
    rows = dict.fromkeys(("branch", "first", "trunk", "meeting"), 0.0)
    for operation in program.operations:
        if operation.name != "dot_general":
            continue
        left, right = (v.type.shape for v in operation.operands)
        elements = int(np.prod(operation.result.type.shape))
        if right in BRANCH:
            rows["branch"] += elements / (F * right[1] * len(BRANCH))
        elif right == (2, 10):
            rows["first"] += elements / (N * 10)
        elif right in TRUNK:
            rows["trunk"] += elements / (N * right[1] * (len(TRUNK) - 1))
        else:
            assert {F, N} <= {*left, *right}
            rows["meeting"] += elements / (F * N)
    return rows


@pytest.mark.parametrize(("operator", "coefficients", "outputs"), [
    (lambda u: u, 1, 1),
    (sf.laplacian, 4, 1),
    (lambda u: sf.laplacian(u, "forward_laplacian"), 4, 1),
    (sf.biharmonic, 11, 1),
    (lambda u: sf.derivatives(u, [(0, 0), (1, 0), (0, 1), (2, 0), (0, 2)]), 5, 5),
    (lambda u: sf.derivatives(u, [(2, 2)]), 9, 1),
    (sf.hessian, 6, 3),
    (lambda u: sf.linear_operator(u, {(2, 0): 1.0, (0, 2): 3.0, (0, 0): 1.0}), 4, 1),
])  # fmt: skip
def test_only_the_trunk_is_expanded(operator: Any, coefficients: int, outputs: int) -> None:
    """The branch runs once, the trunk for each coefficient, and both meet once per result.

    The first layer of the trunk is affine: its own row and directions that all points share.
    """
    rows = product_rows(lambda V, X: operator(lambda X: NET(PARAMETERS, V, X)[..., 0])(X), V, X)
    assert rows["branch"] == 1
    assert 1 <= rows["first"] <= 1 + 4 / N
    assert rows["trunk"] == coefficients
    assert rows["meeting"] == outputs


def test_functions_that_are_mapped_share_the_expansion_too() -> None:
    rows = product_rows(
        lambda V, X: sf.vmap(
            lambda v: sf.laplacian(lambda X: NET(PARAMETERS, v[None], X)[0, :, 0])(X)
        )(V),
        V, X,
    )  # fmt: skip
    assert (rows["branch"], rows["trunk"], rows["meeting"]) == (1, 4, 1)


def test_a_parameter_gradient_meets_twice_more() -> None:
    """Cotangents of the branch and of the trunk, whatever the number of coefficients."""

    def loss(parameters: Any, V: Any, X: Any) -> Any:
        return (sf.biharmonic(lambda X: NET(parameters, V, X)[..., 0])(X) ** 2).sum()

    program = simplify(collapse(
        sf.make_program(sf.grad(loss, allow_unused=True))(PARAMETERS, V, X)
    ))  # fmt: skip
    meetings = [
        o for o in program.operations
        if o.name == "dot_general"
        and {F, N} <= {s for v in (*o.operands, o.result) for s in v.type.shape}
    ]  # fmt: skip
    assert len(meetings) == 3


def test_the_gradient_agrees_with_each_function_alone() -> None:
    f = RNG.normal(size=(F, N))

    def loss(parameters: Any, V: Any, f: Any, X: Any) -> Any:
        return ((sf.biharmonic(lambda X: NET(parameters, V, X)[..., 0])(X) - f) ** 2).mean()

    step = sf.value_and_grad(loss, allow_unused=True)
    alone = [step(PARAMETERS, V[i : i + 1], f[i : i + 1], X) for i in range(F)]
    expected = [np.mean(parts, axis=0) for parts in zip(*(flatten(a)[0] for a in alone))]  # noqa: B905
    for got in (step(PARAMETERS, V, f, X), sf.jit(step)(PARAMETERS, V, f, X)):
        for a, b in zip(flatten(got)[0], expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=0, atol=1e-12 * max(1.0, np.abs(b).max()))


# --- a trained operator ---------------------------------------------------------------------


def sine_family(coefficients: Any, x: Any) -> tuple[Any, Any]:
    """f = sum_k c_k sin(k pi x) and the solution of -u'' = f that vanishes at 0 and 1."""
    k = np.pi * np.arange(1, coefficients.shape[1] + 1)
    waves = np.sin(np.outer(k, x))
    return coefficients @ waves, (coefficients / k**2) @ waves


@pytest.mark.parametrize(("branch", "steps", "bound"), [((), (100, 150), 5e-3),
                                                        ((32,), (300, 600), 2e-2)])  # fmt: skip
def test_the_solution_operator_of_poisson_is_learned_from_the_residual(
    branch: tuple[int, ...], steps: tuple[int, int], bound: float
) -> None:
    """Without solutions as data; on new functions the error is below the bound.

    Since u vanishes at both ends by construction, the error is also at most the residual over
    pi^2 (Poincare), in the L2 norm of each function.
    """
    net = DeepONet(12, 1, 16, branch=branch, trunk=(24, 24), lower=(0.0,), upper=(1.0,))
    sensors, x = np.linspace(0, 1, 14)[1:-1], np.linspace(0, 1, 40)
    drawn = np.random.default_rng(0).normal(size=(40, 3))
    data = (sine_family(drawn, sensors)[0], sine_family(drawn, x)[0], x[:, None])

    def u(parameters: Any, V: Any, X: Any) -> Any:
        ramp = X[None, :, 0] * (1 - X[None, :, 0])
        return ramp * net(parameters, V, X)[..., 0]

    def residual(parameters: Any, V: Any, f: Any, X: Any) -> Any:
        return sf.laplacian(lambda X: u(parameters, V, X))(X) + f

    step = sf.jit(sf.value_and_grad(lambda *arguments: (residual(*arguments) ** 2).mean()))
    packing = Packing(net.initialise(0))

    def objective(z: Any) -> tuple[float, Any]:
        value, gradient = step(packing.unpack(z), *data)
        return float(value), packing.pack(gradient)

    adam, lbfgs = steps
    start = Position(packing.pack(packing.example))
    *_, end = advance([Adam(adam), LBFGS(lbfgs)], start, objective, None)
    trained = packing.unpack(end.x)

    nodes, weights = np.polynomial.legendre.leggauss(40)
    nodes, weights = (nodes + 1) / 2, weights / 2
    new = np.random.default_rng(9).normal(size=(20, 3))
    V_new, (f_new, exact) = sine_family(new, sensors)[0], sine_family(new, nodes)
    error = u(trained, V_new, nodes[:, None]) - exact
    rest = residual(trained, V_new, f_new, nodes[:, None])
    norms = [np.sqrt(g**2 @ weights) for g in (error, rest, exact)]
    assert np.all(norms[0] <= norms[1] / np.pi**2 * (1 + 1e-9))
    assert np.linalg.norm(norms[0]) <= bound * np.linalg.norm(norms[2])

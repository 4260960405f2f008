"""What every network must be: its formula, its derivatives, its gradients, its place in files."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import sciml.framework as sf
from sciml import Adam, Points, Problem, Solver
from sciml.equations import Dirichlet, Poisson
from sciml.framework.core.tree import flatten, unflatten
from sciml.framework.errors import ConfigError, ShapeError
from sciml.geometry import Rectangle
from sciml.networks import NETWORKS as EVERY
from sciml.networks import (
    BoxNetwork,
    Network,
    RandomFeatures,
    SpectralFeatures,
    parameter_count,
)
from sciml.runs.config import SCHEMA
from sciml.runs.document import parse
from sciml.runs.dump import plain, yaml_text

from .references import NETWORKS, REFERENCES, parameters_of, reference

# a network per field is none of its own: its parts are here
BY_NAME = {name: kind for name, kind in EVERY.items() if issubclass(kind, BoxNetwork)}
POINTS = np.array([[0.3, -0.2], [-0.7, 0.5], [0.0, 0.0]])
INDICES = [a for a in itertools.product(range(5), repeat=2) if sum(a) <= 4]


def test_every_network_has_a_reference_here() -> None:
    assert {type(n) for n in NETWORKS.values()} == set(BY_NAME.values()) == REFERENCES.keys()


@pytest.mark.parametrize("name", NETWORKS)
def test_the_formula(name: str) -> None:
    network = NETWORKS[name]
    p = parameters_of(network)
    got = network(p, POINTS)
    for x, y in zip(POINTS, got, strict=True):
        expected = reference(network, p, [mp.mpf(float(v)) for v in x])
        np.testing.assert_allclose(y, np.array(expected, dtype=float), rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize("name", NETWORKS)
def test_mixed_derivatives_to_order_four_in_two_variables(name: str) -> None:
    """Plain, compiled and mapped over points, against differences with 60 digits."""
    network = NETWORKS[name]
    p = parameters_of(network)
    several = sf.derivatives(lambda X: network(p, X)[:, 0], INDICES)
    ways = {
        "plain": several(POINTS),
        "compiled": sf.jit(several)(POINTS),
        "mapped": sf.vmap(lambda x: [d[0] for d in several(x.reshape(1, 2))])(POINTS),
    }
    point = tuple(mp.mpf(float(v)) for v in POINTS[0])
    with mp.workdps(60):
        exact = [mp.diff(lambda x, y: reference(network, p, [x, y])[0], point, a) for a in INDICES]
    for got in ways.values():
        for a, values, e in zip(INDICES, got, exact, strict=True):
            scale = max(abs(v) for v, b in zip(exact, INDICES, strict=True) if sum(b) == sum(a))
            assert abs(mp.mpf(float(values[0])) - e) <= 1e-11 * scale, a


@pytest.mark.parametrize("name", NETWORKS)
def test_a_compiled_network_takes_any_number_of_points(name: str) -> None:
    network = NETWORKS[name]
    p = parameters_of(network)
    compiled = sf.jit(lambda p, X: network(p, X))
    for n in (40, 41, 1):
        X = np.random.default_rng(n).uniform(-1, 1, (n, 2))
        np.testing.assert_allclose(compiled(p, X), network(p, X), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", NETWORKS)
def test_all_mixed_derivatives_to_order_eight(name: str) -> None:
    network = NETWORKS[name]
    p = parameters_of(network)
    sf.check_derivatives(
        lambda X: network(p, X), POINTS[:1], 8, mixed=True,
        reference=lambda *z: reference(network, p, list(z)),
    ).require()  # fmt: skip


@pytest.mark.parametrize("name", NETWORKS)
def test_parameter_gradient_of_a_biharmonic_residual(name: str) -> None:
    """Along random directions, against central differences extrapolated to order h^4."""
    network = NETWORKS[name]
    p = parameters_of(network)
    leaves, structure = flatten(p)

    def loss(p: Any) -> Any:
        residual = sf.biharmonic(lambda X: network(p, X)[:, 1])(POINTS) - 1.0
        return (residual**2).mean()

    step = sf.jit(sf.value_and_grad(loss, allow_unused=True))
    rng = np.random.default_rng(0)
    gradient = flatten(step(p)[1])[0]
    for _ in range(2):
        v = [rng.normal(size=np.shape(x)) for x in leaves]

        def at(h: float, v: list[Any] = v) -> float:
            moved = [x + h * d for x, d in zip(leaves, v, strict=True)]
            return float(step(unflatten(structure, moved))[0])

        slopes = [(at(h) - at(-h)) / (2 * h) for h in (1e-4, 2e-4)]
        expected = (4 * slopes[0] - slopes[1]) / 3
        terms = [np.sum(g * d) for g, d in zip(gradient, v, strict=True)]
        assert abs(sum(terms) - expected) <= 1e-7 * sum(map(abs, terms))


@pytest.mark.parametrize("name", NETWORKS)
def test_seed_box_and_element_type(name: str) -> None:
    network = NETWORKS[name]
    one, two = network.initialise(4), network.initialise(4, np.float32)
    for a, b in zip(flatten(one)[0], flatten(two)[0], strict=True):
        assert np.array_equal(a.astype(np.float32), b)
    other = flatten(network.initialise(5))[0]
    pairs = zip(flatten(one)[0], other, strict=True)
    # coefficients of fixed functions start from zero, all others from what the seed says
    zero = isinstance(network, RandomFeatures | SpectralFeatures)
    assert zero != any(not np.array_equal(a, b) for a, b in pairs)
    assert network(two, POINTS.astype(np.float32)).dtype == np.float32
    boxed = replace(network, inputs=None).on_box((0.0, -1.0), (10.0, 3.0), 2)
    corners = np.array([[0.0, -1.0], [10.0, 3.0], [5.0, 1.0]])
    expected = network(one, np.array([[-1.0, -1.0], [1.0, 1.0], [0.0, 0.0]]))
    np.testing.assert_allclose(boxed(one, corners), expected, rtol=1e-14)


@pytest.mark.parametrize("name", NETWORKS)
def test_mistakes_are_refused_by_name(name: str) -> None:
    network = NETWORKS[name]
    kind, unsized = type(network).__name__, replace(network, inputs=None)
    with pytest.raises(ConfigError, match=f"{kind}: inputs=2, the problem has 3 coordinates"):
        network.on_box((0, 0, 0), (1, 1, 1), 1)
    with pytest.raises(ConfigError, match=f"{kind}: the number of inputs is not known"):
        unsized(unsized.initialise(0), POINTS)
    with pytest.raises(ConfigError, match=f"{kind}: every width must be 1 or more"):
        replace(network, outputs=0)
    with pytest.raises(ShapeError, match=rf"{kind}: expected points of shape \(points, 2\)"):
        network(network.initialise(0), np.zeros((4, 3)))


@pytest.mark.parametrize("name", NETWORKS)
def test_a_network_is_written_to_yaml_and_read_back(name: str) -> None:
    network = NETWORKS[name].on_box((0.0, 0.0), (1.0, 2.0), 2)
    text = yaml_text({"network": plain(network, Network, SCHEMA)})
    node = parse(text, "run.yaml").value["network"]  # type: ignore[index,call-overload]
    assert SCHEMA.build(Network, node) == network
    assert f"type: {type(network).__name__}" in text


@pytest.mark.parametrize("name", BY_NAME)
def test_the_solver_trains_every_network_by_its_name_alone(name: str) -> None:
    network = SCHEMA.build(Network, parse(f"type: {name}", "run.yaml"))
    problem = Problem(Rectangle(), Poisson("1"), [Dirichlet("u", "edges")])
    solver = Solver(problem, network, [Adam(3)], Points(20, 8), dtype="float64")
    training = solver.prepare()
    loss, gradient = training.objective(training.start.x)[:2]
    assert np.isfinite(loss)
    assert np.all(np.isfinite(gradient))
    assert gradient.size == parameter_count(problem.trial(network).network.initialise(0))
    assert np.any(gradient)

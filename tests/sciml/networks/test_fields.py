"""A network for each field."""

from __future__ import annotations

import numpy as np
import pytest

import sciml.framework as sf
from sciml import LBFGS, Adam, Points, Problem, Solver
from sciml.equations import CustomPDE, Dirichlet
from sciml.framework.errors import ConfigError
from sciml.geometry import Rectangle
from sciml.networks import MLP, Fields, Network, Siren, SplineKAN, parameter_count
from sciml.networks.smoothness import continuous_derivatives
from sciml.runs.config import SCHEMA
from sciml.runs.document import parse
from sciml.runs.dump import plain, yaml_text

NET = Fields({"u": MLP(hidden=(8, 8)), "p": Siren(hidden=(4,), omega_0=3.0)})
SIZED = NET.on_box((0.0, 0.0), (1.0, 2.0), 2)
X = np.random.default_rng(0).uniform(size=(6, 2))


def test_each_field_is_its_network() -> None:
    p = SIZED.initialise(0)
    assert parameter_count(p) == 3 * 8 + 9 * 8 + 9 + 3 * 4 + 5
    for k, (name, network) in enumerate(SIZED.networks.items()):
        np.testing.assert_array_equal(SIZED(p, X)[:, k : k + 1], network(p[name], X))
    u = lambda X: SIZED(p, X)[:, 1]  # noqa: E731
    alone = sf.biharmonic(lambda X: SIZED.networks["p"](p["p"], X)[:, 0])(X)
    np.testing.assert_allclose(sf.biharmonic(u)(X), alone, rtol=1e-13)


def test_networks_of_one_kind_draw_their_own_parameters() -> None:
    net = Fields({"u": MLP(hidden=(4,)), "v": MLP(hidden=(4,))}).on_box((0.0,), (1.0,), 2)
    p, q = net.initialise(3), net.initialise(3, np.float32)
    assert not np.array_equal(p["u"][0]["W"], p["v"][0]["W"])
    np.testing.assert_array_equal(p["v"][0]["W"].astype(np.float32), q["v"][0]["W"])


def test_it_is_written_to_yaml_and_read_back() -> None:
    text = yaml_text({"network": plain(SIZED, Network, SCHEMA)})
    node = parse(text, "run.yaml").value["network"]  # type: ignore[index,call-overload]
    assert SCHEMA.build(Network, node) == SIZED


def test_smoothness_is_the_least() -> None:
    mixed = Fields({"u": MLP(), "v": SplineKAN(degree=5), "w": SplineKAN(degree=3)})
    assert continuous_derivatives(mixed) == 2
    assert continuous_derivatives(NET) is None


def biharmonic_in_two() -> Problem:
    """u = sin(pi x) sin(pi y) and s = 2 pi^2 u solve Laplace u + s = 0, Laplace s + f = 0."""
    equations = {"first": "u__x__x + u__y__y + s", "second": "s__x__x + s__y__y + f"}
    pde = CustomPDE(equations, "x y", "u s", {"f": "4*pi**4*sin(pi*x)*sin(pi*y)"})
    return Problem(Rectangle(), pde, [Dirichlet("u", "edges"), Dirichlet("s", "edges")])


def test_a_system_is_solved_with_a_network_for_each_field() -> None:
    net = Fields({"u": MLP(hidden=(12, 12)), "s": MLP(hidden=(10, 10))})
    schedule = [Adam(50), LBFGS(200)]
    solver = Solver(biharmonic_in_two(), net, schedule, Points(200, 20), dtype="float64", seed=0)
    solution, X = solver.solve(), np.random.default_rng(1).uniform(size=(500, 2))
    exact = np.sin(np.pi * X[:, 0]) * np.sin(np.pi * X[:, 1])
    for name, size in (("u", 1.0), ("s", 2 * np.pi**2)):
        error = solution[name](X[:, 0], X[:, 1]) - size * exact
        assert np.linalg.norm(error) < 5e-3 * size * np.linalg.norm(exact)


def test_other_fields_than_those_of_the_problem_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"got networks for s, u; .* in this order, u, s"):
        biharmonic_in_two().trial(Fields({"s": MLP(), "u": MLP()}))


def test_mistakes() -> None:
    with pytest.raises(ConfigError, match="at least one network"):
        Fields({})
    with pytest.raises(ConfigError, match="2 networks for 3 fields"):
        NET.on_box((0.0,), (1.0,), 3)

"""Every network is trained on a problem with a known solution."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sciml import LBFGS, Adam, Points, Problem, Solver
from sciml.equations import Dirichlet, Poisson
from sciml.geometry import Rectangle
from sciml.networks import (
    DGM,
    MLP,
    NETWORKS,
    AdaptiveMLP,
    AttentionNetwork,
    BoxNetwork,
    ChebyshevKAN,
    FourierFeatures,
    GatedMLP,
    HighwayNetwork,
    MultiScaleFourier,
    PirateNet,
    RadialBasis,
    RandomFeatures,
    ResidualNetwork,
    SeparableNetwork,
    Siren,
    SpectralFeatures,
    SplineKAN,
    Windows,
)

SMALL: list[Any] = [
    AdaptiveMLP(hidden=(12, 12), slopes="neuron"),
    AttentionNetwork(tokens=2, width=6),
    ChebyshevKAN(hidden=(4,)),
    DGM(width=8, layers=1),
    FourierFeatures(features=8, scale=0.3, hidden=(12,)),
    GatedMLP(width=12, layers=1),
    HighwayNetwork(width=12, layers=2),
    MLP(hidden=(12, 12), weights="factorised"),
    MultiScaleFourier(features=6, scales=(0.2, 0.5), hidden=(12,)),
    PirateNet(features=8, scale=0.3, blocks=1),
    RadialBasis(centres=30, width=0.7),
    RandomFeatures(features=40, scale=3.0),
    ResidualNetwork(width=12, blocks=1),
    SeparableNetwork(rank=4, hidden=(8,)),
    Siren(hidden=(12, 12), omega_0=3.0),
    SpectralFeatures(degrees=4),
    SplineKAN(hidden=(4,), cells=4),
    Windows(network=MLP(hidden=(8,)), overlap=0.8),
]


def test_every_network_is_here() -> None:
    own = {kind for kind in NETWORKS.values() if issubclass(kind, BoxNetwork)}
    assert {type(network) for network in SMALL} == own


@pytest.mark.parametrize("network", SMALL, ids=lambda network: network.name)
def test_sine_poisson_to_half_a_percent(network: Any) -> None:
    """Relative L2 error of u = sin(pi x) sin(pi y) on the unit square at new points."""
    load = "2*pi**2*sin(pi*x)*sin(pi*y)"
    problem = Problem(Rectangle(), Poisson(load), [Dirichlet("u", "edges")])
    schedule = [Adam(50), LBFGS(100)]
    solver = Solver(problem, network, schedule, Points(150, 20), dtype="float64", seed=0)
    X = np.random.default_rng(1).uniform(size=(500, 2))
    exact = np.sin(np.pi * X[:, 0]) * np.sin(np.pi * X[:, 1])
    error = solver.solve()["u"](X[:, 0], X[:, 1]) - exact
    assert np.linalg.norm(error) < 5e-3 * np.linalg.norm(exact)

"""Random features: what is drawn, and the solutions of linear problems."""

from __future__ import annotations

import numpy as np
import pytest

from sciml import GaussNewton, Points, Problem, RandomFeatures, Solver
from sciml.equations import KirchhoffPlate, SimplySupported
from sciml.equations.exact.sine_plate import SinePlate
from sciml.framework.errors import ConfigError
from sciml.geometry import Rectangle
from sciml.networks import Poles, parameter_count


def test_drawn_evenly_and_again_the_same() -> None:
    net = RandomFeatures(inputs=2, features=40_000, scale=(2.0, 6.0), feature_seed=3)
    W, b = net.drawn()
    for row, scale in zip(W, (2.0, 6.0), strict=True):
        assert abs(row).max() <= scale
        assert row.std() == pytest.approx(scale / np.sqrt(3), rel=0.02)
    assert 0 <= b.min() < b.max() <= 2 * np.pi
    assert b.mean() == pytest.approx(np.pi, rel=0.02)
    assert np.array_equal(W, net.drawn()[0])
    assert not np.array_equal(W, RandomFeatures(2, 40_000, (2.0, 6.0), feature_seed=4).drawn()[0])


def test_every_kink_of_a_tanh_crosses_the_box() -> None:
    W, b = RandomFeatures(inputs=3, features=2000, activation="tanh").drawn()
    assert np.all(np.abs(b) <= np.abs(W).sum(axis=0))


def test_columns_of_the_enrichment_count() -> None:
    net = RandomFeatures(inputs=2, features=7, enrichment=(Poles([(3, 0)], 2),), outputs=2)
    assert parameter_count(net.initialise(0)) == (7 + 5) * 2


def test_the_sine_plate_to_rounding() -> None:
    pde = KirchhoffPlate(rigidity=1.0, poisson_ratio=0.3, load="sin(pi*x)*sin(pi*y)")
    problem = Problem(Rectangle(), pde, [SimplySupported("edges")])
    network = RandomFeatures(features=200, scale=3.0)
    errors = Solver(problem, network, [GaussNewton()], Points(800, 100)).solve().errors(SinePlate())
    assert errors["w"].relative_l2 < 1e-12
    assert errors["M_x"].relative_l2 < 1e-11
    assert errors["Q_x"].relative_l2 < 1e-10


@pytest.mark.parametrize(
    "change",
    [
        {"features": 0}, {"scale": 0.0}, {"scale": (1.0, -1.0)}, {"feature_seed": -1},
        {"activation": "relu"},
    ],
)  # fmt: skip
def test_mistakes(change: dict[str, object]) -> None:
    with pytest.raises(ConfigError, match="RandomFeatures"):
        RandomFeatures(**change)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="RandomFeatures: 3 scales for 2 coordinates"):
        RandomFeatures(inputs=2, scale=(1.0, 2.0, 3.0)).drawn()

"""A session built from constraints by hand: loss, parts, failures, and a solved equation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sciml.framework as fw
from sciml.framework.errors import NonFiniteError
from sciml.networks import MLP
from sciml.problem.constraint import Constraint
from sciml.training.loop import Position, advance
from sciml.training.optimisers import LBFGS, Adam
from sciml.training.session import Packing, Session, one_blas_thread

NET = MLP(inputs=2, hidden=(8, 8), lower=(0.0, 0.0), upper=(np.pi, np.pi))
SIDE = np.linspace(0.0, np.pi, 7)
X = np.stack(np.meshgrid(SIDE, SIDE), axis=-1).reshape(-1, 2)
EDGES = X[np.any((X == 0.0) | (np.pi == X), axis=1)]


def field(parameters: Any) -> Any:
    """Return u(x, y) = network."""
    return lambda points: NET(parameters, points)[:, 0]


def balance(parameters: Any, points: Any) -> Any:
    """Residual of -u_xx - u_yy = 2 sin x sin y."""
    load = 2.0 * fw.sin(points[:, 0]) * fw.sin(points[:, 1])
    return fw.laplacian(field(parameters))(points) + load


def edges(parameters: Any, points: Any) -> Any:
    """Residual of u = 0."""
    return field(parameters)(points)


SCHEDULE = (Adam(steps=60, rate=1e-2), LBFGS(steps=200))
CONSTRAINTS = [
    Constraint("interior", balance, (X,)),
    Constraint("edges", edges, (EDGES,), weight=10.0),
]


def session(dtype: Any = np.float64) -> Session:
    """Return a fresh session."""
    return Session(CONSTRAINTS, NET.initialise(1, dtype), dtype, threads=1)


def test_packing_keeps_structure_shapes_and_types() -> None:
    parameters = {"b": [np.ones((2, 3), np.float32)], "a": (np.arange(4.0), None)}
    packing = Packing(parameters)
    x = packing.pack(parameters)
    assert x.dtype == np.float64
    again = packing.unpack(x + 1.0)
    assert np.array_equal(again["b"][0], np.full((2, 3), 2.0))
    assert again["b"][0].dtype == np.float32
    assert again["a"][1] is None


def test_loss_is_the_weighted_sum_of_its_parts() -> None:
    made = session()
    parts = made.parts(made.start)
    value, _ = made.objective(made.start)
    assert list(parts) == ["interior", "edges"]
    assert np.isclose(value, parts["interior"] + 10.0 * parts["edges"], rtol=1e-12)


def test_gradient_matches_a_difference_along_a_direction() -> None:
    made, rng = session(), np.random.Generator(np.random.Philox(3))
    x, h = made.start, 1e-6
    direction = rng.standard_normal(x.size)
    slope = (made.objective(x + h * direction)[0] - made.objective(x - h * direction)[0]) / (2 * h)
    assert np.isclose(made.objective(x)[1] @ direction, slope, rtol=1e-6)


def test_schedule_solves_the_equation() -> None:
    made = session()
    with one_blas_thread():
        *_, last = advance(
            (Adam(steps=60, rate=1e-2), LBFGS(steps=200)),
            Position(made.start),
            made.objective,
            None,
        )
    values = field(made.packing.unpack(last.x))(X)
    assert np.max(np.abs(values - np.sin(X[:, 0]) * np.sin(X[:, 1]))) < 2e-2


def test_failure_names_constraint_operation_and_point() -> None:
    def broken(parameters: Any, points: Any) -> Any:
        return fw.log(points[:, 0] - 0.5) * field(parameters)(points)

    made = Session(
        [CONSTRAINTS[0], Constraint("edge: u", broken, (X[:10],))], NET.initialise(0), threads=1
    )
    with pytest.raises(NonFiniteError) as caught, np.errstate(all="ignore"):
        list(advance((Adam(steps=3),), Position(made.start), made.objective, None))
    message = str(made.explain_failure(made.start, caught.value))
    assert "step 1 (Adam)" in message
    assert "constraint 'edge: u'" in message
    assert "operation 4, log" in message
    assert "at point (0, 0)" in message


def test_float32_gives_the_same_loss_to_its_digits() -> None:
    double, single = session(), session(np.float32)
    assert np.isclose(
        double.objective(double.start)[0], single.objective(single.start)[0], rtol=1e-5
    )

"""What the planner chooses, and what it says about it."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.transforms.fields import trace_field
from sciml.framework.transforms.planner import decide
from sciml.framework.transforms.plans.request import Request

RNG = np.random.default_rng(0)


def network(dimension: int) -> Any:
    sizes = (dimension, 32, 32, 1)
    layers = [RNG.normal(size=pair) * 0.3 for pair in itertools.pairwise(sizes)]

    def u(X: Any) -> Any:
        for W in layers[:-1]:
            X = sf.tanh(X @ W)
        return (X @ layers[-1])[:, 0]

    return u


def squares(dimension: int, factor: int = 2) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(int, row)) for row in factor * np.eye(dimension, dtype=int))


@pytest.mark.parametrize(("dimension", "request_", "plan"), [
    (2, Request(((4, 0), (2, 2), (0, 4)), (1.0, 2.0, 1.0)), "multi_index"),
    (2, Request(squares(2), (1.0, 1.0)), "multi_index"),
    (50, Request(squares(50), (1.0,) * 50), "forward_laplacian"),
    (50, Request(squares(50, 1)), "nested"),
    (50, Request(squares(50)), "directional"),
    (1, Request(((10,),)), "multi_index"),
    (12, Request(((1,) * 12,)), "directional"),
])  # fmt: skip
def test_choice(dimension: int, request_: Request, plan: str) -> None:
    field = trace_field(network(dimension), RNG.normal(size=(5, dimension)))
    if dimension == 12:
        # nothing is cheap here, and what remains must be said
        with pytest.raises(Exception, match="no plan can serve"):
            decide(field, request_, None)
        return
    assert decide(field, request_, None).chosen == plan


def test_explanation_of_a_whole_residual() -> None:
    def residual(X: Any) -> Any:
        u = network(2)
        return sf.biharmonic(u)(X) - sf.derivative(u, (1, 0))(X)

    text = sf.explain(residual, np.ones((8, 2)))
    assert "a weighted sum of u_xxxx, u_xxyy, u_yyyy" in text
    assert "u: u_x\n" in text
    assert "* multi_index                  11" in text
    assert "forward_laplacian             - not of second order" in text


def test_explanation_of_a_compiled_function() -> None:
    u = network(3)
    text = sf.jit(lambda X: sf.laplacian(u, plan="nested")(X)).explain(np.ones((8, 3)))
    assert "  nested: asked for" in text
    assert text.index("nested: asked for") < text.index("// trace:")


def test_names_beyond_three_dimensions() -> None:
    text = sf.explain(sf.derivative(network(5), (0, 2, 0, 0, 1)), np.ones((8, 5)))
    assert "u: u_x2x2x5\n" in text


def test_a_function_without_derivatives() -> None:
    assert sf.explain(lambda x: x * 2.0, np.ones(3)) == "no derivatives of fields are taken"

"""Which axes become symbolic, and which of two that meet keeps its number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.compiler.batches import met_sizes, symbolic_types
from sciml.framework.core.dims import Dim
from sciml.framework.core.tree import flatten
from sciml.framework.ir.types import TensorType, type_of_array

RNG = np.random.default_rng(0)


def guesses(*arguments: Any) -> list[str]:
    """The shapes of every guess as text."""
    leaves, structure = flatten(arguments)
    types = [type_of_array(np.ones(s)) for s in map(np.shape, leaves)]
    return [
        "; ".join(" ".join(map(str, t.shape)) for t in guess)
        for guess in symbolic_types(structure, types)
    ]


def test_leading_axes_are_batches_unless_they_are_widths() -> None:
    layer = {"W": np.ones((20, 64)), "b": np.ones(64)}
    assert guesses([layer], np.ones((1000, 20))) == ["20 64; 64; N 20"]
    assert guesses(np.ones((3, 2)), np.ones((7, 2))) == []
    assert guesses(np.ones((40, 2)), np.ones(40)) == ["N 2; N"]


def test_a_vector_of_all_parameters_is_no_batch_if_the_function_cuts_it() -> None:
    given = np.ones((40, 2)), np.ones(30), np.ones(40)
    assert guesses(*given) == ["N 2; N2; N", "N 2; 30; N"]
    lowered = sf.jit(lambda X, v, w: X @ v[:2] + w * v[29]).lower(*given)
    assert str(lowered[-1][1].inputs[0].type) == "f64[N, 2]"
    assert "loop.tile" in lowered[-1][1].count()


def test_points_of_a_function_are_a_second_batch() -> None:
    """Values of 50 functions at 1000 points, which another argument leads with."""
    functions, values, X = np.ones((50, 20)), np.ones((50, 1000)), np.ones((1000, 2))
    assert guesses(functions, values, X) == ["N 20; N N2; N2 2", "N 20; N 1000; 1000 2"]
    # in a container the same shapes are weights
    assert guesses([functions, values], X) == ["N 20; N 1000; 1000 2"]
    # as many functions as points cannot be told apart
    assert guesses(np.ones((50, 50)), np.ones((50, 2))) == []


VALUES = TensorType((Dim.named("F"), Dim.named("N")), np.dtype(np.float64))
POINTS = TensorType((Dim.named("N"), 2), np.dtype(np.float64))


def test_the_size_with_most_elements_stays_symbolic() -> None:
    C = TensorType((Dim.named("F"), 2), np.dtype(np.float64))
    program = sf.make_program(lambda f, c, X: (f - c @ sf.tanh(X).T).sum())(VALUES, C, POINTS)
    assert met_sizes(program, {"F": 5, "N": 100}) == {"F": 5}
    assert met_sizes(program, {"F": 5000, "N": 100}) == {"N": 100}


def test_sizes_that_do_not_meet_all_stay_symbolic() -> None:
    program = sf.make_program(lambda f, X: f.sum() + X.sum())(
        TensorType((Dim.named("F"), 3), np.dtype(np.float64)), POINTS
    )
    assert met_sizes(program, {"F": 50, "N": 100}) == {}


# --- what follows for compiled functions ----------------------------------------------------

W = RNG.normal(size=(2, 6))
C = RNG.normal(size=(7, 6))


def residual(params: Any, V: Any, f: Any, X: Any) -> Any:
    u = lambda X: sf.tanh(V @ params["C"]) @ sf.tanh(X @ params["W"]).T  # noqa: E731
    return sf.laplacian(u)(X) - f


def loss(params: Any, V: Any, f: Any, X: Any) -> Any:
    return (residual(params, V, f, X) ** 2).mean()


def data(functions: int, points: int) -> tuple[Any, ...]:
    rng = np.random.default_rng(functions + points)
    return (
        {"C": C, "W": W},
        rng.normal(size=(functions, 7)),
        rng.normal(size=(functions, points)),
        rng.uniform(size=(points, 2)),
    )


def test_an_operator_network_is_one_loop_over_its_points() -> None:
    """No array outside the loop holds the points but the arguments, and the branch is outside."""
    stages = dict(sf.jit(sf.value_and_grad(loss)).lower(*data(20, 300)))
    operations = stages["tile"].operations
    (loop,) = [o for o in operations if o.name == "loop.tile"]
    assert set(loop.attributes["folds"]) == {"sum"}
    outside = [r.type.shape for o in operations for r in o.results]
    assert not any(isinstance(s, Dim) for shape in outside for s in shape)
    inside = loop.regions[0].block.operations
    assert any(o.name == "tanh" and o.result.type.shape == (20, 6) for o in operations)
    assert all(o.result.type.shape != (20, 6) for o in inside if o.name == "tanh")


@pytest.mark.parametrize("function", [residual, sf.value_and_grad(loss)])
def test_points_are_symbolic_and_functions_are_compiled_anew(function: Any) -> None:
    compiled = sf.jit(function)
    made = []
    for functions, points in ((20, 300), (20, 9), (20, 1000), (30, 1000), (30, 40), (20, 77)):
        got, expected = compiled(*data(functions, points)), function(*data(functions, points))
        for a, b in zip(flatten(got)[0], flatten(expected)[0], strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)
        made.append(compiled.compilations)
    assert made == [1, 1, 1, 2, 2, 2]


def test_few_points_and_many_functions_are_tiled_over_functions() -> None:
    compiled = sf.jit(loss)
    (shapes,) = {tuple(v.type.shape for v in compiled.trace(*data(900, 12)).program.inputs[2:])}
    assert [str(s) for s in shapes] == ["(N, 7)", "(N, 12)", "(12, 2)"]
    for functions in (900, 700):
        expected = loss(*data(functions, 12))
        assert float(compiled(*data(functions, 12))) == pytest.approx(float(expected), rel=1e-12)
    assert compiled.compilations == 1


def test_batches_recognised_from_the_function_alone() -> None:
    """Without values of shape (functions, points) among the arguments."""

    def total(params: Any, V: Any, X: Any) -> Any:
        return (residual(params, V, V[:, :1] * X[None, :, 0], X) ** 2).mean()

    compiled = sf.jit(total)
    for points in (300, 50):
        params, V, _, X = data(20, points)
        assert float(compiled(params, V, X)) == pytest.approx(float(total(params, V, X)), rel=1e-12)
    assert compiled.compilations == 1


def test_a_daring_guess_that_fails_is_followed_by_a_careful_one() -> None:
    """20 columns of X lead the weights, which as an argument of their own look like points."""
    weights = RNG.normal(size=(20, 5))

    def field(weights: Any, X: Any) -> Any:
        return sf.laplacian(lambda X: sf.tanh(X @ weights))(X).sum()

    compiled = sf.jit(field)
    for points in (300, 50):
        X = RNG.normal(size=(points, 20))
        assert float(compiled(weights, X)) == pytest.approx(float(field(weights, X)), rel=1e-11)
    assert compiled.compilations == 1


def test_explain_tells_the_plan_once() -> None:
    text = sf.jit(loss).explain(*data(20, 300))
    assert text.count("a weighted sum of u_xx, u_yy") == 1

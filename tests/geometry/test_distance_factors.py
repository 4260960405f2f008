import warnings

import numpy as np
import pytest
import sympy

from sciml.equations import Dirichlet, Poisson, ansatz, lower
from sciml.geometry import Polygon

x, y = sympy.symbols("x y")
L_SHAPE = Polygon([(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)])
FRAME = Polygon([(0, 0), (3, 0), (3, 2), (0, 2)], holes=[[(1, 0.5), (1, 1.5), (2, 1.5), (2, 0.5)]])


def vertices(shape):
    return np.concatenate([shape.pieces[leaf].frame(np.zeros((1, 1)))[0]
                           for leaf in shape.resolve("boundary")])  # fmt: skip


@pytest.mark.parametrize("shape", [L_SHAPE, FRAME])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_at_vertices_the_factor_is_zero_and_its_gradient_finite(shape, dtype):
    phi = shape.boundary_factor()
    lowered = lower({"phi": phi, "x": phi.diff(x), "y": phi.diff(y)}, (x, y), [])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = lowered({}, vertices(shape).astype(dtype))
    assert np.abs(found["phi"]).max() < 1e-15
    assert all(np.isfinite(found[name]).all() for name in ("x", "y"))


@pytest.mark.parametrize("shape", [L_SHAPE, FRAME])
def test_the_factor_is_zero_on_edges_and_positive_inside(shape):
    phi = lower({"phi": shape.boundary_factor()}, (x, y), [])
    on = shape.sample_boundary("boundary", 60).points
    assert np.abs(phi({}, on)["phi"]).max() < 1e-14
    assert phi({}, shape.sample_interior(200))["phi"].min() > 0


@pytest.mark.parametrize("shape", [L_SHAPE, FRAME])
def test_values_that_fit_are_taken_at_vertices_too(shape):
    leaves = shape.resolve("boundary")
    # The first expression differs from the others by what vanishes on its edge.
    side = shape.pieces[leaves[0]].side((x, y))
    conditions = [Dirichlet("u", leaves[0], x * y + 1 + side, hard=True)]
    conditions += [Dirichlet("u", leaf, "x*y + 1", hard=True) for leaf in leaves[1:]]
    trial = ansatz(shape, conditions, Poisson().u)
    field = trial.bind(lambda X: X[:, 0] * 0 + 2)
    X = np.concatenate([vertices(shape), shape.sample_boundary("boundary", 40).points])
    np.testing.assert_allclose(field(X), X[:, 0] * X[:, 1] + 1, atol=1e-13)

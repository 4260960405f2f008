"""Stacks of networks."""

from __future__ import annotations

import numpy as np

import sciml.framework as sf
from sciml.framework.core.tree import flatten, unflatten
from sciml.networks import GatedMLP
from sciml.networks.stacks import evaluate_stack, initialise_stack

NET = GatedMLP(inputs=2, width=3, layers=1)


def test_a_stack_is_its_networks() -> None:
    p = initialise_stack(NET, 4, seed=1)
    X = np.random.default_rng(0).normal(size=(7, 4, 2))
    leaves, structure = flatten(p)
    together, compiled = evaluate_stack(NET, p, X), sf.jit(lambda *a: evaluate_stack(NET, *a))(p, X)
    for k in range(4):
        alone = NET(unflatten(structure, [leaf[k] for leaf in leaves]), X[:, k])
        np.testing.assert_allclose(together[k], alone, rtol=1e-13)
        np.testing.assert_allclose(compiled[k], alone, rtol=1e-13)


def test_each_draws_its_own_parameters_in_every_rounding() -> None:
    one, two = (initialise_stack(NET, 3, 5, dtype) for dtype in (np.float64, np.float32))
    W = one["U"]["W"]
    assert not np.array_equal(W[0], W[1])
    np.testing.assert_array_equal(W.astype(np.float32), two["U"]["W"])

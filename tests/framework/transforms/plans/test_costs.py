"""The cost model against what the programs of the plans contain."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import sciml.framework as sf
from sciml.framework.passes.simplify import simplify
from sciml.framework.transforms.collapse import collapse
from sciml.framework.transforms.fields import trace_field
from sciml.framework.transforms.planner import PLANS
from sciml.framework.transforms.plans.costs import Carried, closure, propagation_cost
from sciml.framework.transforms.plans.request import Request

WIDTH, POINTS = 32, 10
RNG = np.random.default_rng(0)


def network(dimension: int) -> Any:
    sizes = (dimension, WIDTH, WIDTH, WIDTH, 1)
    layers = [RNG.normal(size=pair) * 0.3 for pair in itertools.pairwise(sizes)]

    def u(X: Any) -> Any:
        for W in layers[:-1]:
            X = sf.tanh(X @ W)
        return (X @ layers[-1])[:, 0]

    return u


def products(program: Any) -> float:
    """Operations per point of the products that contain points."""
    total = 0
    for operation in program.operations:
        if operation.name == "dot_general" and POINTS in operation.result.type.shape:
            (contracted, _) = operation.attributes["contract"]
            inner = np.prod([operation.operands[0].type.shape[a] for a in contracted])
            total += 2 * int(np.prod(operation.result.type.shape)) * int(inner)
    return total / POINTS


def arithmetic(program: Any) -> float:
    """Operations per point of everything else; 20 for a function."""
    free = {"broadcast", "concatenate", "convert", "dot_general", "full", "reshape", "slice",
            "transpose"}  # fmt: skip
    total = 0
    for operation in program.operations:
        summed = operation.name == "reduce_sum"
        shape = (operation.operands[0] if summed else operation.result).type.shape
        if operation.name not in free and POINTS in shape:
            total += int(np.prod(shape)) * (20 if operation.name == "tanh" else 1)
    return total / POINTS


UNIT_SUM = (1.0, 1.0, 1.0)
CASES = [
    (2, ((4, 0), (2, 2), (0, 4)), (1.0, 2.0, 1.0), "collapsed"),
    (2, ((4, 0), (2, 2), (0, 4)), None, None),
    (3, ((2, 0, 0), (0, 2, 0), (0, 0, 2)), UNIT_SUM, "forward_laplacian"),
    (3, ((2, 0, 0), (0, 1, 0), (1, 0, 1)), None, None),
    (2, ((1, 0), (0, 1)), None, None),
    (1, ((6,),), None, None),
]


@pytest.mark.parametrize(("dimension", "indices", "weights", "plan"), [
    (dimension, indices, weights, plan)
    for dimension, indices, weights, own in CASES
    for plan in ("multi_index", "directional", "nested", own)
    if plan is not None
])  # fmt: skip
def test_model_against_the_program_of_each_plan(
    dimension: int, indices: Any, weights: Any, plan: str
) -> None:
    """After all rewrites the products are rows times those of one forward pass."""
    u, X = network(dimension), RNG.normal(size=(POINTS, dimension))
    field, request = trace_field(u, X), Request(indices, weights)
    chosen = PLANS[plan]
    program = sf.make_program(
        lambda X: [r for rs in _run(chosen, u, X, request) for r in rs]
    )(X)  # fmt: skip
    found = simplify(collapse(program))
    cost = chosen.cost(field, request)
    hidden = 2 * WIDTH * WIDTH * 2 + 2 * WIDTH
    # the first layer has one row in Taylor mode, and reverse mode ends there with one product;
    # products with one column or row are elementwise
    slack = 3 * 2 * dimension * WIDTH
    expected = cost.coefficients * hidden
    assert abs(products(found) - expected) <= 0.02 * expected + slack
    assert abs(products(found) + arithmetic(found) - cost.operations) <= 0.1 * cost.operations


def _run(plan: Any, u: Any, X: Any, request: Request) -> Any:
    from sciml.framework.ops.tensor import wrap

    return [[wrap(o) for o in rs] for rs in plan.run(trace_field(u, X), request)]


def test_operations_by_hand() -> None:
    """tanh(X W) v with W (2, 3): products 2 * 2 * 3, rows * 2 * 3, and tanh in each of 3 units.

    To first order along one line: 20 for tanh, then 1 - t^2 (2) times the slope of its argument.
    """
    W, v = np.ones((2, 3)), np.ones((3, 1))
    field = trace_field(lambda X: sf.tanh(X @ W) @ v, np.ones((5, 2)))
    cost = propagation_cost(field, Carried(2, {((0,), (1,)): 1}))
    assert cost.coefficients == 2
    assert cost.operations == 12 + 3 * (20 + 3) + 2 * 6
    # written and read: one affine row and two general rows of 3, two rows of the result
    assert cost.bytes == 8 * 2 * (3 + 2 * 3 + 2 * 1)


def test_products_of_two_moving_factors_take_pairs() -> None:
    """Attention-like: both factors carry coefficients, pairs of order at most K meet."""
    field = trace_field(
        lambda X: (sf.sin(X)[:, None, :] * sf.cos(X)[:, :, None]).sum(axis=(1, 2)), np.ones((5, 2))
    )
    low, high = (
        propagation_cost(field, Carried(k + 1, {tuple((n,) for n in range(k + 1)): 1})).operations
        for k in (1, 2)
    )
    assert high > low


def test_closure_of_the_biharmonic_operator() -> None:
    assert len(closure([(4, 0), (2, 2), (0, 4)])) == 13
    assert closure([(1, 1)]) == ((0, 0), (1, 0), (0, 1), (1, 1))


def test_a_custom_function_costs_what_its_body_costs() -> None:
    function = sf.custom_jvp(lambda x: sf.tanh(sf.sin(x)))
    function.defjvp(lambda p, t: (function(*p), t[0]))
    X, carried = np.ones((5, 2)), Carried(3, {((0,), (1,), (2,)): 1})
    called = propagation_cost(trace_field(function, X), carried)
    plain = propagation_cost(trace_field(lambda X: sf.tanh(sf.sin(X)), X), carried)
    assert called == plain

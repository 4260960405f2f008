"""Each balancer against its formula, on residuals whose sizes and derivatives are known."""

from __future__ import annotations

import math
from inspect import isabstract
from typing import Any

import numpy as np
import pytest

from sciml.framework.errors import ConfigError, NonFiniteError, ParseError
from sciml.problem.constraint import Constraint, Supply
from sciml.training.balancers import (
    BALANCERS,
    NTK,
    AugmentedLagrangian,
    Balancer,
    Causal,
    Combined,
    GradNorm,
    PartGradients,
    ReLoBRaLo,
    ResidualAttention,
    SelfAdaptive,
    SoftAdapt,
    View,
    Weighing,
    WeightFunctions,
    even,
)
from sciml.training.balancers.multipliers import PointMultipliers
from sciml.training.linearised import Linearised

T = np.array([[0.0], [0.25], [0.5], [1.0]])
"""Times of four points; two fall into the first half."""


def supply(inside: bool) -> Supply:
    """Points of (0, 1), with the distance min(t, 1 - t) to its ends."""
    return Supply(
        ("t",), lambda n, seed, sampler: (T,), lambda X: np.maximum(-X[:, 0], X[:, 0] - 1.0), inside
    )


def equation(parameters: Any, X: Any) -> Any:
    """r = a (1 + t): sizes a, 1.25 a, 1.5 a, 2 a."""
    return parameters["a"] * (1.0 + X[:, 0])


def start(parameters: Any, X: Any) -> Any:
    """r = 3 b at each point."""
    return 3.0 * parameters["b"] + 0.0 * X[:, 0]


CONSTRAINTS = (
    Constraint("ode", equation, (T,), supply=supply(inside=True)),
    Constraint("initial: u", start, (T[:2],), supply=supply(inside=False)),
)
MEAN = (1.0 + 1.25**2 + 1.5**2 + 4.0) / 4
"""Mean of (1 + t)^2."""


def view(a: float, b: float, seed: int = 0) -> View:
    """The two constraints for parameters a and b."""
    parameters = {"a": np.array(a), "b": np.array(b)}
    return View(
        CONSTRAINTS, parameters, Linearised(CONSTRAINTS, 1), PartGradients(CONSTRAINTS, 1),
        even(CONSTRAINTS), 0, np.random.default_rng(seed),
    )  # fmt: skip


def weights(found: Weighing) -> list[Any]:
    return [w.tolist() for w in found.weights]


def test_view_tells_residuals_losses_gradients_and_kernels() -> None:
    seen = view(2.0, 0.5)
    np.testing.assert_allclose(seen.residuals[0], [2.0, 2.5, 3.0, 4.0], rtol=1e-15)
    np.testing.assert_allclose(seen.losses, [4 * MEAN, 2.25], rtol=1e-15)
    # d/da a^2 mean, d/db 9 b^2
    np.testing.assert_allclose(seen.gradient_norms, [4 * MEAN, 9.0], rtol=1e-15)
    np.testing.assert_allclose(seen.kernel_traces(10), [MEAN, 9.0], rtol=1e-15)
    np.testing.assert_allclose(seen.kernel_traces(2), [(1 + 1.5**2) / 2, 9.0], rtol=1e-15)
    half = seen.weighted((np.array([0.0, 0.0, 0.0, 1.0]), np.array(2.0)))
    np.testing.assert_allclose(half.losses, [4.0, 4.5], rtol=1e-15)
    np.testing.assert_allclose(half.gradient_norms, [4.0, 18.0], rtol=1e-15)
    np.testing.assert_allclose(half.kernel_traces(10), [1.0, 18.0], rtol=1e-15)


def test_view_refuses_what_is_not_a_number() -> None:
    with pytest.raises(NonFiniteError, match="constraint 'ode': the residual is not a number"):
        _ = view(math.inf, 1.0).losses


def test_grad_norm_makes_gradients_equally_long_and_remembers() -> None:
    method, seen = GradNorm(memory=0.75), view(2.0, 0.5)
    first = method.update(seen, None)
    total = 4 * MEAN + 9.0
    np.testing.assert_allclose(first.weights, [total / (4 * MEAN), total / 9.0], rtol=1e-14)
    later = method.update(seen, Weighing((np.array(1.0), np.array(2.0))))
    expected = [0.75 + 0.25 * total / (4 * MEAN), 1.5 + 0.25 * total / 9.0]
    np.testing.assert_allclose(later.weights, expected, rtol=1e-14)


def test_what_has_no_gradient_keeps_its_weight() -> None:
    before = Weighing((np.array(3.0), np.array(5.0)))
    found = GradNorm(memory=0.5).update(view(2.0, 0.0), before)
    np.testing.assert_allclose(found.weights, [2.0, 5.0], rtol=1e-14)
    np.testing.assert_array_equal(GradNorm().update(view(0.0, 0.0), None).weights, [1.0, 1.0])


def test_ntk_makes_kernels_equal() -> None:
    found = NTK().update(view(2.0, 0.5), None)
    np.testing.assert_allclose(found.weights, [1 + 9 / MEAN, 1 + MEAN / 9], rtol=1e-14)


def test_soft_adapt_follows_changes() -> None:
    method = SoftAdapt(beta=0.5)
    first = method.update(view(2.0, 0.5), None)
    assert weights(first) == [1.0, 1.0]
    # losses: 4 MEAN -> MEAN, 2.25 -> 9
    found = method.update(view(1.0, 1.0), first)
    s = np.array([-3 * MEAN, 6.75])
    e = np.exp(0.5 * s / np.abs(s).sum())
    np.testing.assert_allclose(found.weights, 2 * e / e.sum(), rtol=1e-14)
    by_loss = SoftAdapt(beta=0.5, by_loss=True).update(view(1.0, 1.0), first)
    share = np.array([MEAN, 9.0]) * e
    np.testing.assert_allclose(by_loss.weights, 2 * share / share.sum(), rtol=1e-14)
    still = method.update(view(2.0, 0.5), first)
    assert weights(still) == [1.0, 1.0]


@pytest.mark.parametrize("lookback", [0.0, 1.0])
def test_relobralo_follows_progress(lookback: float) -> None:
    method = ReLoBRaLo(alpha=0.8, lookback=lookback, temperature=2.0)
    first = method.update(view(2.0, 1.0), None)
    second = method.update(view(1.0, 1.0), first)
    third = method.update(view(1.0, 0.5), second)

    def balanced(*ratios: float) -> Any:
        e = np.exp(np.array(ratios) / 2.0)
        return 2 * e / e.sum()

    past = np.ones(2) if lookback else balanced(0.25, 1.0)
    expected = 0.8 * past + 0.2 * balanced(0.25, 1.0)
    np.testing.assert_allclose(second.weights, expected, rtol=1e-14)
    past = expected if lookback else balanced(0.25, 0.25)
    np.testing.assert_allclose(third.weights, 0.8 * past + 0.2 * balanced(1.0, 0.25), rtol=1e-14)


def test_relobralo_looks_back_as_often_as_asked() -> None:
    """Of 4,000 draws with probability 1/4, the share is within four deviations of 0.0068."""
    method, first = ReLoBRaLo(alpha=1.0, lookback=0.75), None
    seen = view(2.0, 1.0)
    first = method.update(seen, None)
    changed = view(1.0, 1.0)
    looks = 0
    for seed in range(4000):
        rng = np.random.default_rng(seed)
        found = method.update(View(**{**changed.__dict__, "random": rng}), first)
        looks += weights(found) != [1.0, 1.0]
    assert looks / 4000 == pytest.approx(0.25, abs=0.028)


def test_self_adaptive_climbs() -> None:
    method = SelfAdaptive(rate=0.5, constraints=("ode",))
    first = method.update(view(2.0, 1.0), None)
    m = 1 + 0.5 * np.array([4.0, 6.25, 9.0, 16.0])
    np.testing.assert_allclose(first.weights[0], m**2, rtol=1e-14)
    assert weights(first)[1] == 1.0
    second = method.update(view(1.0, 1.0), first)
    m = m * (1 + 0.5 * (1 + T[:, 0]) ** 2)
    np.testing.assert_allclose(second.weights[0], m**2, rtol=1e-14)


def test_residual_attention_runs_a_mean() -> None:
    method = ResidualAttention(decay=0.9, rate=0.2)
    first = method.update(view(-2.0, 1.0), None)
    m = 0.2 * (1 + T[:, 0]) / 2
    np.testing.assert_allclose(first.weights[0], m**2, rtol=1e-14)
    np.testing.assert_allclose(first.weights[1], [0.04, 0.04], rtol=1e-14)
    second = method.update(view(5.0, 0.0), first)
    np.testing.assert_allclose(second.weights[0], (0.9 * m + m) ** 2, rtol=1e-14)
    np.testing.assert_allclose(second.weights[1], [(0.18 + 0.2) ** 2] * 2, rtol=1e-14)


def test_augmented_lagrangian_raises_multipliers_of_what_is_constrained() -> None:
    method = AugmentedLagrangian(rate=0.1, forgetting=0.75, epsilon=1e-3)
    first = method.update(view(2.0, 1.0), None)
    penalty = 0.1 / (math.sqrt(0.25 * 81) + 1e-3)
    assert weights(first)[0] == 1.0
    assert first.weights[1] == pytest.approx(1 + 2 * penalty * 9, rel=1e-14)
    second = method.update(view(2.0, 1 / 3), first)
    later = 0.1 / (math.sqrt(0.75 * 0.25 * 81 + 0.25) + 1e-3)
    expected = 1 + penalty * 9 + 2 * later
    assert second.weights[1] == pytest.approx(expected, rel=1e-14)
    other = AugmentedLagrangian(objective=("initial: u",)).update(view(2.0, 1.0), None)
    assert weights(other)[1] == 1.0
    assert other.weights[0] > 1.0


def test_causal_waits_for_earlier_times_and_sharpens() -> None:
    method = Causal(chunks=2, sharpness=(0.1, 3.0), threshold=0.8)
    # the first half has the mean square a^2 (1 + 1.25^2) / 2
    early = (1 + 1.25**2) / 2
    found = method.update(view(2.0, 7.0), None)
    late = math.exp(-0.1 * 4 * early)
    np.testing.assert_allclose(found.weights[0], [1, 1, late, late], rtol=1e-14)
    assert weights(found)[1] == 1.0
    sharper = method.update(view(1.0, 7.0), found)
    late = math.exp(-3.0 * early)
    assert math.exp(-0.1 * early) > 0.8
    np.testing.assert_allclose(sharper.weights[0], [1, 1, late, late], rtol=1e-14)
    again = method.update(view(0.1, 7.0), sharper)
    assert int(again.memory["stage"]) == 1


def test_weight_functions_see_place_and_distance() -> None:
    method = WeightFunctions(functions={"ode": "sdf + t"})
    found = method.update(view(1.0, 1.0), None)
    np.testing.assert_allclose(found.weights[0], [0.0, 0.5, 1.0, 1.0], rtol=1e-15)
    assert weights(found)[1] == 1.0
    constant = WeightFunctions(functions={"ode": "2"}).update(view(1.0, 1.0), None)
    assert weights(constant)[0] == [2.0] * 4


def test_combined_weights_see_those_before() -> None:
    causal = Causal(chunks=2, sharpness=(0.1, 3.0), threshold=0.8)
    method = Combined(balancers=(causal, GradNorm(memory=0.5)))
    seen = view(2.0, 0.5)
    own = causal.update(seen, None).weights
    found = method.update(seen, None)
    norms = seen.weighted(own).gradient_norms
    np.testing.assert_allclose(found.weights[0], own[0] * norms.sum() / norms[0], rtol=1e-14)
    np.testing.assert_allclose(found.weights[1], norms.sum() / norms[1], rtol=1e-14)
    later = method.update(view(1.0, 0.5), found)
    assert int(later.memory["0.stage"]) == 1
    norms2 = view(1.0, 0.5).weighted(causal.update(view(1.0, 0.5), None).weights).gradient_norms
    expected = (norms.sum() / norms[1] + norms2.sum() / norms2[1]) / 2
    assert later.weights[1] == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: GradNorm(every=0), "GradNorm: expected every >= 1, got every=0"),
        (lambda: GradNorm(memory=1.0), "memory in"),
        (lambda: NTK(points=0), "points >= 1"),
        (lambda: NTK(memory=-0.1), "memory in"),
        (lambda: SoftAdapt(beta=math.nan), "a number for beta"),
        (lambda: ReLoBRaLo(alpha=1.5), "alpha and lookback"),
        (lambda: ReLoBRaLo(temperature=0.0), "temperature > 0"),
        (lambda: SelfAdaptive(rate=0.0), "rate > 0"),
        (lambda: ResidualAttention(decay=1.0), "decay in"),
        (lambda: ResidualAttention(rate=-1.0), "rate > 0"),
        (lambda: AugmentedLagrangian(rate=0.0), "rate > 0"),
        (lambda: AugmentedLagrangian(forgetting=1.0), "forgetting in"),
        (lambda: AugmentedLagrangian(epsilon=0.0), "epsilon > 0"),
        (lambda: Causal(sharpness=()), "one sharpness"),
        (lambda: Causal(chunks=1), "chunks >= 2"),
        (lambda: Causal(threshold=1.0), "threshold in"),
        (lambda: WeightFunctions(), "a function or more"),
        (lambda: Combined(), "a balancer or more"),
        (lambda: Combined(balancers=(GradNorm(factors={"ode": 2.0}),)), "factors of its own only"),
    ],
)
def test_settings_that_mean_nothing_are_refused(build: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        build()


@pytest.mark.parametrize(
    ("method", "moving", "message"),
    [
        (GradNorm(factors={"pde": 2.0}), False, "weight 'pde'"),
        (GradNorm(factors={"ode": 0.0}), False, "weights are > 0"),
        (SelfAdaptive(), True, "SelfAdaptive: its weights belong to points"),
        (ResidualAttention(), True, "belong to points"),
        (Combined(balancers=(GradNorm(), SelfAdaptive())), True, "belong to points"),
        (SelfAdaptive(constraints=("pde",)), False, "'pde' is no constraint; these are 'ode'"),
        (ResidualAttention(constraints="ode"), False, "a row of names"),  # type: ignore[arg-type]
        (AugmentedLagrangian(objective=("ode", "initial: u")), False, "something else constrained"),
        (Causal(time="tau"), False, "no equation in the domain depends on 'tau'"),
        (Combined(balancers=(Causal(time="tau"),)), False, "depends on 'tau'"),
        (WeightFunctions(functions={"pde": "1"}), False, "'pde' is no constraint"),
        (WeightFunctions(functions={"ode": "t - 1/2"}), False, "go from -0.5 to 0.5"),
        (WeightFunctions(functions={"ode": "0"}), False, "not all 0"),
    ],
)
def test_constraints_that_do_not_fit_are_refused(
    method: Balancer, moving: bool, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        method.check_constraints(CONSTRAINTS, moving)


def test_an_expression_of_other_names_is_refused() -> None:
    with pytest.raises(ParseError, match="y"):
        WeightFunctions(functions={"ode": "y"}).check_constraints(CONSTRAINTS, False)


def test_given_points_have_no_distance() -> None:
    data = Constraint("data", equation, (T,))
    with pytest.raises(ConfigError, match="given without a domain"):
        WeightFunctions(functions={"data": "1"}).check_constraints([data], False)


def test_nothing_to_constrain_is_refused() -> None:
    with pytest.raises(ConfigError, match="it would minimise 'ode'"):
        AugmentedLagrangian().check_constraints(CONSTRAINTS[:1], False)


def test_table_holds_all_members_by_their_names() -> None:
    assert all(kind.__name__ == name for name, kind in BALANCERS.items())
    kinds = [*Balancer.__subclasses__(), *PointMultipliers.__subclasses__()]
    own = [kind for kind in kinds if "sciml" in kind.__module__ and not isabstract(kind)]
    known = {kind.__name__ for kind in own}
    assert set(BALANCERS) == known

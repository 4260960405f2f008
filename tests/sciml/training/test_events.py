"""Callbacks: their moments, and how they end a training."""

from __future__ import annotations

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.training.events import EarlyStopping, Event, Moment, watched
from sciml.training.loop import Position, advance
from sciml.training.optimisers import LBFGS, Adam, StopReason


def bowl(x: np.ndarray) -> tuple[float, np.ndarray]:
    """Return |x|^2 / 2 and its gradient."""
    return float(x @ x) / 2, x


SCHEDULE = (Adam(3, 0.1), LBFGS(5))
START = Position(np.array([1.0, -2.0]))


def positions(*callbacks) -> list[Position]:
    return list(watched(advance(SCHEDULE, START, bowl, None), SCHEDULE, START, callbacks))


def test_moments_come_in_order() -> None:
    seen: list[tuple[Moment, str, int]] = []
    found = positions(lambda e: seen.append((e.moment, e.stage, e.position.step)))
    assert seen[:4] == [
        (Moment.START, "", 0), (Moment.STEP, "Adam", 1), (Moment.STEP, "Adam", 2),
        (Moment.STAGE_END, "Adam", 3),
    ]  # fmt: skip
    last = found[-1].step
    assert seen[-2:] == [(Moment.STAGE_END, "LBFGS", last), (Moment.END, "LBFGS", last)]


@pytest.mark.parametrize(
    ("answer", "reason"), [(True, StopReason.CALLBACK), (StopReason.BUDGET, StopReason.BUDGET)]
)
def test_an_answer_ends_the_training_and_is_recorded(answer, reason) -> None:
    found = positions(lambda e: answer if e.position.step == 2 else None)
    last = found[-1]
    assert (last.step, last.stage, last.state) == (2, len(SCHEDULE), None)
    assert [(end.optimiser, end.steps, end.stop) for end in last.ends] == [("Adam", 2, reason)]
    assert list(advance(SCHEDULE, last, bowl, None)) == []


def test_an_answer_before_the_first_step_leaves_the_start() -> None:
    (only,) = positions(lambda e: e.moment is Moment.START)
    assert only.x is START.x
    assert only.ends == ()


def test_an_answer_at_the_end_of_a_stage_adds_no_second_end() -> None:
    found = positions(lambda e: e.moment is Moment.STAGE_END)
    assert [end.stop for end in found[-1].ends] == [StopReason.STEP_LIMIT]


def test_every_callback_sees_every_moment() -> None:
    seen: list[Event] = []
    positions(lambda e: e.position.step == 1, lambda e: seen.append(e))
    assert [e.moment for e in seen] == [Moment.START, Moment.STEP, Moment.END]


def test_the_target_loss_ends_at_the_first_step_that_reaches_it() -> None:
    losses = [p.loss for p in positions()]
    found = positions(EarlyStopping(loss=losses[1]).callback())
    assert found[-1].step == 2
    assert found[-1].ends[-1].stop is StopReason.TARGET


@pytest.mark.parametrize("numbers", [{}, {"loss": 0.0}, {"patience": 0}])
def test_what_never_ends_or_at_once_is_refused(numbers) -> None:
    with pytest.raises(ConfigError, match="EarlyStopping: expected"):
        EarlyStopping(**numbers)

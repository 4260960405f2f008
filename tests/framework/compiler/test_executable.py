"""The plan of a compiled program survives being stored as text."""

from __future__ import annotations

from sciml.framework.compiler.executable import Fold, LoopStep, Plan, Slot, TopStep

PLAN = Plan(
    sizes=("N", "N2"),
    inputs=(Slot(("N", "2"), "f64"), Slot((), "i32")),
    outputs=(Slot(("2*N+1",), "f32"),),
    temporaries=(Slot(("N-1", "N2"), "bool"),),
    top_arena_bytes=192,
    steps=(
        TopStep("top_0"),
        LoopStep("loop_0", "N", 128, 256, 4096, 128, 4, (Fold(0, 3, "f64", "sum"),)),
    ),
)


def test_a_plan_is_read_back_from_its_text() -> None:
    assert Plan.from_json(PLAN.to_json()) == PLAN


def test_measured_tiles_take_the_place_of_the_models() -> None:
    tuned = PLAN.with_tiles([64])
    assert [loop.tile for loop in tuned.loops] == [64]
    assert tuned.loops[0].largest_tile == 256
    assert tuned.tuned
    assert not PLAN.tuned
    assert Plan.from_json(tuned.to_json()) == tuned

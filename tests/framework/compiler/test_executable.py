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
        LoopStep("loop_0", "N", 256, 4096, 128, 4, (Fold(0, 3, "f64", "sum"),)),
    ),
)


def test_a_plan_is_read_back_from_its_text() -> None:
    assert Plan.from_json(PLAN.to_json()) == PLAN

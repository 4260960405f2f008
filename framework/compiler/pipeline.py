"""The order of passes from a traced program to a scheduled one."""

from __future__ import annotations

from collections.abc import Callable

from ..ir.program import Program
from ..passes.simplify import simplify
from ..transforms.collapse import collapse
from ..transforms.custom import expand
from .fusion import fuse_program
from .tiling import tile_program

__all__ = ["PASSES", "schedule"]

Pass = Callable[[Program], Program]

PASSES: tuple[tuple[str, Pass], ...] = (
    ("expand", expand),
    ("collapse", collapse),
    ("simplify", simplify),
    ("tile", tile_program),
    ("fuse", fuse_program),
)


def schedule(program: Program, watch: Callable[[str, Program], None] | None = None) -> Program:
    """Run all passes; `watch` sees the traced program and the result of each pass."""
    if watch is not None:
        watch("trace", program)
    for name, apply in PASSES:
        program = apply(program)
        if watch is not None:
            watch(name, program)
    return program

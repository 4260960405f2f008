"""The plan of a compiled program: what to call, in which order, on which memory.

It is plain data, so that it can be stored beside the object code and read back without running
any pass again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

__all__ = ["Fold", "LoopStep", "Plan", "Slot", "TopStep"]


@dataclass(frozen=True)
class Slot:
    """An array the caller provides or receives: shape with symbolic sizes as text, dtype name."""

    shape: tuple[str, ...]
    dtype: str


@dataclass(frozen=True)
class Fold:
    """A result that tiles are folded into: where it lies among the accumulators."""

    offset: int
    count: int
    dtype: str
    kind: str


@dataclass(frozen=True)
class TopStep:
    """A function that runs once, outside any tile loop."""

    function: str


@dataclass(frozen=True)
class LoopStep:
    """A tile loop: the function for a range of tiles, its scratch memory and its folds.

    `tile` points are worked on at a time, at most `largest_tile`, for which the scratch memory is
    laid out.
    """

    function: str
    size: str
    tile: int
    largest_tile: int
    arena_bytes: int
    fold_bytes: int
    fold_buffer: int
    folds: tuple[Fold, ...]


@dataclass(frozen=True)
class Plan:
    """Everything a runtime needs to know about a compiled program.

    Buffers are numbered: inputs, outputs, whole-array temporaries, one per loop for its folds,
    and last the arena of the code outside loops. `tuned` says whether tiles have been measured.
    """

    sizes: tuple[str, ...]
    inputs: tuple[Slot, ...]
    outputs: tuple[Slot, ...]
    temporaries: tuple[Slot, ...]
    top_arena_bytes: int
    steps: tuple[TopStep | LoopStep, ...]
    tuned: bool = False

    @property
    def loops(self) -> tuple[LoopStep, ...]:
        """The tile loops, in order."""
        return tuple(s for s in self.steps if isinstance(s, LoopStep))

    def with_tiles(self, tiles: Sequence[int]) -> Plan:
        """Return the plan with a measured tile for each loop."""
        chosen = iter(tiles)
        steps = tuple(
            replace(s, tile=next(chosen)) if isinstance(s, LoopStep) else s for s in self.steps
        )
        return replace(self, steps=steps, tuned=True)

    def to_json(self) -> str:
        """Return the plan as text."""
        data = asdict(self)
        data["steps"] = [[type(s).__name__, asdict(s)] for s in self.steps]
        return json.dumps(data)

    @staticmethod
    def from_json(text: str) -> Plan:
        """Read a plan back."""
        data = json.loads(text)

        def slots(name: str) -> tuple[Slot, ...]:
            return tuple(Slot(tuple(s["shape"]), s["dtype"]) for s in data[name])

        steps: list[TopStep | LoopStep] = []
        for kind, values in data["steps"]:
            if kind == "TopStep":
                steps.append(TopStep(**values))
            else:
                values["folds"] = tuple(Fold(**f) for f in values["folds"])
                steps.append(LoopStep(**values))
        return Plan(
            tuple(data["sizes"]), slots("inputs"), slots("outputs"), slots("temporaries"),
            data["top_arena_bytes"], tuple(steps), data["tuned"],
        )  # fmt: skip

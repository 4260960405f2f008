"""Drop operations whose results nothing needs."""

from __future__ import annotations

from .program import Program, Value

__all__ = ["drop_dead"]


def drop_dead(program: Program) -> Program:
    """Take the operations that no output needs out of a program, and return it.

    Every operation is pure, so one walk backwards suffices.
    """
    live: set[Value] = set(program.outputs)
    kept = []
    for operation in reversed(program.operations):
        if any(r in live for r in operation.results):
            live.update(operation.operands)
            kept.append(operation)
    program.block.operations = kept[::-1]
    return program

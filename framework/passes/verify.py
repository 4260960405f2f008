"""Check a whole program: its structure, and the types of its primitives by their records."""

from __future__ import annotations

from ..errors import ScimlError, VerifyError
from ..ir.program import Block, Body, Operation, Program
from ..ir.types import TensorType
from ..ir.verifier import verify
from ..ops.primitive import Primitive, primitives

__all__ = ["verify_program"]


def verify_program(program: Program) -> Program:
    """Check a program and return it.

    Besides the structural rules, every primitive must be known and have exactly the result type
    that its record infers; a joined product must have the types of its members.

    Raises
    ------
    VerifyError
        Naming the operation by its position, what it has, and what it should have.

    Examples
    --------
    >>> import sciml.framework as sf, numpy as np
    >>> program = sf.make_program(lambda x: x * x)(np.ones(3))
    >>> verify_program(program) is program
    True
    """
    verify(program)
    _check_block(program.block, f"program {program.name}")
    return program


def _check_block(block: Block, where: str) -> None:
    for number, operation in enumerate(block.operations):
        here = f"{where}, operation {number} ({operation.name})"
        if operation.name == "kernel.product":
            _check_product(operation, here)
        elif "." not in operation.name:
            types = [v.type for v in operation.operands]
            _check_type(operation.name, operation, types, operation.result.type, here)
        for key, attribute in operation.attributes.items():
            if isinstance(attribute, Body):
                _check_block(attribute.program.block, f"{key} of {here}")
        for region in operation.regions:
            _check_block(region.block, f"the region of {here}")


def _check_product(operation: Operation, where: str) -> None:
    count = operation.attributes["count"]
    assert isinstance(count, int)
    lefts, rights = operation.operands[:count], operation.operands[count:]
    for k, left in enumerate(lefts):
        stacked = operation.attributes["form"] == "stacked"
        right = rights[0] if stacked else rights[k]
        result = operation.results[k if stacked else 0]
        _check_type(
            "dot_general", operation, [left.type, right.type], result.type, f"{where}, member {k}"
        )


def _check_signature(record: Primitive, operation: Operation, count: int, where: str) -> None:
    """Compare number of operands and names of attributes with the samples of the record."""
    counts = {len(s.operands) for s in record.samples}
    # a record whose samples differ, such as concatenate, takes any number
    if len(counts) == 1 and count not in counts:
        raise VerifyError(f"{where}: takes {counts.pop()} operands, got {count}")
    expected = set(record.samples[0].attributes)
    got = set(operation.attributes)
    if operation.name == "kernel.product":
        got -= {"form", "count"}
    if got != expected:
        raise VerifyError(f"{where}: takes the attributes {sorted(expected)}, got {sorted(got)}")


def _check_type(
    name: str, operation: Operation, types: list[TensorType], got: TensorType, where: str
) -> None:
    record = primitives.get(name)
    if record is None:
        raise VerifyError(f"{where}: no primitive is called {name!r}; register its record")
    _check_signature(record, operation, len(types), where)
    try:
        expected = record.infer(types, operation.attributes)
    except ScimlError as error:
        raise VerifyError(f"{where}: {error}") from error
    except (AssertionError, KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        # a record may assume its attributes and the number of its operands
        raise VerifyError(
            f"{where}: attributes {operation.attributes} and {len(types)} operands "
            f"do not fit the record ({type(error).__name__}: {error})"
        ) from error
    if expected != got:
        raise VerifyError(f"{where}: the result type must be {expected}, got {got}")

"""The structural rules of the IR: scope, single definition, outputs, and the loop dialects.

A region is isolated: it sees its own arguments and results, nothing from outside. What the
element types and shapes of primitives must be is checked by `passes.verify`, which knows the
primitives.
"""

from __future__ import annotations

import re

import numpy as np

from ..core.dims import Dim
from ..errors import VerifyError
from .dialects import OPERATION_RULES
from .program import Block, Body, Operation, Program, Value
from .types import Attribute, Literal, TensorType

__all__ = ["verify"]

_NAME = re.compile(r"[a-z_]\w*(\.[a-z_]\w*)?", re.ASCII)
_ATTRIBUTE_TYPES = (bool, int, float, str, Dim, np.dtype, Literal, Body, type(None))


def verify(program: Program) -> None:
    """Check the structure of a program.

    Parameters
    ----------
    program
        Any program, whether traced, tiled or fused.

    Raises
    ------
    VerifyError
        Naming the operation by its position, what it has, and what it should have.
    """
    _Verifier().block(program.block, f"program {program.name}")


class _Verifier:
    def __init__(self) -> None:
        self.owner: dict[Value, str] = {}

    def block(self, block: Block, where: str) -> None:
        visible: set[Value] = set()
        for index, value in enumerate(block.arguments):
            # passes may hand the arguments of a block on to the block that takes its place
            if not isinstance(value.owner, Block) or value.index != index:
                raise VerifyError(
                    f"{where}: argument {index} is a result or belongs to another position; "
                    "make it with add_argument"
                )
            self._define(value, visible, f"argument {index} of {where}")
        for number, operation in enumerate(block.operations):
            self._operation(operation, visible, f"{where}, operation {number} ({operation.name})")
        for number, value in enumerate(block.outputs):
            if value not in visible:
                raise VerifyError(f"{where}: output {number} {self._foreign(value)}")

    def _define(self, value: Value, visible: set[Value], what: str) -> None:
        if value in self.owner:
            raise VerifyError(f"{what} is also {self.owner[value]}; every value has one definition")
        if not isinstance(value.type, TensorType):
            raise VerifyError(f"{what} has type {value.type!r}; expected a TensorType")
        self.owner[value] = what
        visible.add(value)

    def _foreign(self, value: Value) -> str:
        if value in self.owner:
            return (
                f"is {self.owner[value]}, which is out of scope there; "
                "hand it in as an operand and block argument"
            )
        return f"of type {value.type} is not defined before; it comes later or from another program"

    def _operation(self, operation: Operation, visible: set[Value], where: str) -> None:
        if not _NAME.fullmatch(operation.name) or operation.name.startswith("tensor."):
            raise VerifyError(
                f"{where}: expected a name such as 'add' or 'loop.tile', got {operation.name!r}"
            )
        for index, value in enumerate(operation.operands):
            if value not in visible:
                raise VerifyError(f"{where}: operand {index} {self._foreign(value)}")
        for key, attribute in operation.attributes.items():
            if not isinstance(key, str) or not _is_attribute(attribute):
                raise VerifyError(f"{where}: {key} = {attribute!r} is not an attribute")
            if isinstance(attribute, Body):
                # a check of its own, since operations may share a body
                _Verifier().block(attribute.program.block, f"{key} of {where}")
        for region in operation.regions:
            if len(region.blocks) != 1:
                raise VerifyError(
                    f"{where}: a region has one block, this one has {len(region.blocks)}"
                )
            self.block(region.block, f"the region of {where}")
        self._rule(operation, where)
        for index, value in enumerate(operation.results):
            if value.owner is not operation or value.index != index:
                raise VerifyError(f"{where}: result {index} belongs to another operation")
            self._define(value, visible, f"result {index} of {where}")

    def _rule(self, operation: Operation, where: str) -> None:
        if "." in operation.name:
            rule = OPERATION_RULES.get(operation.name)
            if rule is None:
                raise VerifyError(
                    f"{where}: no dialect has {operation.name!r}; known are "
                    f"{', '.join(sorted(OPERATION_RULES))} and the primitives"
                )
            try:
                rule(operation)
            except VerifyError as error:
                raise VerifyError(f"{where}: {error}") from None
        elif len(operation.results) != 1 or operation.regions:
            raise VerifyError(
                f"{where}: a primitive has one result and no region, this one has "
                f"{len(operation.results)} results and {len(operation.regions)} regions"
            )


def _is_attribute(value: Attribute) -> bool:
    if isinstance(value, tuple):
        return all(_is_attribute(v) for v in value)
    return isinstance(value, _ATTRIBUTE_TYPES)

"""Equal operations are shared, attributes of other type or sign are not equal."""

import pytest

from sciml.framework.core.dtypes import FLOAT64
from sciml.framework.ir.builder import Builder
from sciml.framework.ir.program import Operation
from sciml.framework.ir.types import TensorType

TYPE = TensorType((), FLOAT64)


def test_equal_operations_are_one() -> None:
    builder = Builder([TYPE, TYPE])
    x, y = builder.block.arguments
    first = builder.emit("add", [x, y], {"n": (1, 2.0)}, [TYPE], commutative=True)
    assert builder.emit("add", [y, x], {"n": (1, 2.0)}, [TYPE], commutative=True) is first
    assert builder.emit("sub", [x, y], {}, [TYPE]) is not builder.emit("sub", [y, x], {}, [TYPE])
    assert len(builder.block.operations) == 3


@pytest.mark.parametrize(("a", "b"), [(1, 1.0), (1, True), (0.0, -0.0), ((1,), (1.0,))])
def test_attributes_that_only_compare_equal_are_not_shared(a: object, b: object) -> None:
    builder = Builder([TYPE])
    x = builder.block.arguments
    first = builder.emit("f", x, {"n": a}, [TYPE])  # type: ignore[dict-item]
    second = builder.emit("f", x, {"n": b}, [TYPE])  # type: ignore[dict-item]
    assert second is not first


def test_an_appended_operation_is_owned() -> None:
    builder = Builder([TYPE])
    operation = Operation("loop.x", builder.block.arguments, {}, [TYPE])
    builder.append(operation)
    assert builder.owns(operation.result)
    assert builder.finish("f", [operation.result]).operations == [operation]

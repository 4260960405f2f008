"""The text form."""

import numpy as np

import sciml.framework as sf
from sciml.framework.ir.printer import print_attribute


def test_a_program_prints_one_operation_a_line() -> None:
    def loss(x):  # type: ignore[no-untyped-def]
        return (x * x).sum()

    program = sf.make_program(loss)(sf.TensorType((sf.Dim.named("N"), 2), np.dtype(np.float64)))
    expected = """program @loss(%0: f64[N, 2]) -> (f64[]) {
  %1 = tensor.mul(%0, %0) : f64[N, 2]
  %2 = tensor.reduce_sum(%1) {axes = (0, 1)} : f64[]
  return %2
}"""
    assert str(program) == expected


def test_attributes_that_print_alike_in_python_are_told_apart() -> None:
    values = (
        1,
        1.0,
        True,
        "1",
        "true",
        -0.0,
        0.0,
        float("nan"),
        "nan",
        (1,),
        ((1,),),
        None,
        "none",
    )
    texts = [print_attribute(v) for v in values]
    assert len(set(texts)) == len(values)

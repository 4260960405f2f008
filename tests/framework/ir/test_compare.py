"""Programs are compared by structure, attributes by type and bits."""

import re

import pytest

from sciml.framework.ir.compare import first_difference, same_attribute, same_program
from sciml.framework.ir.parser import parse_program

TEXT = """program @f(%0: f64[2], %1: f64[2]) -> (f64[2]) {
  %2 = tensor.sub(%0, %1) {axes = (1, 2)} : f64[2]
  return %2
}"""


def test_the_names_of_values_do_not_matter() -> None:
    assert same_program(parse_program(TEXT), parse_program(TEXT.replace("%2", "%difference")))


@pytest.mark.parametrize(
    ("old", "new", "difference"),
    [
        ("@f", "@g", "names 'f' and 'g'"),
        ("%0, %1)", "%1, %0)", "operation 0 of the program: operands of sub"),
        ("(1, 2)", "(1, 2.0)", r"axes = \(1, 2\) and \(1, 2.0\) of sub"),
        ("axes =", "axis =", r"attributes \['axes'\] and \['axis'\] of sub"),
        ("tensor.sub", "tensor.add", "sub and add"),
        ("return %2", "return %0", "the outputs of the program"),
        ("%1: f64[2]", "%1: f64[3]", "the arguments of the program have types"),
    ],
)
def test_the_first_difference_is_named(old: str, new: str, difference: str) -> None:
    found = first_difference(parse_program(TEXT), parse_program(TEXT.replace(old, new)))
    assert found is not None
    assert re.search(difference, found)


def test_equal_numbers_of_different_type_or_sign_differ() -> None:
    assert not same_attribute(1, 1.0)
    assert not same_attribute(True, 1)
    assert not same_attribute(0.0, -0.0)
    assert same_attribute(float("nan"), float("nan"))
    assert not same_attribute((1, (2,)), (1, (2, 3)))

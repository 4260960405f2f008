"""The driver: order, sharing, fixed point, errors that name the rule."""

import time

import pytest

from sciml.framework.core.dtypes import FLOAT64
from sciml.framework.errors import RegistryError, VerifyError
from sciml.framework.ir.builder import Builder
from sciml.framework.ir.compare import first_difference
from sciml.framework.ir.parser import parse_program
from sciml.framework.ir.program import Program
from sciml.framework.ir.types import TensorType
from sciml.framework.ops.elementwise import add, mul
from sciml.framework.ops.primitive import building, primitives
from sciml.framework.passes.patterns import Rule, attr, full, op, var
from sciml.framework.passes.rewriter import RuleSet, rewrite

X, Y = var("x"), var("y")


def program(
    body: str, arguments: str = "%0: f64[2], %1: f64[2]", result: str = "f64[2]"
) -> Program:
    return parse_program(f"program @f({arguments}) -> ({result}) {{\n{body}\n}}")


def becomes(before: Program, after: Program, *rules: Rule) -> None:
    assert first_difference(rewrite(before, rules, primitives), after) is None


def test_equal_operations_are_shared_and_unused_ones_dropped() -> None:
    becomes(
        program("""%2 = tensor.mul(%0, %1) : f64[2]
                   %3 = tensor.mul(%1, %0) : f64[2]
                   %4 = tensor.exp(%0) : f64[2]
                   %5 = tensor.sub(%2, %3) : f64[2]
                   return %5"""),
        program("""%2 = tensor.mul(%0, %1) : f64[2]
                   %3 = tensor.sub(%2, %2) : f64[2]
                   return %3"""),
    )


def test_a_rule_sees_operands_that_are_already_rewritten() -> None:
    becomes(
        program("""%2 = tensor.neg(%0) : f64[2]
                   %3 = tensor.neg(%2) : f64[2]
                   %4 = tensor.neg(%3) : f64[2]
                   %5 = tensor.neg(%4) : f64[2]
                   return %5"""),
        program("return %0"),
        Rule("neg of neg", op("neg", op("neg", X)), X),
    )


def test_rules_apply_to_what_rules_make() -> None:
    becomes(
        program("%2 = tensor.integer_pow(%0) {exponent = 5} : f64[2]\n return %2"),
        program("""%2 = tensor.mul(%0, %0) : f64[2]
                   %3 = tensor.mul(%0, %2) : f64[2]
                   %4 = tensor.mul(%0, %3) : f64[2]
                   %5 = tensor.mul(%0, %4) : f64[2]
                   return %5"""),
        Rule("power one", op("integer_pow", X, exponent=1), X),
        Rule(
            "power",
            op("integer_pow", X, exponent=attr("n")),
            op("mul", X, op("integer_pow", X, exponent=lambda m: m["n"] - 1)),  # type: ignore[operator]
            lambda m: m["n"] > 1,  # type: ignore[operator]
        ),
    )


def test_the_same_variable_twice_wants_the_same_value() -> None:
    square = Rule("square", op("mul", X, X), op("integer_pow", X, exponent=2))
    becomes(
        program("""%2 = tensor.mul(%0, %1) : f64[2]
                   %3 = tensor.mul(%2, %2) : f64[2]
                   return %3"""),
        program("""%2 = tensor.mul(%0, %1) : f64[2]
                   %3 = tensor.integer_pow(%2) {exponent = 2} : f64[2]
                   return %3"""),
        square,
    )


def test_commutative_operations_match_in_both_orders() -> None:
    rule = Rule("factor", op("add", op("mul", X, full(2.0)), Y), op("sub", Y, X))
    two = "%2 = tensor.full() {value = literal<f64[] 2.0>, shape = (2,)} : f64[2]\n"
    after = program("%2 = tensor.sub(%1, %0) : f64[2]\n return %2")
    for product in ("%0, %2", "%2, %0"):
        for total in ("%3, %1", "%1, %3"):
            body = f"""{two} %3 = tensor.mul({product}) : f64[2]
                       %4 = tensor.add({total}) : f64[2]
                       return %4"""
            becomes(program(body), after, rule)


def test_operations_that_are_not_primitives_are_copied_with_their_regions() -> None:
    body = """%2 = loop.fused(%0) {space = (2,), maps = ((0,),), kept = ((0,),)} [(%3: f64[]):
                %4 = tensor.neg(%3) : f64[]
                return %4
              ] : f64[2]
              return %2"""
    becomes(program(body), program(body), Rule("neg", op("neg", X), X))


def test_the_source_program_is_left_as_it_is() -> None:
    before = program("%2 = tensor.neg(%0) : f64[2]\n return %2")
    text = str(before)
    rewrite(before, [Rule("neg", op("neg", X), X)], primitives)
    assert str(before) == text


def test_rules_that_undo_each_other_are_named() -> None:
    rules = [
        Rule("there", op("sub", X, Y), op("add", X, op("neg", Y))),
        Rule("back", op("add", X, op("neg", Y)), op("sub", X, Y)),
    ]
    with pytest.raises(VerifyError, match=r"rule '(there|back)' was applied without end"):
        rewrite(program("%2 = tensor.sub(%0, %1) : f64[2]\n return %2"), rules, primitives)


def test_a_rule_that_changes_the_type_is_named() -> None:
    rule = Rule("flatten", op("neg", X), op("reshape", X, shape=(2, 1)))
    with pytest.raises(VerifyError, match=r"rule 'flatten' must give f64\[2\].*got f64\[2, 1\]"):
        rewrite(program("%2 = tensor.neg(%0) : f64[2]\n return %2"), [rule], primitives)


def test_a_rule_must_name_primitives_and_bind_its_variables() -> None:
    with pytest.raises(RegistryError, match="rule 'a': no primitive is called 'negate'"):
        RuleSet([Rule("a", op("neg", op("negate", X)), X)], primitives)
    with pytest.raises(RegistryError, match=r"rule 'b': the result uses \['y'\], which the source"):
        RuleSet([Rule("b", op("neg", X), Y)], primitives)


def chain(length: int) -> Program:
    builder = Builder([TensorType((2,), FLOAT64)] * 2)
    with building(builder):
        x, y = builder.block.arguments
        for _ in range(length):
            x, y = y, add(mul(x, y), x)  # type: ignore[assignment]
    return builder.finish("chain", [y])


def seconds(length: int) -> float:
    source = chain(length)
    rules = RuleSet([Rule("neg of neg", op("neg", op("neg", X)), X)], primitives)
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        rewrite(source, rules, primitives)
        times.append(time.perf_counter() - begin)
    return min(times)


def test_the_time_grows_linearly() -> None:
    # sixteen times the operations; quadratic work would take 256 times as long
    assert seconds(8000) < 60 * seconds(500)

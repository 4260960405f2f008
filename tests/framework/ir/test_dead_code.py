"""Operations that no output needs are dropped."""

from sciml.framework.ir.dead_code import drop_dead
from sciml.framework.ir.parser import parse_program


def test_only_what_outputs_need_stays() -> None:
    before = parse_program("""program @f(%0: f64[2]) -> (f64[2]) {
      %1 = tensor.exp(%0) : f64[2]
      %2 = tensor.log(%1) : f64[2]
      %3 = tensor.neg(%1) : f64[2]
      %4 = tensor.mul(%2, %2) : f64[2]
      return %3
    }""")
    assert [o.name for o in drop_dead(before).operations] == ["exp", "neg"]


def test_inputs_stay() -> None:
    program = parse_program("program @f(%0: f64[2], %1: f64[]) -> (f64[]) { return %1 }")
    assert len(drop_dead(program).inputs) == 2

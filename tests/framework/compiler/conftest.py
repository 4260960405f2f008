"""Check a pass by text before and after."""

from collections.abc import Callable

import pytest

from sciml.framework.ir.parser import parse_program
from sciml.framework.ir.program import Program
from sciml.framework.passes.verify import verify_program

Check = Callable[[Callable[[Program], Program], str, str, str, str], None]


@pytest.fixture
def gives() -> Check:
    """``(pass, arguments, result types, body before, body after)``."""

    def check(
        apply: Callable[[Program], Program], arguments: str, results: str, before: str, after: str
    ) -> None:
        def program(body: str) -> Program:
            text = f"program @f({arguments}) -> ({results}) {{\n{body}\n}}"
            return verify_program(parse_program(text))

        assert str(verify_program(apply(program(before)))) == str(program(after))

    return check

"""Check a rewrite by text before and after."""

from collections.abc import Callable

import pytest

from sciml.framework.ir.parser import parse_program
from sciml.framework.ir.program import Program
from sciml.framework.passes.simplify import simplify
from sciml.framework.passes.verify import verify_program

Check = Callable[[str, str, str, str], None]


@pytest.fixture
def simplifies() -> Check:
    """``(arguments, result type, body before, body after)``: simplify and compare the text."""

    def check(arguments: str, result: str, before: str, after: str) -> None:
        def program(body: str) -> Program:
            text = f"program @f({arguments}) -> ({result}) {{\n{body}\n}}"
            return verify_program(parse_program(text))

        simplified = verify_program(simplify(program(before)))
        assert str(simplified) == str(program(after))

    return check

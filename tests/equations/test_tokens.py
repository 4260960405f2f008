import pytest

from sciml.equations import tokens
from sciml.framework.errors import ParseError


def test_tokens_know_their_place():
    found = tokens.tokenize("a1 +\n 2.5e-3**b")
    assert [(t.kind, t.text, t.offset) for t in found] == [
        ("name", "a1", 0),
        ("sign", "+", 3),
        ("number", "2.5e-3", 6),
        ("sign", "**", 12),
        ("name", "b", 14),
        ("end", "", 15),
    ]


def test_error_points_at_the_column():
    message = str(tokens.error("a +\n  b c", 8, "trouble"))
    assert message == "line 2, column 5: trouble\n    b c\n      ^"


@pytest.mark.parametrize("character", ["$", "=", "[", ";", "'", "\\", "!"])
def test_strange_characters_are_refused(character):
    with pytest.raises(ParseError, match="line 1, column 3: got"):
        tokens.tokenize(f"1 {character}")


def test_text_must_be_text_and_not_endless():
    with pytest.raises(ParseError, match="must be text, got int"):
        tokens.tokenize(3)
    with pytest.raises(ParseError, match="longer than"):
        tokens.tokenize("1" * 10_001)

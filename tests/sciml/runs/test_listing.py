import pytest

from sciml.equations import CONDITIONS, EQUATIONS
from sciml.geometry import SHAPES
from sciml.runs.listing import LISTINGS


@pytest.mark.parametrize(
    ("kind", "table"),
    [("equations", EQUATIONS), ("geometries", SHAPES), ("conditions", CONDITIONS)],
)
def test_everything_in_a_table_has_a_headline(kind, table):
    heads = [line for line in LISTINGS[kind]() if not line.startswith(" ")]
    assert [line.partition(": ")[0] for line in heads] == list(table)
    assert all(line.partition(": ")[2] for line in heads)


def test_an_equation_shows_its_formula_in_symbols_with_units():
    text = "\n".join(LISTINGS["equations"]())
    assert "D*(w__x__x__x__x + w__y__y__y__y + 2*w__x__x__y__y) - q = 0" in text
    assert "rigidity: D [N m]" in text
    assert "w [m]" in text
    assert "M_x [N]" in text


def test_conditions_show_their_keys_and_defaults():
    text = "\n".join(LISTINGS["conditions"]())
    assert "Robin: a u + b n . grad(u) = g on a part" in text
    assert "keys: field; part; value = 0.0; a = 1.0; b = 1.0" in text


def test_lines_are_short_enough_for_a_terminal():
    for listing in LISTINGS.values():
        assert all(len(line) <= 160 for line in listing())

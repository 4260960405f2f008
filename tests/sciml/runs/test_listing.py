import re

import pytest

from sciml.equations import CONDITIONS, EQUATIONS
from sciml.geometry import SHAPES
from sciml.networks import NETWORKS
from sciml.runs.listing import LISTINGS
from sciml.training.balancers import BALANCERS
from sciml.training.stages import STAGES


@pytest.mark.parametrize(
    ("kind", "table"),
    [
        ("equations", [*EQUATIONS, "CustomPDE"]),
        ("geometries", SHAPES),
        ("conditions", CONDITIONS),
        ("networks", NETWORKS),
        ("stages", STAGES),
        ("balancers", BALANCERS),
    ],
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
    assert "  a = 1.0: Factors of the value and of the normal derivative." in text
    assert "  electric = [E_x, E_y, E_z]: Names of the two or three components of E [V/m]." in text
    assert "  rate = null: h [unit of u per s]; None for" in text


@pytest.mark.parametrize("kind", ["geometries", "conditions", "stages", "balancers"])
def test_every_key_has_a_meaning(kind):
    keys = [line for line in LISTINGS[kind]() if re.match(r"  \S", line)]
    assert [line for line in keys if not line.partition(": ")[2].strip()] == []


def test_ones_own_equation_comes_last_with_its_keys():
    lines = list(LISTINGS["equations"]())
    start = next(i for i, line in enumerate(lines) if line.startswith("CustomPDE: "))
    assert any(line.startswith("  coefficients = {}: Numbers, texts") for line in lines[start:])


def test_lines_are_short_enough_for_a_terminal():
    for listing in LISTINGS.values():
        assert all(len(line) <= 160 for line in listing())

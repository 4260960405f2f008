"""Figures have the right axes; what they show is tested with the solutions that draw them."""

from __future__ import annotations

import numpy as np
import pytest

from sciml.problem.plots import Grid, field_figure


@pytest.mark.parametrize(
    ("units", "aspect"),
    [
        ((("x", "m"), ("y", "m")), 1.0),
        ((("x", "m"), ("t", "s")), "auto"),
        ((("x", "-"), ("y", "-")), 1.0),
        ((("x", "-"), ("t", "-")), "auto"),
    ],
)
def test_lengths_are_drawn_to_scale_and_time_is_not(
    units: tuple[tuple[str, str], tuple[str, str]], aspect: float | str
) -> None:
    x, t = np.linspace(0, 4, 5), np.linspace(0, 1, 3)
    grid = Grid(x, t, np.full((3, 5), -1.0), units)
    axes = field_figure(grid, np.arange(15.0), "title", "label").axes[0]
    assert axes.get_aspect() == aspect
    assert axes.get_ylabel() == f"${units[1][0]}$ [{units[1][1]}]"

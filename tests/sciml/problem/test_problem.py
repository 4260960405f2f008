"""A problem says which conditions are missing."""

from __future__ import annotations

from typing import Any

import pytest

from sciml import Problem
from sciml.equations import (
    Clamped,
    Dirichlet,
    Free,
    KirchhoffPlate,
    Neumann,
    Poisson,
    SimplySupported,
)
from sciml.geometry import Disk, Interval, Rectangle

EDGES = ("edges.left", "edges.bottom", "edges.right", "edges.top")


@pytest.mark.parametrize(("geometry", "pde", "conditions", "missing"), [
    (Rectangle(), KirchhoffPlate(), [SimplySupported("edges")], {}),
    (Rectangle(), KirchhoffPlate(), [Clamped("edges.left"), Free("edges.top"),
                                     SimplySupported("edges.right"), Free("edges.bottom")], {}),
    (Rectangle(), KirchhoffPlate(), [], dict.fromkeys(EDGES, 2)),
    (Rectangle(), KirchhoffPlate(), [Dirichlet("w", "edges")], dict.fromkeys(EDGES, 1)),
    (Rectangle(), Poisson(), [Dirichlet("u", "edges.left")], dict.fromkeys(EDGES[1:], 1)),
    (Rectangle(), Poisson(), [Dirichlet("u", "edges.left"), Neumann("u", "edges.top"),
                              Neumann("u", "edges.bottom"), Neumann("u", "edges.right")], {}),
    (Disk(), KirchhoffPlate(), [Clamped("circle")], {}),
    (Interval(0, 1), Poisson(dimension=1), [Dirichlet("u", "right")], {"left": 1}),
])  # fmt: skip
def test_missing_conditions(
    geometry: Any, pde: Any, conditions: Any, missing: dict[str, int]
) -> None:
    assert Problem(geometry, pde, conditions).missing_conditions() == missing

"""The shipped problems reach their accuracy, here looser and with fewer steps than as shipped.

The bounds are on errors against closed forms, and on the deflection at the centre of plates for
unit load, side and rigidity against published series. `tests/benchmarks/accuracy.py` measures the
problems as they are.
"""

from __future__ import annotations

import pytest

from sciml.problem.solution import Solution
from sciml.runs import catalogue


def solved(name: str, *steps: int) -> Solution:
    """Return the solution of a shipped problem after so many steps of each stage."""
    sets = [f"solver.schedule.{stage}.steps={count}" for stage, count in enumerate(steps)]
    return catalogue.load(name, ["solver.threads=1", *sets]).build().solve()


@pytest.mark.parametrize(
    ("name", "steps", "bounds"),
    [
        ("poisson", (100, 150), {"u": 1e-3, "flux_x": 3e-3, "flux_y": 3e-3}),
        ("kirchhoff_disc", (100, 80), {"w": 1e-3, "M_x": 2e-3, "Q_x": 5e-3}),
        ("kirchhoff_plate", (100, 200), {"w": 1e-3, "M_x": 3e-3, "M_xy": 3e-3, "Q_y": 1e-2}),
    ],
)
def test_errors_against_the_closed_form(
    name: str, steps: tuple[int, ...], bounds: dict[str, float]
) -> None:
    reference = catalogue.load(name, []).validation.reference
    assert reference is not None
    errors = solved(name, *steps).errors(reference, 41)
    assert {field: e for field in bounds if (e := errors[field].relative_l2) > bounds[field]} == {}


def test_centre_of_the_simply_supported_plate() -> None:
    """Navier's series: w = 0.00406235266 q a^4 / D, M_x = 0.0478863796 q a^2."""
    plate = solved("kirchhoff_plate_uniform", 200, 400)
    assert float(plate["w"](0.5, 0.5)) == pytest.approx(0.00406235266067505, rel=1e-3)
    assert float(plate["M_x"](0.5, 0.5)) == pytest.approx(0.0478863796329840, rel=5e-3)


@pytest.mark.slow
def test_centre_of_the_clamped_plate() -> None:
    """Taylor and Govindjee (2004): w = 0.00126531909 q a^4 / D, M_x = 0.0229050908 q a^2."""
    plate = solved("kirchhoff_plate_clamped", 300, 2500)
    assert float(plate["w"](0.5, 0.5)) == pytest.approx(0.00126531908748, rel=2e-3)
    assert float(plate["M_x"](0.5, 0.5)) == pytest.approx(0.02290509078, rel=5e-3)

"""Problems with manufactured data are solved to the fields they were made from."""

from __future__ import annotations

from sciml import LBFGS, MLP, Points, Problem, Solver
from sciml.equations import (
    Clamped,
    Condition,
    CustomPDE,
    Free,
    FreeCorner,
    KirchhoffPlate,
    NavierStokes,
    NoSlip,
    PointValue,
    SimplySupported,
    Sommerfeld,
)
from sciml.equations.exact import ManufacturedSolution, manufacture
from sciml.geometry import Interval, Rectangle
from sciml.geometry.geometry import Geometry


def errors(
    case: ManufacturedSolution, shape: Geometry, conditions: list[Condition], steps: int
) -> dict[str, float]:
    """Return the relative errors of the fields."""
    problem = Problem(shape, case.pde, case.conditions(shape, conditions))
    solver = Solver(problem, MLP(hidden=(16,)), [LBFGS(steps)], Points(300, 60), dtype="float64")
    return {name: e.relative_l2 for name, e in solver.solve().errors(case, 21).items()}


def test_a_plate_with_moments_and_forces_on_its_edges() -> None:
    case = manufacture(KirchhoffPlate(2.0, 0.3), {"w": "sin(x + y) + x^2*y"})
    conditions = [
        Clamped("edges.left"),
        SimplySupported("edges.bottom"),
        Free("edges.right"),
        Free("edges.top"),
        FreeCorner("corners.top_right"),
    ]
    found = errors(case, Rectangle((0, 0), (1, 1)), conditions, 300)
    assert found["w"] < 2e-3
    assert found["M_x"] < 1e-2


def test_a_flow_with_a_known_pressure_at_one_point() -> None:
    case = manufacture(
        NavierStokes(1.0, 0.1, steady=True), {"u": "sin(y)*x", "v": "cos(y)", "p": "x*y"}
    )
    conditions: list[Condition] = [NoSlip("edges"), PointValue("p", (0.5, 0.5))]
    found = errors(case, Rectangle((0, 0), (1, 1)), conditions, 400)
    assert found["u"] < 5e-3
    assert found["v"] < 5e-3
    assert found["p"] < 5e-2


def test_a_wave_with_a_source_and_an_open_end() -> None:
    pde = CustomPDE({"wave": "p__x__x + k^2*p"}, "x", "", {"k": 2}, complex_unknowns="p")
    case = manufacture(pde, {"p": "exp(3*I*x) + x"})
    ends = [Sommerfeld("left", "p_re", "p_im", 2), Sommerfeld("right", "p_re", "p_im", 2)]
    found = errors(case, Interval(0, 1), ends, 300)
    assert found["p_re"] < 2e-3
    assert found["p_im"] < 2e-3

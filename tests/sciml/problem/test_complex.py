"""Problems with complex fields."""

from __future__ import annotations

import numpy as np

from sciml import LBFGS, MLP, Points, Problem, Solver
from sciml.equations import CustomPDE, Dirichlet, Sommerfeld
from sciml.geometry import Interval


def test_a_wave_enters_at_one_end_and_leaves_at_the_other() -> None:
    """p'' + k^2 p = 0, p(0) = 1, p' = i k p at x = 1: p = exp(i k x)."""
    pde = CustomPDE({"wave": "p__x__x + k^2*p"}, "x", "", {"k": 3}, {"flux": "im(conj(p)*p__x)"},
                    complex_unknowns="p")  # fmt: skip
    conditions = [
        Dirichlet("p_re", "left", 1),
        Dirichlet("p_im", "left", 0),
        Sommerfeld("right", "p_re", "p_im", 3),
    ]
    problem = Problem(Interval(0, 1), pde, conditions)
    solver = Solver(problem, MLP(hidden=(16,)), [LBFGS(300)], Points(60, 1), dtype="float64")
    solution = solver.solve()
    x = np.linspace(0, 1, 41)
    found = solution["p_re"](x) + 1j * solution["p_im"](x)
    np.testing.assert_allclose(found, np.exp(3j * x), rtol=0, atol=1e-3)
    np.testing.assert_allclose(solution["flux"](x), 3.0, rtol=0, atol=1e-2)

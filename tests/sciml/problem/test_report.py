"""What a report says."""

from __future__ import annotations

import math

from sciml import MLP, Attempt, Problem, Report, Solution
from sciml.equations import Dirichlet, Poisson
from sciml.geometry import Rectangle


def test_a_report_names_what_was_chosen() -> None:
    first = Attempt("coarse", 45, math.inf, 3e-2, 1.25)
    second = Attempt("fine", 91, 2e-9, 4e-7, 2.5)
    report = Report(1e-8, (first, second), {"u": 2e-9}, 1, True)
    assert str(report).splitlines() == [
        "tolerance 1e-08 reached: fine",
        "  estimated relative errors: u 2e-09",
        "    coarse: 45 unknowns, no error known, residual 3e-02, 1.2 s",
        "  * fine: 91 unknowns, error 2e-09, residual 4e-07, 2.5 s",
    ]
    assert str(Report(1e-8, (first,), {}, 0, False)).splitlines()[:2] == [
        "tolerance 1e-08 not reached: coarse",
        "  estimated relative errors: unknown",
    ]


def test_a_notebook_shows_how_sure_a_solution_is() -> None:
    trial = Problem(Rectangle(), Poisson(), [Dirichlet("u", "edges")]).trial(MLP(hidden=(4,)))
    report = Report(1e-8, (Attempt("fine", 91, 2e-9, 4e-7, 2.5),), {"u": 2e-9}, 0, True)
    shown = Solution(trial, trial.initialise(0, "float64"), report)._repr_html_()
    assert "tolerance 1e-08 reached: fine" in shown
    assert "estimated relative errors: u 2e-09" in shown

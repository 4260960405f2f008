"""What a report says."""

from __future__ import annotations

import math

from sciml import Attempt, Report


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

from __future__ import annotations

from sciml.studies.uncertain import Identified


def test_a_number_is_shown_with_its_error() -> None:
    assert str(Identified(0.30123456, 0.00421)) == "0.301235 ± 0.0042"

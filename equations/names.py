"""The end of messages about names that are not known."""

from __future__ import annotations

import difflib
from collections.abc import Sequence


def near(name: str, known: Sequence[str]) -> str:
    """Return the nearest known name as a question, or all known names.

    Examples
    --------
    >>> near("tmie", ["time", "x"])
    "; did you mean 'time'?"
    """
    close = difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; declared are {', '.join(known)}"

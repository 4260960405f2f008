"""What an automatic solution was tried with, and how sure it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True)
class Attempt:
    """One solution on the way.

    Parameters
    ----------
    method : str
        What it was made of.
    unknowns : int
        Number of parameters.
    error : float
        Estimated relative L2 error of the fields; infinite for the first of its kind, and where
        the residual is so large that no estimate holds.
    residual : float
        Largest root mean square residual on fresh points, over its scale.
    seconds : float
        Wall time [s].
    """

    method: str
    unknowns: int
    error: float
    residual: float
    seconds: float

    def __str__(self) -> str:
        """Return one line."""
        error = f"error {self.error:.0e}" if self.error < float("inf") else "no error known"
        return (
            f"{self.method}: {self.unknowns} unknowns, {error}, residual {self.residual:.0e}, "
            f"{self.seconds:.1f} s"
        )


@final
@dataclass(frozen=True)
class Report:
    """How an automatic solution was found.

    Parameters
    ----------
    tolerance : float
        What was asked for.
    attempts : sequence of Attempt
        In order; the solution is that of `best`.
    errors : Mapping of str to float
        Estimated relative L2 errors of fields and derived quantities: the differences between the
        last two solutions of the kind that was chosen.
    best : int
        Number of the attempt that gave the solution, from zero.
    reached : bool
        Whether the estimate is within the tolerance.
    """

    tolerance: float
    attempts: Sequence[Attempt]
    errors: Mapping[str, float]
    best: int
    reached: bool

    def __str__(self) -> str:
        """Return the report as text of a few lines."""
        chosen = self.attempts[self.best]
        word = "reached" if self.reached else "not reached"
        head = f"tolerance {self.tolerance:.0e} {word}: {chosen.method}"
        sizes = ", ".join(f"{name} {error:.0e}" for name, error in self.errors.items())
        lines = [f"  {'*' if i == self.best else ' '} {a}" for i, a in enumerate(self.attempts)]
        return "\n".join([head, f"  estimated relative errors: {sizes or 'unknown'}", *lines])

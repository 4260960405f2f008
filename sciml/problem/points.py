"""How many collocation points, and from which sampler."""

from __future__ import annotations

from dataclasses import dataclass

from sciml.framework.errors import ConfigError
from sciml.geometry import SAMPLERS


@dataclass(frozen=True)
class Points:
    """Counts of collocation points.

    Parameters
    ----------
    interior : int
        Points inside the domain, >= 1.
    boundary : int
        Points per softly imposed condition, >= 1.
    sampler : str
        A sampler of `sciml.geometry`, such as ``halton``.
    """

    interior: int = 1024
    boundary: int = 128
    sampler: str = "halton"

    def __post_init__(self) -> None:
        """Refuse counts below one and unknown samplers."""
        if min(self.interior, self.boundary) < 1:
            raise ConfigError(
                f"Points: counts must be 1 or more, got {self.interior} and {self.boundary}"
            )
        if self.sampler not in SAMPLERS:
            raise ConfigError(
                f"Points: unknown sampler {self.sampler!r}; valid are {', '.join(SAMPLERS)}"
            )

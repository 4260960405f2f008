"""How many collocation points, and from which sampler."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
    parts : Mapping of str to int
        Points on single parts, instead of ``boundary``, by the name their condition has.

    Examples
    --------
    >>> Points(boundary=50, parts={"edges.left": 200}).on("edges.left")
    200
    """

    interior: int = 1024
    boundary: int = 128
    sampler: str = "halton"
    parts: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse counts below one and unknown samplers."""
        counts = {"interior": self.interior, "boundary": self.boundary, **self.parts}
        if min(counts.values()) < 1:
            least = min(counts, key=lambda name: counts[name])
            raise ConfigError(f"Points: counts must be 1 or more, got {least} = {counts[least]}")
        if self.sampler not in SAMPLERS:
            raise ConfigError(
                f"Points: unknown sampler {self.sampler!r}; valid are {', '.join(SAMPLERS)}"
            )

    def on(self, part: str) -> int:
        """Return the number of points for a condition on a part."""
        return self.parts.get(part, self.boundary)

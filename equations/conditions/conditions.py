"""The table of conditions by name, read by run files; a new condition is one line here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .clamped import Clamped
from .condition import Condition
from .data import Data, PointValue
from .dirichlet import Dirichlet
from .elastic_edge import ElasticEdge
from .free import Free
from .free_corner import FreeCorner
from .guided import Guided
from .initial import Initial
from .integral import Integral
from .neumann import Neumann
from .no_slip import NoSlip
from .operator import Operator
from .perfect_conductor import PerfectConductor
from .periodic import Periodic
from .radiation import OpenBoundary, Sommerfeld
from .robin import Robin
from .simply_supported import SimplySupported
from .symmetry import Symmetry
from .wall_function import WallFunction

CONDITIONS: Mapping[str, type[Condition]] = MappingProxyType(
    {
        "Clamped": Clamped,
        "Data": Data,
        "Dirichlet": Dirichlet,
        "ElasticEdge": ElasticEdge,
        "Free": Free,
        "FreeCorner": FreeCorner,
        "Guided": Guided,
        "Initial": Initial,
        "Integral": Integral,
        "Neumann": Neumann,
        "NoSlip": NoSlip,
        "OpenBoundary": OpenBoundary,
        "Operator": Operator,
        "PerfectConductor": PerfectConductor,
        "Periodic": Periodic,
        "PointValue": PointValue,
        "Robin": Robin,
        "SimplySupported": SimplySupported,
        "Sommerfeld": Sommerfeld,
        "Symmetry": Symmetry,
        "WallFunction": WallFunction,
    }
)

"""The PDEs as symbolic residuals and their boundary conditions."""

if __name__ != "sciml.equations":
    raise ImportError(
        f"imported as {__name__!r}; import it as 'sciml.equations', "
        "since a second copy would carry a second equation library"
    )

from .conditions.clamped import Clamped
from .conditions.condition import BoundaryCondition, Condition, HardForm
from .conditions.conditions import CONDITIONS
from .conditions.data import Data, PointValue
from .conditions.dirichlet import Dirichlet
from .conditions.elastic_edge import ElasticEdge
from .conditions.free import Free
from .conditions.free_corner import FreeCorner
from .conditions.guided import Guided
from .conditions.initial import Initial
from .conditions.integral import Integral
from .conditions.neumann import Neumann
from .conditions.no_slip import NoSlip
from .conditions.operator import Operator
from .conditions.perfect_conductor import PerfectConductor
from .conditions.radiation import OpenBoundary, Sommerfeld
from .conditions.robin import Robin
from .conditions.simply_supported import SimplySupported
from .conditions.symmetry import Symmetry
from .declarations import coefficient
from .differential_operators import DifferentialOperator, differential_operator
from .equations import EQUATIONS
from .library.kirchhoff_plate import KirchhoffPlate
from .library.poisson import Poisson
from .lowering import LoweredResidual, lower
from .operators import D, biharmonic, div, dot, grad, laplacian
from .parser import parse_expression
from .pde import PDE
from .text import format_expression
from .trial import Ansatz, SoftResidual, ansatz

__all__ = [
    "CONDITIONS", "EQUATIONS", "PDE", "Ansatz", "BoundaryCondition", "Clamped", "Condition",
    "D", "Data", "DifferentialOperator", "Dirichlet", "ElasticEdge", "Free", "FreeCorner",
    "Guided", "HardForm", "Initial", "Integral", "KirchhoffPlate", "LoweredResidual", "Neumann",
    "NoSlip", "OpenBoundary", "Operator", "PerfectConductor", "PointValue", "Poisson", "Robin",
    "SimplySupported", "SoftResidual", "Sommerfeld", "Symmetry", "ansatz", "biharmonic",
    "coefficient", "differential_operator", "div", "dot", "format_expression", "grad", "laplacian",
    "lower", "parse_expression",
]  # fmt: skip

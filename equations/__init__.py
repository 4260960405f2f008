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
from .conditions.periodic import Periodic
from .conditions.radiation import OpenBoundary, Sommerfeld
from .conditions.robin import Robin
from .conditions.simply_supported import SimplySupported
from .conditions.symmetry import Symmetry
from .curvilinear import COORDINATE_SYSTEMS, CoordinateSystem
from .custom import CustomPDE, custom_pde
from .declarations import coefficient
from .differential_operators import DifferentialOperator, differential_operator
from .equations import EQUATIONS
from .fractional import caputo, riesz
from .library.kirchhoff_plate import KirchhoffPlate
from .library.poisson import Poisson
from .lowering import LoweredResidual, lower
from .operators import D, biharmonic, div, dot, grad, laplacian
from .parser import parse_expression
from .pde import PDE
from .text import format_expression
from .trial import Ansatz, SoftResidual, ansatz

__all__ = [
    "CONDITIONS", "COORDINATE_SYSTEMS", "EQUATIONS", "PDE", "Ansatz", "BoundaryCondition",
    "Clamped", "Condition", "CoordinateSystem", "CustomPDE", "D", "Data",
    "DifferentialOperator", "Dirichlet", "ElasticEdge", "Free", "FreeCorner", "Guided",
    "HardForm", "Initial", "Integral", "KirchhoffPlate", "LoweredResidual", "Neumann", "NoSlip",
    "OpenBoundary", "Operator", "PerfectConductor", "Periodic", "PointValue", "Poisson",
    "Robin", "SimplySupported", "SoftResidual", "Sommerfeld", "Symmetry", "ansatz",
    "biharmonic", "caputo", "coefficient", "custom_pde", "differential_operator", "div", "dot",
    "format_expression", "grad", "laplacian", "lower", "parse_expression", "riesz",
]  # fmt: skip

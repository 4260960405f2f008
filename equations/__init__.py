"""The PDEs as symbolic residuals and their boundary conditions."""

if __name__ != "sciml.equations":
    raise ImportError(
        f"imported as {__name__!r}; import it as 'sciml.equations', "
        "since a second copy would carry a second equation library"
    )

from .conditions.clamped import Clamped
from .conditions.condition import Condition, HardForm
from .conditions.conditions import CONDITIONS
from .conditions.dirichlet import Dirichlet
from .conditions.free import Free
from .conditions.free_corner import FreeCorner
from .conditions.guided import Guided
from .conditions.neumann import Neumann
from .conditions.simply_supported import SimplySupported
from .curvilinear import COORDINATE_SYSTEMS, CoordinateSystem
from .custom import CustomPDE, custom_pde
from .differential_operators import DifferentialOperator, differential_operator
from .equations import EQUATIONS
from .fractional import caputo, riesz
from .kirchhoff_plate import KirchhoffPlate
from .lowering import LoweredResidual, lower
from .operators import D, biharmonic, div, dot, grad, laplacian
from .parser import parse_expression
from .pde import PDE
from .poisson import Poisson
from .text import format_expression
from .trial import Ansatz, SoftResidual, ansatz

__all__ = [
    "CONDITIONS", "COORDINATE_SYSTEMS", "EQUATIONS", "PDE", "Ansatz", "Clamped", "Condition",
    "CoordinateSystem", "CustomPDE", "D", "DifferentialOperator", "Dirichlet", "Free",
    "FreeCorner", "Guided", "HardForm", "KirchhoffPlate", "LoweredResidual", "Neumann",
    "Poisson", "SimplySupported", "SoftResidual", "ansatz", "biharmonic", "caputo",
    "custom_pde", "differential_operator", "div", "dot", "format_expression", "grad",
    "laplacian", "lower", "parse_expression", "riesz",
]  # fmt: skip

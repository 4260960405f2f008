"""Solutions known in closed form or by a fast series, or chosen, for validation."""

from .clamped_plate import UniformClampedPlate
from .disc import UniformDisc
from .manufactured import ManufacturedSolution, manufacture
from .simply_supported_plate import UniformSimplySupportedPlate
from .sine_plate import SinePlate
from .sine_poisson import SinePoisson
from .solution import ExactSolution

__all__ = [
    "ExactSolution", "ManufacturedSolution", "SinePlate", "SinePoisson", "UniformClampedPlate",
    "UniformDisc", "UniformSimplySupportedPlate", "manufacture",
]  # fmt: skip

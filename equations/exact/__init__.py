"""Solutions known in closed form or by a fast series, for validation."""

from .clamped_plate import UniformClampedPlate
from .disc import UniformDisc
from .simply_supported_plate import UniformSimplySupportedPlate
from .sine_plate import SinePlate
from .sine_poisson import SinePoisson
from .solution import ExactSolution

__all__ = [
    "ExactSolution", "SinePlate", "SinePoisson", "UniformClampedPlate", "UniformDisc",
    "UniformSimplySupportedPlate",
]  # fmt: skip

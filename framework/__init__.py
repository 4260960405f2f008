"""The framework core: IR, primitives, transforms, passes, compiler and back ends.

Examples
--------
>>> import numpy as np
>>> import sciml.framework as sf
>>> sf.grad(lambda x: (sf.sin(x) ** 2).sum())(np.zeros(2))
array([0., 0.])
"""

if __name__ != "sciml.framework":
    raise ImportError(
        f"imported as {__name__!r}; import it as 'sciml.framework', "
        "since a second copy would carry a second primitive registry"
    )

from .checks import DerivativeCheck, check_derivatives
from .compiler.jit import jit
from .composites import *  # noqa: F403
from .composites import __all__ as _composites
from .core.dims import Dim
from .ir.program import Program
from .ir.types import TensorType
from .ops.complex import Complex, abs2, angle, conj, imag, real
from .ops.functions import *  # noqa: F403
from .ops.functions import __all__ as _array_functions
from .ops.primitive import primitives
from .ops.sampling import choice, integers, one_hot, rademacher, split_key, weighted_integers
from .ops.tensor import Tensor
from .transforms.custom import custom_jvp
from .transforms.derivatives import derivative, derivatives
from .transforms.estimators import (
    Estimate,
    estimate_biharmonic,
    estimate_laplacian,
    estimate_polyharmonic,
    estimate_second_order,
    unbiased_square,
)
from .transforms.functions import jvp, linearize, make_program, vjp, vmap
from .transforms.gradients import grad, value_and_grad
from .transforms.jacobians import jacobian
from .transforms.jets import jet
from .transforms.operators import (
    biharmonic,
    curl,
    directional,
    divergence,
    gradient,
    hessian,
    laplacian,
    linear_operator,
    polyharmonic,
    third_derivatives,
)
from .transforms.planner import explain
from .transforms.point_jacobian import point_jacobian
from .transforms.random_terms import estimate_linear_operator
from .transforms.tape import gradients, no_grad, tensor

__all__ = [
    "Complex", "DerivativeCheck", "Dim", "Estimate", "Program", "Tensor", "TensorType", "abs2",
    "angle", "biharmonic", "check_derivatives", "choice", "conj", "curl", "custom_jvp",
    "derivative", "derivatives", "directional", "divergence", "estimate_biharmonic",
    "estimate_laplacian", "estimate_linear_operator", "estimate_polyharmonic",
    "estimate_second_order", "explain", "grad", "gradient", "gradients", "hessian", "imag",
    "integers", "jacobian", "jet", "jit", "jvp", "laplacian", "linear_operator", "linearize",
    "make_program", "no_grad", "one_hot", "point_jacobian", "polyharmonic", "primitives",
    "rademacher", "real", "split_key", "tensor", "third_derivatives", "unbiased_square",
    "value_and_grad", "vjp", "vmap", "weighted_integers", *_array_functions, *_composites,
]  # fmt: skip

"""The Jacobian of residuals by parameters, row by row: what Gauss-Newton and its kin multiply by.

With r(params, X) of one residual per point, J has one row per point and one column for each
entry of the parameters. Its products are functions of arrays like every other: compiled with
`jit` they run tile by tile, so that J^T J of a million points needs memory for one tile of J.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from ..core.dtypes import is_float
from ..core.tree import flatten, unflatten
from ..errors import DifferentiationError, ShapeError
from ..ir.program import Program
from ..ops import functions as array
from ..ops.contraction import dot_general
from ..ops.primitive import type_of
from ..ops.tensor import unwrap, wrap
from .functions import jvp, vjp, vmap
from .gradients import check_used, grad, selected_leaves
from .jacobians import jacobian
from .pointwise import Mixing, follow_axis
from .trace import trace_call, unwrap_leaves

__all__ = ["PointJacobian", "point_jacobian"]

Function = Callable[..., Any]


class PointJacobian:
    """Products of the Jacobian of pointwise residuals; see `point_jacobian`."""

    def __init__(
        self, residual: Function, argnums: int, shared: Sequence[int], allow_unused: bool
    ) -> None:
        self.residual = residual
        self.argnums = argnums
        self.shared = frozenset((argnums, *shared))
        self.allow_unused = allow_unused

    def rows(self, *arguments: object) -> Any:
        """Return J: (points, P), or (points, m, P) for m residuals at each point.

        The columns are the entries of the parameters, leaf by leaf, each in row-major order.
        """
        count = self._residual_rank(arguments)
        axes = tuple(None if k in self.shared else 0 for k in range(len(arguments)))

        def of_point(*example: Any) -> Any:
            single = [
                a if k in self.shared else _map(lambda leaf: leaf[None], a)
                for k, a in enumerate(example)
            ]
            residual = lambda *a: self.residual(*a)[0]  # noqa: E731
            if count == 1:
                return grad(residual, self.argnums, allow_unused=True)(*single)
            return _matrix(residual, self.argnums)(*single)

        leaves = flatten(vmap(of_point, axes)(*arguments))[0]
        sizes = [_size(leaf) for leaf in flatten(arguments[self.argnums])[0]]
        flat = [
            array.reshape(leaf, (*leaf.shape[:count], size))
            for leaf, size in zip(leaves, sizes, strict=True)
        ]
        return array.concatenate(flat, axis=count) if len(flat) > 1 else flat[0]

    def product(self, *arguments: object, vector: object) -> Any:
        """Return J v of the shape of the residuals, by one forward sweep.

        Parameters
        ----------
        vector
            v, in the container of the parameters or flat of shape (P,).
        """
        own = arguments[self.argnums]
        tangent = self._like_parameters(own, vector)
        return jvp(lambda p: self._call(arguments, p), (own,), (tangent,))[1]

    def transposed(self, *arguments: object, vector: object) -> Any:
        """Return J^T v in the container of the parameters, by one reverse sweep.

        Parameters
        ----------
        vector
            v, of the shape of the residuals.
        """
        _, pull = vjp(lambda p: self._call(arguments, p), arguments[self.argnums])
        return pull(vector)[0]

    def gram(self, *arguments: object) -> Any:
        """Return J^T J of shape (P, P), accumulated over points."""
        return _gram(self._flat_rows(arguments))

    def normal_equations(self, *arguments: object) -> tuple[Any, Any, Any]:
        """Return J^T J, J^T r of shape (P,) and r: the step of Gauss-Newton solves with them."""
        J = self._flat_rows(arguments)
        r = self.residual(*arguments)
        return _gram(J), _contract(J, array.reshape(r, (J.shape[0],))), r

    def _flat_rows(self, arguments: Sequence[object]) -> Any:
        J = self.rows(*arguments)
        if len(J.shape) == 2:
            return J
        points, count, columns = J.shape
        return array.reshape(J, (points * count, columns))

    def _call(self, arguments: Sequence[object], parameters: object) -> Any:
        return self.residual(
            *(parameters if k == self.argnums else a for k, a in enumerate(arguments))
        )

    def _residual_rank(self, arguments: Sequence[object]) -> int:
        """Return how many axes the residuals have, after checking what they depend on."""
        program = trace_call(self.residual, arguments)[0].program
        outputs = program.outputs
        if len(outputs) != 1 or outputs[0].type.rank not in (1, 2):
            got = ", ".join(str(o.type) for o in outputs)
            raise ShapeError(f"residuals must be one array (points,) or (points, m), got {got}")
        if not self.allow_unused:
            positions, _, paths = selected_leaves(arguments, self.argnums)
            check_used(program, positions, paths)
        self._check_rows(program, arguments)
        return outputs[0].type.rank

    def _check_rows(self, program: Program, arguments: Sequence[object]) -> None:
        """Refuse residuals whose value at a point depends on other points."""
        given = [k for k, a in enumerate(arguments) for _ in flatten(a)[0]]
        start = {v: 0 for v, k in zip(program.inputs, given, strict=False) if k not in self.shared}
        carried = follow_axis(program, start)
        if isinstance(carried, Mixing):
            raise DifferentiationError(
                f"{program.name} is not pointwise: {carried.operation.name} {carried.reason} of "
                "points; arguments that all points share go into shared=(...)"
            )
        if carried.get(program.outputs[0]) != 0:
            raise DifferentiationError(
                f"{program.name}: the residuals {program.outputs[0].type} do not carry the points "
                "along their first axis"
            )

    @staticmethod
    def _like_parameters(parameters: object, vector: object) -> Any:
        leaves, structure = unwrap_leaves(parameters)
        given, _ = unwrap_leaves(vector)
        if len(given) != 1 or len(leaves) == 1 or type_of(given[0]).rank != 1:
            return vector
        sizes = [_size(wrap(leaf)) for leaf in leaves]
        (flat,) = given
        if type_of(flat).shape != (sum(sizes),):
            raise ShapeError(f"the vector must have {sum(sizes)} entries, got {type_of(flat)}")
        parts, start = [], 0
        for leaf, size in zip(leaves, sizes, strict=True):
            part = wrap(flat)[start : start + size]
            parts.append(array.reshape(part, type_of(leaf).shape))
            start += size
        return unflatten(structure, parts)


def _map(function: Function, container: object) -> Any:
    leaves, structure = flatten(container)
    return unflatten(structure, [function(leaf) for leaf in leaves])


def _matrix(function: Function, argnums: int) -> Function:
    """Return the function of all rows of several residuals, (m, *leaf) for each leaf."""

    def evaluate(*arguments: Any) -> Any:
        own = arguments[argnums]
        value, pull = vjp(
            lambda p: function(*(p if k == argnums else a for k, a in enumerate(arguments))), own
        )
        identity = jacobian(lambda r: r * 1.0)(value)
        return vmap(lambda ct: pull(ct)[0])(identity)

    return evaluate


def _size(leaf: Any) -> int:
    type = type_of(unwrap(leaf))
    if not is_float(type.dtype) or not isinstance(type.size, int):
        raise DifferentiationError(f"parameters must be floating arrays of fixed size, got {type}")
    return type.size


# J^T J is symmetric: it is made of this many blocks of columns, of which each pair is taken once.
_BLOCKS = 4
_SMALLEST_BLOCK = 128


def _gram(J: Any) -> Any:
    """Return J^T J."""
    columns = J.shape[1]
    count = min(_BLOCKS, max(1, columns // _SMALLEST_BLOCK))
    edges = [columns * k // count for k in range(count + 1)]
    parts = [J[:, a:b] for a, b in itertools.pairwise(edges)]
    blocks = {(i, k): _contract(parts[i], parts[k]) for i in range(count) for k in range(i, count)}
    rows = [
        array.concatenate(
            [blocks[i, k] if i <= k else blocks[k, i].T for k in range(count)], axis=1
        )
        for i in range(count)
    ]
    return array.concatenate(rows, axis=0)


def _contract(x: Any, y: Any) -> Any:
    """Return the sum over rows of the products of their entries."""
    pairs = {"contract": ((0,), (0,)), "batch": ((), ())}
    return wrap(dot_general(unwrap(x), unwrap(y), **pairs))


def point_jacobian(
    residual: Function,
    argnums: int = 0,
    shared: Sequence[int] = (),
    allow_unused: bool = False,
) -> PointJacobian:
    """Return the products of the Jacobian of pointwise residuals by parameters.

    Parameters
    ----------
    residual
        ``residual(params, X, ...)`` of shape (points,) or (points, m), each row from the same row
        of X; ``params`` is an array or a container of arrays with P entries in all.
    argnums
        The argument to differentiate by.
    shared
        Other arguments that all points share; the rest have points along their first axis.
    allow_unused
        Whether parameters that no residual depends on have columns of zeros without a warning.

    Returns
    -------
    PointJacobian
        With the methods ``rows`` (J itself), ``product(..., vector=v)`` (J v),
        ``transposed(..., vector=v)`` (J^T v), ``gram`` (J^T J) and ``normal_equations``
        (J^T J, J^T r, r), each to be called with the arguments of
        the residual; under `jit` they run tile by tile.

    Examples
    --------
    >>> import numpy as np
    >>> J = point_jacobian(lambda a, x: a[0] * x + a[1] * x**2)
    >>> a, x = np.array([1.0, 2.0]), np.array([1.0, 3.0])
    >>> J.rows(a, x)
    array([[1., 1.],
           [3., 9.]])
    >>> J.gram(a, x)
    array([[10., 28.],
           [28., 82.]])
    """
    return PointJacobian(residual, argnums, shared, allow_unused)

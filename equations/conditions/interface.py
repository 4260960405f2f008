"""What is continuous, or jumps by a known amount, where two equations meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import sympy

from sciml.framework.errors import EquationError

from ..coefficients import Coefficient
from ..pde import PDE
from .operator import boundary_expression


@final
@dataclass(frozen=True)
class Interface:
    """Quantities a of one sub-problem and b of another on a common boundary: a - b = jump.

    Normals in both are the outward normal of the first. Two materials that touch have one
    temperature and one heat flux: ``("u", "k*u_n")``; two elastic bodies that are bonded have one
    displacement and one traction.

    Parameters
    ----------
    first, second
        Parts, each after the name of its sub-problem: ``steel.edges.right``. The first must lie on
        the second.
    quantities
        Texts that both sides understand, each with coefficients and fields of its own, or a pair
        of texts: fields, derivatives ``u__x``, normal derivatives ``u_n``, derived quantities,
        coefficients by their letter, coordinates, the normal ``n_x``, ``n_y``, ``n_z`` and the
        curvature ``kappa``.
    jumps
        a - b of each quantity, in the coordinates of the first; none means zero.

    Raises
    ------
    EquationError
        If there are no quantities, these are one text, or there is another number of jumps.

    References
    ----------
    Jagtap and Karniadakis (2020), Commun. Comput. Phys. 28, 2002-2041, section 2, with continuity
    of flux and of each value instead of the average of the values.

    Examples
    --------
    >>> from sciml.equations import Poisson
    >>> bond = Interface("steel.right", "copper.left", ("u", "k*u_n"))
    >>> bond.side(Poisson(coefficient=3, dimension=1), 0)
    [u(x), 3*n_x*Derivative(u(x), x)]
    """

    first: str
    second: str
    quantities: tuple[str | tuple[str, str], ...]
    jumps: tuple[Coefficient, ...] = ()

    def __post_init__(self) -> None:
        where = f"Interface of {self.first!r} and {self.second!r}"
        given: object = self.quantities  # a text alone would be taken for a row of letters
        if isinstance(given, str):
            raise EquationError(
                f"{where}: quantities are a row of texts; give ({self.quantities!r},)"
            )
        object.__setattr__(self, "quantities", tuple(self.quantities))
        object.__setattr__(self, "jumps", tuple(self.jumps) or (0.0,) * len(self.quantities))
        if not self.quantities:
            raise EquationError(f"{where}: no quantity; give for example ('u', 'k*u_n')")
        if len(self.jumps) != len(self.quantities):
            raise EquationError(
                f"{where}: {len(self.jumps)} jumps for {len(self.quantities)} quantities"
            )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of its residuals."""
        pairs = [(q, q) if isinstance(q, str) else q for q in self.quantities]
        return tuple(a if a == b else f"{a} = {b}" for a, b in pairs)

    def side(self, pde: PDE, number: int) -> list[sympy.Expr]:
        """Return the quantities on the first (0) or second side (1).

        Raises
        ------
        ParseError
            If the equation does not know what a text names.
        """
        texts = [q if isinstance(q, str) else q[number] for q in self.quantities]
        return [boundary_expression(text, pde) for text in texts]

"""`Problem`: a geometry, a PDE and conditions, checked against each other."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import sympy

from sciml.equations import PDE, Ansatz, BoundaryCondition, Condition, Free, ansatz
from sciml.equations.conditions.condition import Quantity as PrescribedQuantity
from sciml.equations.conditions.forced import unforced
from sciml.equations.pde import TIME
from sciml.framework.errors import EquationError, ProblemWarning
from sciml.geometry import Geometry, SpaceTime
from sciml.networks import Network

if TYPE_CHECKING:
    from .trial import Trial


@dataclass(frozen=True)
class Problem:
    """What is to be solved: a PDE inside a geometry, with conditions on named parts.

    Parameters
    ----------
    geometry : Geometry
        Where.
    pde : PDE
        What holds inside.
    conditions : sequence of Condition
        What holds on parts of the boundary. Those that allow it are satisfied exactly by the
        form of the trial function, the others enter the loss.

    Raises
    ------
    EquationError, GeometryError
        When dimensions differ, or a condition names an unknown field or part or contradicts
        another one.

    Examples
    --------
    >>> from sciml.equations import KirchhoffPlate, SimplySupported
    >>> from sciml.geometry import Rectangle
    >>> plate = Problem(Rectangle(), KirchhoffPlate(), [SimplySupported("edges")])
    >>> plate.order, [s.name for s in plate.forms[0].soft]
    (4, ['M_n'])
    """

    geometry: Geometry
    pde: PDE
    conditions: Sequence[Condition] = ()

    def __post_init__(self) -> None:
        """Check dimensions, fields and parts before anything is sampled or compiled."""
        self._check_kinds()
        object.__setattr__(self, "conditions", tuple(self.conditions))
        coordinates = len(self.pde.coordinates)
        if coordinates != self.geometry.dimension:
            raise EquationError(
                f"{type(self.pde).__name__} has {coordinates} coordinates, "
                f"{type(self.geometry).__name__} has dimension {self.geometry.dimension}"
            )
        self._warn_of_corners()
        for form in self.forms:
            for soft in form.soft:
                soft.expression(self.pde)
            for condition, _ in form.hard:
                condition.residuals(self.pde)

    def _check_kinds(self) -> None:
        """Say which of the three arguments is something else."""
        given: tuple[object, object, object] = (self.geometry, self.pde, self.conditions)
        shape, pde, conditions = given
        if not isinstance(shape, Geometry):
            raise EquationError(f"Problem: geometry must be a shape, such as Disk(), got {shape!r}")
        if not isinstance(pde, PDE):
            raise EquationError(f"Problem: pde must be an equation, such as Poisson(), got {pde!r}")
        if not isinstance(conditions, Iterable) or isinstance(conditions, str):
            raise EquationError(
                f"Problem: conditions must be a list, got {conditions!r}; give [{conditions!r}]"
            )
        for condition in conditions:
            if not isinstance(condition, Condition):
                raise EquationError(
                    f"Problem: {condition!r} is no condition, such as Dirichlet('u', 'boundary')"
                )

    def _warn_of_corners(self) -> None:
        """Corners of a shape leave no part of it over time, so nothing is asked for there."""
        shape = self.geometry
        if not isinstance(shape, SpaceTime):
            return
        edges = [c for c in self.conditions if isinstance(c, BoundaryCondition)]
        free = {leaf for c in edges if isinstance(unforced(c), Free)
                for leaf in shape.resolve(c.part)}  # fmt: skip
        bare = [
            corner
            for corner, sides in shape.space.corners.items()
            if all(f"sides.{side}" in free for side in sides)
        ]
        if bare:
            warnings.warn(
                "between two free edges the corner force is prescribed as well; over time this is "
                f"not imposed: {', '.join(bare)}",
                ProblemWarning,
                stacklevel=4,
            )

    @property
    def order(self) -> int:
        """Order of the highest derivative in the residuals."""
        return self.pde.order

    @cached_property
    def forms(self) -> tuple[Ansatz, ...]:
        """The trial function of each field, with its hard and soft conditions."""
        fields = self.pde.fields
        return tuple(ansatz(self.geometry, self.conditions, f, fields) for f in fields)

    def missing_conditions(self) -> dict[str, int]:
        """Return how many conditions each part of the boundary lacks.

        An elliptic equation of order 2 m in one field needs m conditions on every part; for
        systems, odd orders and evolutions in time nothing is claimed.

        Examples
        --------
        >>> from sciml.equations import Dirichlet, Poisson
        >>> from sciml.geometry import Interval
        >>> one_end = [Dirichlet("u", "left")]
        >>> Problem(Interval(0, 1), Poisson(dimension=1), one_end).missing_conditions()
        {'right': 1}
        """
        if len(self.pde.fields) != 1 or self.order % 2 or TIME in self.pde.coordinates:
            return {}
        lacking = dict.fromkeys(self.geometry.resolve("boundary"), self.order // 2)
        for condition in self.conditions:
            if not isinstance(condition, BoundaryCondition):
                continue
            prescribed = [
                name
                for name, (_, quantity) in condition.prescribes.items()
                if quantity is not PrescribedQuantity.CORNER
            ]
            for leaf in self.geometry.resolve(condition.part):
                if leaf in lacking:
                    lacking[leaf] -= len(prescribed)
        return {leaf: count for leaf, count in lacking.items() if count > 0}

    def free_constants(self) -> tuple[str, ...]:
        """Return the name of a single field of which only derivatives occur.

        A constant may then be added to a solution; for systems nothing is claimed.

        Examples
        --------
        >>> from sciml.equations import Laplace, Neumann
        >>> from sciml.geometry import Rectangle
        >>> Problem(Rectangle(), Laplace(), [Neumann("u", "edges")]).free_constants()
        ('u',)
        """
        if len(self.pde.fields) != 1:
            return ()
        (field,) = self.pde.fields
        asked = [self.pde.residuals(), *(c.residuals(self.pde) for c in self.conditions)]
        for expression in (e for group in asked for e in group.values()):
            hidden = {d: sympy.Dummy() for d in expression.atoms(sympy.Derivative)}
            if expression.xreplace(hidden).has(field.func):
                return ()
        return (field.func.__name__,)

    def trial(self, network: Network) -> Trial:
        """Return the problem with a network in the place of its fields."""
        from .trial import Trial

        lower, upper = self.forms[0].embedding.box(*self.geometry.bounding_box)
        return Trial(self, network.on_box(lower, upper, len(self.pde.fields)))

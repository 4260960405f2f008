"""`CoupledSolution`: the solutions of sub-problems, each where its domain is."""

from __future__ import annotations

import html
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sciml.equations.exact.solution import ExactSolution
from sciml.framework.errors import DomainWarning, EquationError

from .comparison import FieldError
from .constraint import Array
from .plots import Grid, field_figure, line_figure
from .points import Points
from .solution import Solution, quantity_label
from .trial import residual_sizes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .coupled import CoupledTrial


@dataclass(frozen=True, repr=False)
class CoupledSolution:
    """Trained trial functions on domains that touch.

    Parameters
    ----------
    trial : CoupledTrial
        The sub-problems with their interfaces.
    solutions : Mapping of str to Solution
        The solution of each sub-problem, with all that a `Solution` can do.
    """

    trial: CoupledTrial
    solutions: Mapping[str, Solution]

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}: {solution!r}" for name, solution in self.solutions.items())
        return f"CoupledSolution({inside})"

    def __getitem__(self, name: str) -> Solution:
        """Return the solution of a sub-problem."""
        if name not in self.solutions:
            raise EquationError(
                f"no sub-problem {name!r}; known are {', '.join(self.solutions)}; a quantity is "
                "found by evaluate(name, X)"
            )
        return self.solutions[name]

    @property
    def identified(self) -> dict[str, float]:
        """Values of the unknown numbers that training found, after their sub-problem's name."""
        return {
            f"{name}.{letter}": value
            for name, solution in self.solutions.items()
            for letter, value in solution.identified.items()
        }

    def evaluate(self, name: str, X: Array) -> Array:
        """Return a quantity at points, shape (n, d), from the sub-problem they lie in.

        Points that two domains share take the first one's value; points in none, and in domains
        without the quantity, are NaN.

        Warns
        -----
        DomainWarning
            If there are such points.
        """
        owners = self._owners(name, X)
        values = np.full(len(X), np.nan)
        for number, solution in enumerate(self.solutions.values()):
            here = owners == number
            if here.any():
                values[here] = solution.evaluate([name], X[here])[name]
        outside = int((owners < 0).sum())
        if outside:
            warnings.warn(
                f"{name}: {outside} of {len(X)} points lie in no domain that has it; they are NaN",
                DomainWarning,
                stacklevel=2,
            )
        return values

    def _holders(self, name: str) -> list[str]:
        """Return the sub-problems that have a quantity, refusing one that none has."""
        those = [n for n, solution in self.solutions.items() if name in solution.names]
        if not those:
            listed = sorted({n for s in self.solutions.values() for n in s.names})
            raise EquationError(f"no quantity {name!r}; known are {', '.join(listed)}")
        return those

    def _owners(self, name: str, X: Array) -> Array:
        """Return for each point the number of the sub-problem it is taken from, -1 for none."""
        owners = np.full(len(X), -1)
        those = self._holders(name)
        for number, (label, solution) in enumerate(self.solutions.items()):
            if label in those:
                inside = solution.trial.problem.geometry.contains(X)
                owners[(owners < 0) & inside] = number
        return owners

    def errors(
        self, references: Mapping[str, ExactSolution], size: int = 101
    ) -> dict[str, FieldError]:
        """Compare quantities with known solutions of sub-problems, after their names."""
        return {
            f"{name}.{quantity}": error
            for name, reference in references.items()
            for quantity, error in self[name].errors(reference, size).items()
        }

    def residual(self, count: int = 1000, seed: int = 1) -> dict[str, float]:
        """Return the root mean square of each residual, over its scale, on fresh points."""
        parameters = {name: solution.parameters for name, solution in self.solutions.items()}
        fresh = Points(count, count, "random")
        return residual_sizes(self.trial.constraints(fresh, seed, {}), parameters)

    def plot(self, name: str, size: int = 151) -> Figure:
        """Return a figure of a quantity over all domains that have it."""
        those = [self.solutions[n] for n in self._holders(name)]
        label, unit = quantity_label(name), those[0][name].unit
        title = f"{', '.join(self.solutions)}: {label}"
        grids = [s.trial.problem.geometry for s in those]
        dimension = grids[0].dimension
        lower = np.min([g.bounding_box[0] for g in grids], axis=0)
        upper = np.max([g.bounding_box[1] for g in grids], axis=0)
        if dimension == 1:
            X = np.linspace(lower, upper, size)
            values = self.evaluate(name, X)
            return line_figure(X[:, 0], values, title, f"{label} [{unit}]", None,
                               those[0].coordinates[0])  # fmt: skip
        if dimension > 2:
            raise EquationError(f"plot: only one or two coordinates, the problem has {dimension}")
        first, second = those[0].coordinates
        grid = Grid.over(
            (lower, upper), size, (first, second),
            lambda X: np.min([np.asarray(g.signed_distance(X)) for g in grids], axis=0),
        )  # fmt: skip
        return field_figure(grid, self.evaluate(name, grid.points), title, f"{label} [{unit}]")

    def _repr_html_(self) -> str:
        """Return the summaries of the sub-problems, and how well the interfaces hold."""
        parts = [
            f"<h4>{html.escape(name)}</h4>{solution._repr_html_()}"
            for name, solution in self.solutions.items()
        ]
        found = self.residual()
        rows = "".join(
            f"<tr><td>{html.escape(joint.name)}</td><td>{found[joint.name]:.1e}</td></tr>"
            for joint in self.trial.joints
        )
        return "".join(parts) + f"<h4>interfaces</h4><table>{rows}</table>"

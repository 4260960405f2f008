"""How the error against a known solution falls with the size of the network or its points."""

from __future__ import annotations

import html
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sciml.equations.exact.solution import ExactSolution
from sciml.framework.errors import ConfigError
from sciml.problem.comparison import FieldError
from sciml.problem.solution import Solution

from .solver import Solver

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Convergence:
    """Errors of solutions of rising size, and the orders they fall with.

    The order between two sizes n_1 and n_2 is log(e_1/e_2) / log(n_2/n_1), by which the error e
    falls as n^(-order). It prints as a table, and is one with a figure in a notebook.

    Parameters
    ----------
    sizes : tuple of int
        Sizes in rising order.
    errors : Mapping of str to tuple of FieldError
        Errors of each quantity, one for each size.
    label : str
        What the sizes are.
    """

    sizes: tuple[int, ...]
    errors: Mapping[str, tuple[FieldError, ...]]
    label: str = "size"

    @property
    def orders(self) -> dict[str, tuple[float, ...]]:
        """Orders of the relative L2 errors between neighbouring sizes, by quantity."""
        return {
            name: tuple(
                _order(m, n, a.relative_l2, b.relative_l2)
                for m, n, a, b in zip(self.sizes, self.sizes[1:], row, row[1:], strict=False)
            )
            for name, row in self.errors.items()
        }

    def table(self) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
        """Return the header, and a row for each size: an error and an order by quantity."""
        header = (self.label, *(word for name in self.errors for word in (name, "order")))
        rows = []
        for k, size in enumerate(self.sizes):
            row = [str(size)]
            for name, errors in self.errors.items():
                order = f"{self.orders[name][k - 1]:.1f}" if k else ""
                row += [f"{errors[k].relative_l2:.1e}", order]
            rows.append(tuple(row))
        return header, rows

    def __str__(self) -> str:
        header, rows = self.table()
        widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
        lines = [
            "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
            for row in (header, *rows)
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        header, rows = self.table()
        head = "".join(f"<th>{html.escape(word)}</th>" for word in header)
        body = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
            for row in rows
        )
        caption = "relative L2 errors, and the orders they fall with"
        return f"<table><caption>{caption}</caption><tr>{head}</tr>{body}</table>"

    def plot(self) -> Figure:
        """Return the errors over the sizes, on logarithmic axes."""
        from sciml.problem.plots import convergence_figure

        errors = {name: [e.relative_l2 for e in row] for name, row in self.errors.items()}
        return convergence_figure(self.sizes, errors, f"{self.label} [-]")


def convergence(
    solver: Callable[[int], Solver[Solution]],
    sizes: Sequence[int],
    exact: ExactSolution,
    label: str = "size",
) -> Convergence:
    """Solve a problem at several sizes and compare each solution with a known one.

    Parameters
    ----------
    solver : function
        The solver for a size, such as the width of its network or the number of its points.
    sizes : sequence of int
        At least two, rising.
    exact : ExactSolution
        Solution of the same problem, known or manufactured.
    label : str
        What the sizes are, for the table and the figure.

    Returns
    -------
    Convergence
        Errors and observed orders of the fields and derived quantities.

    Raises
    ------
    ConfigError
        If there are fewer than two sizes or they do not rise.

    Notes
    -----
    The error of a trained network need not fall steadily: it is the sum of what the network cannot
    represent, of points that are missing and of training that is not finished.

    Examples
    --------
    >>> from sciml import LBFGS, MLP, Points, Problem, Solver
    >>> from sciml.equations import Dirichlet, Poisson
    >>> from sciml.equations.exact import manufacture
    >>> from sciml.geometry import Interval
    >>> case = manufacture(Poisson(dimension=1), {"u": "sin(3*x)"})
    >>> line = Interval(0, 1)
    >>> ends = case.conditions(line, [Dirichlet("u", "boundary")])
    >>> problem = Problem(line, case.pde, ends)
    >>> report = convergence(
    ...     lambda width: Solver(
    ...         problem, MLP(hidden=(width,)), [LBFGS(150)], Points(40, 1), dtype="float64"
    ...     ),
    ...     (2, 8),
    ...     case,
    ...     "width",
    ... )
    >>> report.orders["u"][0] > 1
    True
    """
    sizes = tuple(sizes)
    if len(sizes) < 2 or any(b <= a for a, b in itertools.pairwise(sizes)):
        raise ConfigError(
            f"convergence: expected at least two sizes that rise, got {sizes}; give (8, 16, 32)"
        )
    found = [solver(size).solve().errors(exact) for size in sizes]
    errors = {name: tuple(row[name] for row in found) for name in found[0]}
    return Convergence(sizes, errors, label)


def _order(m: int, n: int, before: float, after: float) -> float:
    if before <= 0.0 or after <= 0.0:
        return math.nan
    return math.log(before / after) / math.log(n / m)

"""`Solution`: fields and derived quantities to evaluate, plot and compare."""

from __future__ import annotations

import base64
import html
import io
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from sciml.equations.exact.solution import ExactSolution
from sciml.equations.sourced import unsourced
from sciml.framework.errors import DomainWarning, EquationError, OutputError
from sciml.networks import Parameters, parameter_count

from .comparison import FieldError, compare, require_same_equation
from .constraint import Array
from .export import dataset, vtk_files
from .film import film
from .plots import Grid, field_figure, line_figure
from .points import Points
from .report import Report
from .scales import Scales
from .slices import MOST, Slice, slice_of
from .trial import Trial, double, residual_sizes
from .windows import WindowedTrial

if TYPE_CHECKING:
    from matplotlib.animation import FuncAnimation
    from matplotlib.figure import Figure
    from xarray import Dataset

_FRESH_POINTS = 1000


@dataclass(frozen=True)
class Quantity:
    """A field or derived quantity of a solution, called with coordinates.

    Parameters
    ----------
    solution : Solution
        Where it comes from.
    name : str
        Which one.
    """

    solution: Solution
    name: str

    @property
    def unit(self) -> str:
        """Its SI unit."""
        return self.solution.trial.units[self.name]

    def __call__(self, *coordinates: Any) -> Array:
        """Return values at coordinates, which are broadcast against each other.

        Parameters
        ----------
        *coordinates : array or float
            One per coordinate of the problem, such as x and y [m].
        """
        X, shape = self.points(*coordinates)
        return self.solution.evaluate([self.name], X)[self.name].reshape(shape)

    def points(self, *coordinates: Any) -> tuple[Array, tuple[int, ...]]:
        """Return the points at coordinates, shape (n, d), and the shape of values there.

        Warns
        -----
        DomainWarning
            If some lie outside the domain.
        """
        expected = self.solution.trial.problem.geometry.dimension
        if len(coordinates) != expected:
            raise EquationError(f"{self.name} takes {expected} coordinates, got {len(coordinates)}")
        arrays = np.broadcast_arrays(*(np.asarray(c, dtype=np.float64) for c in coordinates))
        X = np.stack([a.ravel() for a in arrays], axis=1)
        self._warn_outside(X)
        return X, arrays[0].shape

    def _warn_outside(self, X: Array) -> None:
        """Nothing was required of the trial function outside; its values there mean nothing."""
        geometry = self.solution.trial.problem.geometry
        lower, upper = (np.asarray(c) for c in geometry.bounding_box)
        slack = 1e-9 * float((upper - lower).max())
        outside = np.asarray(geometry.signed_distance(X)) > slack
        if outside.any():
            first = ", ".join(f"{c:g}" for c in X[outside][0])
            warnings.warn(
                f"{self.name}: {int(outside.sum())} of {len(X)} points lie outside the domain, "
                f"the first at ({first}); values there mean nothing",
                DomainWarning,
                stacklevel=4,
            )


@dataclass(frozen=True, repr=False)
class Solution:
    """A trained trial function.

    Parameters
    ----------
    trial : Trial or WindowedTrial
        Problem, network and scales.
    parameters : Parameters
        Trained parameters of the network.
    report : Report or None
        How it was found and how sure it is, of `sciml.solve`.

    Examples
    --------
    ``solution["M_x"](0.5, 0.5)``, ``solution.plot("M_x")``, ``solution.errors(SinePlate())``.
    """

    trial: Trial | WindowedTrial
    parameters: Parameters
    report: Report | None = None

    def __repr__(self) -> str:
        problem = self.trial.problem
        return (
            f"Solution({type(problem.pde).__name__} on {problem.geometry}, "
            f"{parameter_count(self.parameters)} parameters: {', '.join(self.names)})"
        )

    @property
    def names(self) -> list[str]:
        """Names of the fields, then of the derived quantities."""
        return list(self.trial.quantities)

    @property
    def identified(self) -> dict[str, float]:
        """Values of the unknown numbers that training found, by name."""
        numbers = self.trial.numbers(double(self.parameters))
        return {name: float(value) for name, value in numbers.items()}

    @property
    def scales(self) -> Scales:
        """The sizes by which fields and residuals were made of order one."""
        return self.trial.scales

    def __getitem__(self, name: str) -> Quantity:
        """Return a field or derived quantity by name."""
        if name not in self.trial.quantities:
            raise EquationError(f"no quantity {name!r}; known are {', '.join(self.names)}")
        return Quantity(self, name)

    def evaluate(self, names: list[str], X: Array) -> dict[str, Array]:
        """Return quantities at X of shape (n, d) [m], each of shape (n,), in float64."""
        return self.trial.evaluate(double(self.parameters), names, np.asarray(X, dtype=float))

    @property
    def coordinates(self) -> list[tuple[str, str]]:
        """Names and units of the coordinates."""
        pde = self.trial.problem.pde
        units = pde.units()
        return [(c.name, units[c.name]) for c in pde.coordinates]

    def points(self, size: int) -> Array:
        """Return the points of comparison, shape (n, d).

        With one or two coordinates a grid of ``size`` points along the longer side, boundary
        included; with more as many points inside as a square grid has, evenly spread.
        """
        geometry = self.trial.problem.geometry
        if geometry.dimension <= MOST:
            return self._along(slice_of(self._names, geometry.bounding_box, {}), size)[0]
        return geometry.sample_interior(size**2)

    @property
    def _names(self) -> list[str]:
        return [name for name, _ in self.coordinates]

    def _along(self, chosen: Slice, size: int) -> tuple[Array, Grid | None]:
        """Return points of a slice that lie in the domain, and their grid if it is a plane."""
        geometry = self.trial.problem.geometry
        lower, upper = chosen.box(geometry.bounding_box)
        if len(chosen.drawn) == 1:
            X = chosen.lift(np.linspace(lower, upper, size))
            return X[geometry.contains(X)], None
        first, second = (self.coordinates[i] for i in chosen.drawn)
        grid = Grid.over(
            (lower, upper), size, (first, second),
            lambda Y: np.asarray(geometry.signed_distance(chosen.lift(Y))),
        )  # fmt: skip
        return chosen.lift(grid.points), grid

    def errors(self, reference: ExactSolution, size: int = 101) -> dict[str, FieldError]:
        """Compare all quantities with a known solution.

        Parameters
        ----------
        reference : ExactSolution
            A solution of the same equation; another equation is refused.
        size : int
            Points along the longer side of the grid, >= 2.

        Returns
        -------
        dict of str to FieldError
            Relative L2 and largest absolute error by name.
        """
        if not self.trial.coefficients:  # what was found differs from what is exact
            require_same_equation(self.trial.problem.pde, reference.pde)
        X = self.points(size)
        expected = reference(X)
        names = [n for n in self.names if n in expected]
        return compare(self.evaluate(names, X), expected, type(reference).__name__)

    def residual(self, count: int = _FRESH_POINTS, seed: int = 1) -> dict[str, float]:
        """Return the root mean square of each residual, over its scale, on fresh points.

        An estimate of quality that needs no reference; the points differ from the training
        points when the seed does.
        """
        fresh = Points(count, count, "random")
        return residual_sizes(self.trial.constraints(fresh, seed, {}), self.parameters)

    def plot(
        self,
        name: str,
        reference: ExactSolution | None = None,
        size: int = 151,
        at: Mapping[str, float] | None = None,
    ) -> Figure:
        """Return a figure of a quantity, beside its error where a reference is given.

        Parameters
        ----------
        name : str
            Field or derived quantity.
        reference : ExactSolution or None
            A known solution.
        size : int
            Points along the longer side.
        at : Mapping of str to float, or None
            Values of coordinates that do not vary, such as ``{"z": 0, "t": 0.1}``; of more than
            two that are left, the first two are drawn at the end of time and in the middle of the
            others.
        """
        quantity, names = self[name], self._names
        box = self.trial.problem.geometry.bounding_box
        chosen = slice_of(names, box, at or {})
        label = f"{quantity_label(name)} [{quantity.unit}]"
        title = f"{type(unsourced(self.trial.problem.pde)).__name__}: {quantity_label(name)}"
        places = [f"${n}$ = {chosen.fixed[i]:g}" for i, n in enumerate(names)
                  if i not in chosen.drawn]  # fmt: skip
        title += f" at {', '.join(places)}" if places else ""
        X, grid, values = self._shot(name, size, chosen)
        exact = None if reference is None else np.asarray(reference(X)[name])
        if grid is None:
            (i,) = chosen.drawn
            return line_figure(X[:, i], values, title, label, exact, self.coordinates[i])
        return field_figure(grid, values, title, label, exact)

    def shot(
        self, name: str, size: int, at: Mapping[str, float]
    ) -> tuple[Array, Grid | None, Array]:
        """Return what `plot` draws: places along a line or a grid, and the values there.

        Parameters
        ----------
        name, size, at
            As of `plot`.
        """
        chosen = slice_of(self._names, self.trial.problem.geometry.bounding_box, at)
        X, grid, values = self._shot(name, size, chosen)
        return X[:, chosen.drawn[0]], grid, values

    def _shot(self, name: str, size: int, chosen: Slice) -> tuple[Array, Grid | None, Array]:
        X, grid = self._along(chosen, size)
        if not len(X):
            fixed = [f"{n} = {chosen.fixed[i]:g}" for i, n in enumerate(self._names)
                     if i not in chosen.drawn]  # fmt: skip
            raise EquationError(f"plot: the domain has no points at {', '.join(fixed)}")
        return X, grid, self.evaluate([name], X)[name]

    def animate(
        self,
        name: str,
        times: int = 41,
        size: int = 101,
        at: Mapping[str, float] | None = None,
    ) -> FuncAnimation:
        """Return pictures of a quantity over time.

        Parameters
        ----------
        name : str
            Field or derived quantity.
        times : int
            Number of pictures from the first to the last time, >= 2.
        size : int
            Points along the longer side.
        at : Mapping of str to float, or None
            Values of coordinates that do not vary, as of `plot`.

        Raises
        ------
        EquationError
            If the problem has no time t.

        Examples
        --------
        ``solution.animate("u").save("u.gif")``; in a notebook ``HTML(film.to_jshtml())`` shows it.
        """
        return film(self, name, times, size, at or {})

    def to_xarray(self, size: int = 51) -> Dataset:
        """Return all quantities on the regular grid of the box around the domain, NaN outside.

        Parameters
        ----------
        size : int
            Points along every coordinate, >= 2.

        Raises
        ------
        MissingPackageError
            When xarray is not installed (``pip install "sciml[xarray]"``).
        EquationError
            When the grid would have more than ten million points.
        """
        return dataset(self, size)

    def to_vtk(self, path: str | Path, size: int | None = None, times: int = 21) -> list[Path]:
        """Write all quantities for ParaView and return the files.

        Parameters
        ----------
        path : str or Path
            A file that ends in ``.vtu``, or in ``.pvd`` where the problem has a time t: then one
            ``.vtu`` file for each time lies beside it.
        size : int or None
            Points along the longest side, >= 2; None chooses 1001, 101 or 41 in 1, 2 or 3
            dimensions.
        times : int
            Number of equal times from the first to the last, >= 2.

        Raises
        ------
        EquationError
            With more than three coordinates besides time, another ending, or too few points.
        OutputError
            When a file cannot be written.
        """
        path = Path(path)
        written = []
        for name, content in vtk_files(self, path.name, size, times).items():
            try:
                path.with_name(name).write_bytes(content)
            except OSError as error:
                raise OutputError(
                    f"{path.with_name(name)}: cannot be written: {error.strerror}"
                ) from error
            written.append(path.with_name(name))
        return written

    def _repr_html_(self) -> str:
        """Return a summary with a picture of the first field, for a notebook."""
        problem = self.trial.problem
        rows: Mapping[str, str] = {
            "equation": type(problem.pde).__name__,
            "geometry": str(problem.geometry),
            "conditions": ", ".join(f"{type(c).__name__}({c.where})" for c in problem.conditions),
            "parameters": str(parameter_count(self.parameters)),
            "quantities": ", ".join(self.names),
            "relative residual": ", ".join(f"{k} {v:.1e}" for k, v in self.residual().items()),
        }
        found = ", ".join(f"{name} = {value:.6g}" for name, value in self.identified.items())
        if found:
            rows = {**rows, "identified": found}
        if self.report is not None:
            first, errors, *_ = str(self.report).splitlines()
            rows = {**rows, "found": first, "": errors.strip()}
        cells = "".join(
            f"<tr><th style='text-align:left'>{k}</th><td>{html.escape(v)}</td></tr>"
            for k, v in rows.items()
        )
        return f"<table>{cells}</table>{self._html_picture()}"

    def _html_picture(self) -> str:
        try:
            picture = self.plot(self.names[0])
        except EquationError:  # the middle of the box is not in every domain
            return ""
        stream = io.BytesIO()
        picture.savefig(stream, format="png", dpi=90)
        data = base64.b64encode(stream.getvalue()).decode()
        return f'<img alt="{html.escape(self.names[0])}" src="data:image/png;base64,{data}">'


def quantity_label(name: str) -> str:
    """Return the symbol of a quantity for a figure, with what follows a first _ as its index."""
    head, _, tail = name.partition("_")
    return rf"${head}_{{{tail}}}$" if tail else f"${head}$"

"""The interface of a shape, and what follows from it for all shapes."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np

from sciml.framework.errors import GeometryError

from . import boundary, parts, sampling
from .boundary import BoundaryPoints
from .membership import Membership, by_distance
from .motion import Motion
from .pieces import Piece
from .quadrature import Quadrature
from .samplers import images

if TYPE_CHECKING:
    import sympy

    from sciml.picture import Picture

    from .space_time import SpaceTime

Array = np.ndarray


class Geometry(ABC):
    """A bounded region of R^d with named boundary parts.

    A shape states its pieces of boundary, its signed distance and a map of the unit cube onto
    itself; naming of parts, sampling and integration over the boundary follow here.
    """

    @property
    @abstractmethod
    def dimension(self) -> int:
        """Dimension d of the space."""

    @property
    @abstractmethod
    def measure(self) -> float:
        """Length, area or volume [m^d]."""

    @property
    @abstractmethod
    def bounding_box(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Lower and upper corner of a box around the shape [m]; the smallest unless stated."""

    @property
    @abstractmethod
    def pieces(self) -> Mapping[str, Piece]:
        """Pieces of the boundary under their dotted names, counter-clockwise where d = 2."""

    @property
    @abstractmethod
    def corners(self) -> Mapping[str, tuple[str, str]]:
        """Corners, each with the part that ends there and the part that begins there."""

    @abstractmethod
    def signed_distance(self, X: Any) -> Any:
        """Return the distance to the boundary [m], negative inside.

        Parameters
        ----------
        X
            Points, shape (n, d) [m]; a NumPy array or a traced tensor.

        Returns
        -------
        array
            Shape (n,), of the same kind as X.
        """

    @abstractmethod
    def from_unit_cube(self, unit: Array) -> Array:
        """Map points of the open unit cube, shape (n, d), evenly over the shape.

        Volume ratios are kept. A shape without such a map covers its bounding box instead; the
        points that fall outside are then left out by `sample_interior`.
        """

    @abstractmethod
    def quadrature(self, n: int) -> Quadrature:
        """Return a rule exact for polynomials of degree 2 n - 1, with about n^d points.

        Raises
        ------
        GeometryError
            If the shape has no such rule.
        """

    @abstractmethod
    def _factor(self, leaves: Sequence[str], coordinates: Sequence[sympy.Symbol]) -> sympy.Expr:
        """Return the factor of `boundary_factor` for parts that are all of positive measure."""

    @abstractmethod
    def _extension(
        self, values: Mapping[str, sympy.Expr], coordinates: Sequence[sympy.Symbol]
    ) -> sympy.Expr:
        """Return the function of `boundary_extension` for leaves whose values differ."""

    @final
    def __or__(self, other: Geometry) -> Geometry:
        """Return the `Union` with another shape."""
        from .combinations import Union

        return Union(self, other)

    @final
    def __and__(self, other: Geometry) -> Geometry:
        """Return the `Intersection` with another shape."""
        from .combinations import Intersection

        return Intersection(self, other)

    @final
    def __sub__(self, other: Geometry) -> Geometry:
        """Return the `Difference`: this shape without another one."""
        from .combinations import Difference

        return Difference(self, other)

    @final
    def translate(self, *shift: float) -> Geometry:
        """Return the shape shifted by one length for each coordinate [m]."""
        from .moved import Moved

        return Moved(self, Motion.translation(shift))

    @final
    def rotate(
        self,
        angle: float,
        about: tuple[float, ...] | None = None,
        axis: tuple[float, ...] = (0.0, 0.0, 1.0),
    ) -> Geometry:
        """Return the shape turned counter-clockwise.

        Parameters
        ----------
        angle
            Angle [rad].
        about
            A point that stays [m]; by default the origin.
        axis
            In space, the direction of the axis through that point.
        """
        from .moved import Moved

        return Moved(self, Motion.rotation(angle, self._place(about), axis))

    @final
    def scale(self, factor: float, about: tuple[float, ...] | None = None) -> Geometry:
        """Return the shape with all distances to a point, by default the origin, multiplied."""
        from .moved import Moved

        return Moved(self, Motion.scaling(factor, self._place(about)))

    @final
    def mirror(self, normal: tuple[float, ...], point: tuple[float, ...] | None = None) -> Geometry:
        """Return the mirror image across the line, or plane, through a point with a normal.

        Parameters
        ----------
        normal
            Any vector along the normal.
        point
            By default the origin [m].
        """
        from .moved import Moved

        return Moved(self, Motion.reflection(normal, self._place(point)))

    @final
    def repeat(self, count: int, shift: tuple[float, ...]) -> Geometry:
        """Return the union of the shape and count - 1 copies, each shifted from the one before.

        Copies may overlap or touch. Parts are numbered as in `Union`: the part ``circle`` of the
        copies is ``circle.0``, ``circle.1``, ...

        Raises
        ------
        GeometryError
            If the count is not a positive integer or the shift is zero.

        Examples
        --------
        >>> from sciml.geometry import Disk
        >>> Disk((0, 0), 1).repeat(3, (4, 0)).resolve("circle")
        ('circle.0', 'circle.1', 'circle.2')
        """
        from .moved import repeated

        return repeated(self, count, shift)

    @final
    def rename(self, names: Mapping[str, str]) -> Geometry:
        """Return the shape with new names for parts or groups; see `Renamed`."""
        from .renamed import Renamed

        return Renamed(self, names)

    @final
    def with_part(
        self, part: str, where: Geometry | Callable[[Array], Array], within: str = "boundary"
    ) -> Geometry:
        """Return the shape with a further part where the boundary lies in a region; see `Divided`.

        Parameters
        ----------
        part
            Name of the part.
        where
            Another shape, or a function of points (n, 2) [m] that returns where it is.
        within
            Part it is cut out of.
        """
        from .divided import Divided

        return Divided(self, part, where, within)

    @final
    def _place(self, point: tuple[float, ...] | None) -> tuple[float, ...]:
        return (0.0,) * self.dimension if point is None else point

    @final
    @property
    def parts(self) -> tuple[str, ...]:
        """All valid part names: ``boundary``, groups such as ``edges``, and leaves."""
        return tuple(parts.groups(self.pieces))

    @final
    def resolve(self, part: str) -> tuple[str, ...]:
        """Return the leaf parts a name stands for.

        Raises
        ------
        GeometryError
            If there is no such part; the message names the nearest valid one.
        """
        return parts.resolve(part, self.pieces, type(self).__name__)

    @final
    def boundary_measure(self, part: str = "boundary") -> float:
        """Return the measure of a part [m^(d-1)]; an end of an interval counts 1, a corner 0."""
        return math.fsum(self.pieces[leaf].measure for leaf in self.resolve(part))

    @final
    def contains(self, X: Array) -> Array:
        """Return for each point, shape (n, d), whether it lies inside or on the boundary."""
        points = np.asarray(X, dtype=float)
        if points.ndim != 2 or points.shape[1] != self.dimension:
            raise GeometryError(
                f"{type(self).__name__}: points must have shape (n, {self.dimension}), "
                f"got {points.shape}"
            )
        if isinstance(self, Membership):
            return self.holds(points)
        return by_distance(self.signed_distance, points)

    @final
    def sample_interior(self, n: int, sampler: str = "halton", seed: int = 0) -> Array:
        """Return exactly n points inside.

        Where the map of the unit cube leaves the shape, the same sequence is drawn further until
        n points are inside; a grid is refined instead.

        Parameters
        ----------
        n
            Number of points, at least 1.
        sampler
            A name in `SAMPLERS`.
        seed
            Non-negative integer; the same seed gives the same points.

        Returns
        -------
        Array
            Shape (n, d) [m].

        Raises
        ------
        GeometryError
            If the sampler is unknown, n is below 1, or the shape fills too little of its box.
        """
        box = self.bounding_box
        extents = tuple(b - a for a, b in zip(*box, strict=True))

        def inside(unit: Array) -> Array:
            points = self.from_unit_cube(unit)
            return np.asarray(points[self.contains(points)])

        return images(sampler, n, extents, seed, 0, inside, f"{type(self).__name__} in {box}")

    @final
    def sample_boundary(
        self, part: str = "boundary", n: int = 1, sampler: str = "halton", seed: int = 0
    ) -> BoundaryPoints:
        """Return exactly n points of a part, shared between its pieces by measure.

        Parameters
        ----------
        part
            A name in `parts`.
        n
            Number of points, at least 1. A vertex is repeated where its share is above one; its
            curvature is the angle by which the normal turns there [rad].
        sampler
            A name in `SAMPLERS`.
        seed
            Non-negative integer; the same seed gives the same points.

        Raises
        ------
        GeometryError
            If the part or sampler is unknown or n is below 1.
        """
        return sampling.boundary_points(self, part, n, sampler, seed)

    @final
    def boundary_quadrature(self, part: str = "boundary", n: int = 8) -> BoundaryPoints:
        """Return a rule on each piece of a part, with about n points along each parameter.

        Exact for polynomials of degree 2 n - 1 on straight pieces.

        Raises
        ------
        GeometryError
            If the part is unknown, n is not a positive integer, or a piece has no rule.
        """
        return boundary.join([self.pieces[leaf].rule(n, part) for leaf in self.resolve(part)], part)

    @final
    def rim(self, part: str) -> Array:
        """Return points where the pieces of a part end, shape (n, d) [m], to see what they meet."""
        return np.concatenate([self.pieces[leaf].rim() for leaf in self.resolve(part)])

    @final
    def boundary_factor(
        self,
        part: str | Iterable[str] = "boundary",
        coordinates: Sequence[sympy.Symbol] | None = None,
    ) -> sympy.Expr:
        """Return a smooth function that is zero exactly on parts and positive inside.

        It behaves like the distance near the parts: its derivative along the inward normal is one
        where a polynomial allows it.

        Parameters
        ----------
        part
            Name, or names; overlaps count once.
        coordinates
            Symbols; by default x, y, z as far as they go, and x1, x2, ... where d > 3.

        Raises
        ------
        GeometryError
            If a part is unknown or is a corner.
        """
        names = (part,) if isinstance(part, str) else tuple(part)
        chosen = {leaf for name in names for leaf in self.resolve(name)}
        self._check_wide(chosen)
        ordered = [leaf for leaf in self.pieces if leaf in chosen]
        return self._factor(ordered, self._symbols(coordinates))

    @final
    def boundary_extension(
        self,
        values: Mapping[str, sympy.Expr],
        coordinates: Sequence[sympy.Symbol] | None = None,
    ) -> sympy.Expr:
        """Return a smooth function on the shape that takes given values on parts.

        Parameters
        ----------
        values
            Expression in the coordinates for each part; a part may be named once.
        coordinates
            Symbols; by default x, y, z as far as they go, and x1, x2, ... where d > 3.

        Raises
        ------
        GeometryError
            If a part is unknown, is a corner or is named twice, or values jump at a corner.
        """
        import sympy

        by_leaf: dict[str, sympy.Expr] = {}
        for name, value in values.items():
            for leaf in self.resolve(name):
                if leaf in by_leaf:
                    raise GeometryError(f"{type(self).__name__}: {leaf!r} is given two values")
                by_leaf[leaf] = sympy.sympify(value)
        self._check_wide(by_leaf)
        if len(set(by_leaf.values())) <= 1:
            return next(iter(by_leaf.values()), sympy.Integer(0))
        return self._extension(by_leaf, self._symbols(coordinates))

    @final
    def over_time(self, end: float, start: float = 0.0) -> SpaceTime:
        """Return the shape over an interval of time.

        Parameters
        ----------
        end, start
            Times [s], start < end.

        Examples
        --------
        >>> from sciml.geometry import Interval
        >>> Interval(0, 1).over_time(2).resolve("boundary")
        ('sides.left', 'sides.right', 'initial', 'final')
        """
        from .space_time import SpaceTime

        return SpaceTime(self, end, start)

    @final
    def plot(self, normals: bool = False) -> Picture:
        """Return a picture with the parts in colours and by name, for one to three coordinates.

        Parameters
        ----------
        normals
            Whether to draw outward normals at some points.

        Raises
        ------
        GeometryError
            If the shape has more than three coordinates.

        Examples
        --------
        ``Disk().plot(normals=True).savefig("disk.png")``
        """
        from .drawing import figure

        return figure(self, normals)

    @final
    def _repr_png_(self) -> bytes | None:
        """Return the picture for a notebook, which shows the text where there is none."""
        return self.plot()._repr_png_() if self.dimension <= 3 else None

    @final
    def _check_wide(self, leaves: Iterable[str]) -> None:
        for leaf in leaves:
            if self.pieces[leaf].measure == 0:
                raise GeometryError(
                    f"{type(self).__name__}: {leaf!r} is a corner; no smooth factor vanishes there "
                    f"and nowhere else, name an edge (one of {self.resolve('boundary')})"
                )

    @final
    def _symbols(self, coordinates: Sequence[sympy.Symbol] | None) -> tuple[sympy.Symbol, ...]:
        import sympy

        if coordinates is None:
            d = self.dimension
            return tuple(
                map(sympy.Symbol, "xyz"[:d] if d <= 3 else [f"x{i + 1}" for i in range(d)])
            )
        if len(coordinates) != self.dimension:
            raise GeometryError(
                f"{type(self).__name__} lies in {self.dimension} coordinates, "
                f"got {len(coordinates)}: {tuple(coordinates)}"
            )
        return tuple(coordinates)

"""Point sets in the open unit cube: quasi-random, random, and even grids of any count."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from sciml.framework.errors import GeometryError

Array = np.ndarray
Generator = np.random.Generator
Extents = tuple[float, ...]

# Keeps points off the faces of the cube, so that rounding never carries one outside the shape.
MARGIN = 2.0**-40
# Points drawn for one point inside before a shape counts as empty.
MOST_TRIES = 10_000


def _halton(count: int, extents: Extents, random: Generator) -> Array:
    from scipy.stats import qmc

    return np.asarray(qmc.Halton(len(extents), scramble=True, seed=random).random(count))


def _sobol(count: int, extents: Extents, random: Generator) -> Array:
    from scipy.stats import qmc

    # The balance of the sequence holds for powers of two, so draw one and keep the first points.
    engine = qmc.Sobol(len(extents), scramble=True, seed=random)
    return np.asarray(engine.random_base2(math.ceil(math.log2(count))))[:count]


def _latin_hypercube(count: int, extents: Extents, random: Generator) -> Array:
    from scipy.stats import qmc

    return np.asarray(qmc.LatinHypercube(len(extents), seed=random).random(count))


def _hammersley(count: int, extents: Extents, random: Generator) -> Array:
    """Return i / count shifted at random, with a scrambled Halton sequence in the other axes.

    References
    ----------
    Hammersley (1960), Monte Carlo methods for solving multivariable problems, section 3.
    """
    first = (np.arange(count)[:, None] + random.random()) / count
    if len(extents) == 1:
        return first
    return np.concatenate([first, _halton(count, extents[1:], random)], axis=1)


def _random(count: int, extents: Extents, random: Generator) -> Array:
    return random.random((count, len(extents)))


def _grid(count: int, extents: Extents, random: Generator) -> Array:
    """Return the centres of cells."""
    corners, sizes = _cells(count, extents)
    return corners + sizes / 2


def _cells(count: int, extents: Extents) -> tuple[Array, Array]:
    """Return corners and sizes of cells of equal volume, in rows of almost equal count.

    Each row is as high as its share of the cells.
    """
    if len(extents) == 1:
        return (np.arange(count) / count)[:, None], np.full((count, 1), 1 / count)
    spacing = (math.prod(extents) / count) ** (1 / len(extents))
    rows = min(count, max(1, round(extents[0] / spacing)))
    counts = np.diff(np.arange(rows + 1) * count // rows)
    ends = np.cumsum(counts) / count
    starts = ends - counts / count
    corners, sizes = [], []
    for start, end, cells in zip(starts, ends, counts, strict=True):
        corner, size = _cells(int(cells), extents[1:])
        first = np.full((len(corner), 1), start)
        corners.append(np.concatenate([first, corner], axis=1))
        sizes.append(np.concatenate([np.full_like(first, end - start), size], axis=1))
    return np.concatenate(corners), np.concatenate(sizes)


def _stratified(count: int, extents: Extents, random: Generator) -> Array:
    """Return one random point in each cell of the grid."""
    corners, sizes = _cells(count, extents)
    return corners + sizes * random.random(corners.shape)


Sampler = Callable[[int, Extents, Generator], Array]
Image = Callable[[Array], Array]

SAMPLERS: Mapping[str, Sampler] = MappingProxyType(
    {
        "grid": _grid,
        "halton": _halton,
        "hammersley": _hammersley,
        "latin_hypercube": _latin_hypercube,
        "random": _random,
        "sobol": _sobol,
        "stratified": _stratified,
    }
)

# Point sets listed along their first axis: the first few alone would cover one end of it.
ORDERED = frozenset({"grid", "hammersley", "stratified"})


def chosen(sampler: str, points: Array, count: int) -> Array:
    """Return `count` of the points: the first ones, or evenly spread ones of an ordered set."""
    if sampler in ORDERED:
        return points[(np.arange(count) * len(points) + len(points) // 2) // count]
    return points[:count]


def images(
    sampler: str, n: int, extents: Extents, seed: int, stream: int, image: Image, where: str
) -> Array:
    """Return n images of unit points under a map that may leave points out.

    The same sequence is drawn further until n points are kept; an ordered set is refined instead.

    Parameters
    ----------
    sampler, n, extents, seed, stream
        As for `unit_points`.
    image
        Map of unit points to as many points or fewer, in their order.
    where
        What is sampled, for the message.

    Raises
    ------
    GeometryError
        If almost no points are kept.
    """
    count = n
    while True:
        points = image(unit_points(sampler, count, extents, seed, stream))
        if len(points) >= n:
            return chosen(sampler, points, n)
        if count > MOST_TRIES * max(n, 100):
            raise GeometryError(
                f"{where}: {len(points)} of {count} points lie inside, expected {n}; it fills too "
                "little of the region the points are drawn from"
            )
        ratio = 1.1 * n / max(len(points), 1)
        count = min(4 * count, math.ceil(ratio * count) + 1)


def unit_points(sampler: str, count: int, extents: Extents, seed: int, stream: int = 0) -> Array:
    """Return points of the open unit cube.

    Parameters
    ----------
    sampler
        ``"halton"``, ``"sobol"``, ``"hammersley"`` and ``"latin_hypercube"`` (scrambled by the
        seed), ``"random"``, ``"grid"`` (even, not random), or ``"stratified"`` (one random point in
        each cell of the grid).
    count
        Number of points, at least 1.
    extents
        Sizes of the box the cube stands for; only their ratios matter, and only to the grid.
    seed
        Non-negative integer; the same seed gives the same points.
    stream
        Separates point sets drawn from one seed, for example those of several edges.

    Returns
    -------
    Array
        Shape (count, len(extents)), all in (0, 1).

    Raises
    ------
    GeometryError
        If the sampler is unknown, the count is not a positive integer or the seed is negative.

    Examples
    --------
    >>> unit_points("grid", 2, (1.0,), seed=0)
    array([[0.25],
           [0.75]])
    """
    if sampler not in SAMPLERS:
        near = difflib.get_close_matches(str(sampler), SAMPLERS, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise GeometryError(f"unknown sampler {sampler!r}, expected one of {list(SAMPLERS)}{hint}")
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise GeometryError(f"the number of points must be a positive integer, got {count!r}")
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise GeometryError(f"the seed must be a non-negative integer, got {seed!r}")
    if not extents:
        return np.zeros((int(count), 0))
    random = np.random.Generator(np.random.Philox(np.random.SeedSequence([int(seed), stream])))
    return np.clip(SAMPLERS[sampler](int(count), extents, random), MARGIN, 1 - MARGIN)


def shares(n: int, measures: Sequence[float]) -> list[int]:
    """Split n by largest remainder; equal shares where all measures are zero."""
    weights = np.array(measures) if any(measures) else np.ones(len(measures))
    ideal = n * weights / weights.sum()
    counts = np.floor(ideal).astype(int)
    order = np.argsort(counts - ideal, kind="stable")
    counts[order[: n - counts.sum()]] += 1
    return [int(c) for c in counts]

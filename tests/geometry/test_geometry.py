"""The laws every shape obeys, checked for all of them by the same tests."""

import dataclasses
import functools
import math

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

import sciml.framework as framework
from sciml.framework.errors import GeometryError
from sciml.geometry import (
    NACA4,
    SAMPLERS,
    SHAPES,
    Annulus,
    Ball,
    Box,
    Cone,
    Cylinder,
    Difference,
    Disk,
    Ellipse,
    Extrusion,
    Geometry,
    Hyperball,
    Hyperrectangle,
    Intersection,
    Interval,
    Polygon,
    Product,
    Rectangle,
    Renamed,
    Revolution,
    RoundedRectangle,
    Sector,
    SpaceTime,
    StarShaped,
    Torus,
    Triangle,
    Union,
)  # fmt: skip
from sciml.geometry.samplers import unit_points

EXAMPLES = [
    Interval(-0.5, 2.0),
    Rectangle((0, 0), (1, 1)),
    Rectangle((-1.0, 2.0), (2.5, 2.75)),
    Disk(),
    Disk((100.0, -0.25), 0.3),
    Annulus((1.0, -2.0), 0.75, 1.5),
    Ellipse((0.5, -1.0), (2.0, 0.6), 0.4),
    Polygon(
        ((0, 0), (4, 0), (4, 3), (2, 1), (0, 3)),
        (((1, 0.3), (3, 0.3), (2, 0.8)),),
    ),
    RoundedRectangle((-1.0, 0.0), (2.0, 1.5), 0.4),
    Sector((0.5, 0.25), 1.5, -0.4, 4.0),
    Triangle((0, 0), (2, 0.5), (0.5, 1.5)),
    Rectangle((-1, -1), (1, 1)) - Disk((0.25, 0), 0.5),
    Disk((0, 0), 1) | Rectangle((0, -0.5), (2, 0.5)),
    Disk((0, 0), 1) & Rectangle((-0.5, -2), (2, 0.75)),
]
EXAMPLES += [
    Product(Disk((0.5, 0.0), 0.75), Interval(-1.0, 0.5)),
    Product(Interval(0.0, 2.0), RoundedRectangle((0, 0), (1, 1.5), 0.2)),
    Product(Rectangle((0, 0), (1, 2)), Annulus((0, 0), 0.5, 1.0)),
    SpaceTime(Interval(-1.0, 1.0), 0.5),
    SpaceTime(Triangle((0, 0), (1, 0.5), (0, 2)), 3.0, 1.0),
    Box((0, -1, 0.5), (1, 1, 2.0)),
    Ball((0.5, -1.0, 2.0), 1.5),
    Cylinder((0.5, -1.0, 2.0), 0.75, 2.0),
    Extrusion(Polygon(((0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2))), 1.5, -1.0),
    Hyperrectangle((0, 0, -1, 0), (1, 2, 1, 1.5)),
    Hyperball((0.5, 0.0, -0.5, 1.0), 2.0),
    Hyperball((0.0,) * 5),
    Cone((0.5, -1.0, 2.0), 1.5, 2.0),
    Cone((0.0, 0.0, 0.0), 0.5, 1.0, 1.25),
    Torus((1.0, 0.0, -1.0), 2.0, 0.5),
    Revolution(Sector((0, 0), 1.5, -math.pi / 2, math.pi / 2), (0.5, 0.0)),
    Revolution(Ellipse((2.0, 0.0), (1.0, 0.6), 0.4)),
    Revolution(Polygon(((0, 0), (1, 1), (1, -1), (0, -1)))),
]
EXAMPLES += [
    (Rectangle((-1, -1), (1, 1)) - Disk((0.25, 0), 0.5)).rename({"circle": "hole"}),
    Rectangle((0, 0), (2, 1)).with_part("inlet", Rectangle((-1, 0.25), (0.5, 2))),
    Rectangle((0, 0), (2, 1)).rotate(0.4, (0.5, 0.5)).scale(1.5).translate(0.25, -1.0),
    Triangle((0, 0), (2, 0.5), (0.5, 1.5)).mirror((1.0, 2.0)),
    Product(Disk((0.5, 0.0), 0.75), Interval(-1.0, 0.5)).rotate(0.5, axis=(1.0, 2.0, 2.0)),
]
EXAMPLES += [StarShaped(1.0, (0.0, 0.1), (0.0, 0.0, 0.15), (0.25, 0.0)), NACA4("0012")]
NO_RULE = (RoundedRectangle, Sector, Difference, Union, Intersection, Renamed, StarShaped, NACA4)
NO_FACTOR = (StarShaped, NACA4)
NAMES = [f"{type(g).__name__}{i}" for i, g in enumerate(EXAMPLES)]
every_shape = pytest.mark.parametrize("shape", EXAMPLES, ids=NAMES)


def has_rule(shape: Geometry) -> bool:
    """Whether polynomials are integrated exactly on a shape and all shapes it is made of."""
    values = [getattr(shape, f.name) for f in dataclasses.fields(shape)]
    own = not isinstance(shape, NO_RULE)
    return own and all(has_rule(v) for v in values if isinstance(v, Geometry))


def symbols(shape: Geometry) -> list[sympy.Symbol]:
    """Coordinates of any number."""
    return list(sympy.symbols("x y z") if shape.dimension <= 3 else [])[: shape.dimension] or [
        sympy.Symbol(f"x{i + 1}") for i in range(shape.dimension)
    ]


def units(shape: Geometry, leaf: str) -> np.ndarray:
    """Unit points of a piece away from its ends."""
    piece = shape.pieces[leaf]
    unit = 0.2 + 0.6 * unit_points("halton", 40, (1.0,) * piece.parameters, 0)
    return unit[piece.kept(unit)][:7]


def around(shape: Geometry, count: int, seed: int = 0) -> np.ndarray:
    """Random points of a box half as large again as the bounding box."""
    lower, upper = map(np.array, shape.bounding_box)
    unit = np.random.default_rng(seed).random((count, shape.dimension))
    return lower + (1.5 * unit - 0.25) * (upper - lower)


@pytest.mark.parametrize("name", sorted(set(SHAPES) - {"Mesh", "PlaneMesh"}))  # which need files
def test_every_registered_shape_is_among_the_examples(name):
    assert any(type(g) is SHAPES[name] for g in EXAMPLES)


@every_shape
def test_signed_distance_has_unit_gradient(shape):
    X = around(shape, 400)
    step = 1e-6 * np.ptp(shape.bounding_box, axis=0).max()
    columns = []
    for axis in range(shape.dimension):
        e = step * np.eye(shape.dimension)[axis]
        columns.append((shape.signed_distance(X + e) - shape.signed_distance(X - e)) / (2 * step))
    norms = np.linalg.norm(np.stack(columns, axis=1), axis=1)
    # A difference across a ridge of the distance is not one; 3 in 100 points may meet one.
    assert np.mean(np.abs(norms - 1) < 1e-5) > 0.97


@every_shape
def test_distance_is_that_of_the_nearest_of_many_boundary_points(shape):
    if shape.dimension > 3:
        pytest.skip("boundary points are too far apart")
    n = 5000
    X = around(shape, 30, seed=7)
    edge = shape.sample_boundary("boundary", n, "random").points
    brute = np.sqrt(((X[:, None] - edge) ** 2).sum(axis=2).min(axis=1))
    exact = np.abs(shape.signed_distance(X))
    # Around the end of a piece, half a line or a quarter of a disk of this size has 20 points.
    area = shape.boundary_measure()
    reach = {1: 0.0, 2: 20 * area / n, 3: math.sqrt(80 * area / (math.pi * n))}[shape.dimension]
    assert (brute >= exact - 1e-12 * (1 + exact)).all()
    assert (brute <= exact + reach + 1e-12).all()


@every_shape
def test_pieces_end_on_the_boundary(shape):
    scale = max(1.0, np.abs(shape.bounding_box).max())
    for leaf in shape.resolve("boundary"):
        np.testing.assert_allclose(shape.signed_distance(shape.rim(leaf)), 0, atol=1e-15 * scale)


@every_shape
def test_signed_distance_is_traced_and_differentiated(shape):
    X = shape.sample_interior(20, "random", 3)
    compare = framework.vmap(lambda row: shape.signed_distance(row[None, :])[0])(X)
    np.testing.assert_allclose(compare, shape.signed_distance(X), rtol=0, atol=1e-15)
    gradient = framework.grad(lambda Y: shape.signed_distance(Y).sum())(X)
    np.testing.assert_allclose(np.linalg.norm(gradient, axis=1), 1, atol=1e-9)


@every_shape
def test_gradient_is_finite_on_and_outside_the_boundary(shape):
    X = np.concatenate([around(shape, 50), shape.sample_boundary("boundary", 20).points])
    gradient = framework.grad(lambda Y: shape.signed_distance(Y).sum())(X)
    assert np.isfinite(gradient).all()


@every_shape
@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("n", [1, 7, 64, 1000])
def test_interior_samples_are_inside_exact_in_count_and_reproducible(shape, sampler, n):
    X = shape.sample_interior(n, sampler, seed=5)
    assert X.shape == (n, shape.dimension)
    assert shape.contains(X).all()
    np.testing.assert_array_equal(X, shape.sample_interior(n, sampler, seed=5))
    if sampler != "grid":
        assert not np.array_equal(X, shape.sample_interior(n, sampler, seed=6))


def middle(shape: Geometry) -> tuple[np.ndarray, np.ndarray]:
    """The part of the bounding box from 0.3 to 0.6 along each axis."""
    lower, upper = map(np.array, shape.bounding_box)
    return lower + 0.3 * (upper - lower), lower + 0.6 * (upper - lower)


@functools.cache
def share_of_the_middle(shape: Geometry) -> float:
    """The share of the measure that lies there, counted on an even grid by the distance."""
    lower, upper = middle(shape)
    count = round(160_000 ** (1 / shape.dimension))
    axes = [(np.arange(count) + 0.5) / count] * shape.dimension
    grid = np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, shape.dimension)
    filled = shape.contains(lower + grid * (upper - lower)).mean()
    return filled * np.prod(upper - lower) / shape.measure


@every_shape
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_share_of_samples_in_a_box_is_its_share_of_the_measure(shape, sampler):
    if sampler == "grid" and shape.dimension > 3:
        pytest.skip("4000 points are five along each of five axes")
    n = 4000
    X = shape.sample_interior(n, sampler, seed=1)
    lower, upper = middle(shape)
    inside = np.all((lower <= X) & (upper >= X), axis=1).mean()
    expected = share_of_the_middle(shape)
    assert abs(inside - expected) < 4 * math.sqrt(expected * (1 - expected) / n) + 1e-3


@every_shape
@pytest.mark.parametrize("sampler", SAMPLERS)
def test_boundary_samples_lie_on_the_boundary_with_outward_unit_normals(shape, sampler):
    scale = max(1.0, np.abs(shape.bounding_box).max())
    for part in shape.parts:
        sample = shape.sample_boundary(part, 33, sampler, seed=2)
        assert sample.points.shape == sample.normals.shape == (33, shape.dimension)
        assert sample.part == part
        assert len(sample) == 33
        on = shape.signed_distance(sample.points)
        np.testing.assert_allclose(on, 0, atol=4e-16 * scale)
        np.testing.assert_allclose(np.linalg.norm(sample.normals, axis=1), 1, rtol=1e-14)
        step = 1e-5 * scale * shape.measure ** (1 / shape.dimension) / scale
        assert (shape.signed_distance(sample.points + step * sample.normals) > 0).all()
        assert (shape.signed_distance(sample.points - step * sample.normals) < 0).all()
        total = sample.weights.sum()
        assert total == pytest.approx(shape.boundary_measure(part), rel=1e-12)
        again = shape.sample_boundary(part, 33, sampler, seed=2)
        np.testing.assert_array_equal(sample.points, again.points)


@every_shape
def test_tangents_are_normals_turned_left(shape):
    sample = shape.sample_boundary("boundary", 50)
    if shape.dimension != 2:
        assert sample.tangents is None
        return
    np.testing.assert_allclose((sample.tangents * sample.normals).sum(axis=1), 0, atol=1e-15)
    turn = (
        sample.normals[:, 0] * sample.tangents[:, 1] - sample.normals[:, 1] * sample.tangents[:, 0]
    )
    np.testing.assert_allclose(turn, 1, rtol=1e-14)


@every_shape
def test_curvature_is_the_turn_of_the_normal_along_the_tangent(shape):
    for leaf in shape.resolve("boundary"):
        piece = shape.pieces[leaf]
        if shape.dimension != 2:
            continue
        u = np.linspace(0.1, 0.9, 9)[:, None]
        before, after = piece.frame(u - 1e-6)[1], piece.frame(u + 1e-6)[1]
        turn = (after - before) / (2e-6 * piece.measure)
        normals, curvatures = piece.frame(u)[1:]
        tangents = np.stack([-normals[:, 1], normals[:, 0]], axis=1)
        np.testing.assert_allclose(turn, curvatures[:, None] * tangents, atol=1e-8)


@every_shape
def test_curvature_is_the_divergence_of_the_normals(shape):
    """Between the surfaces at distances -h and h, the Laplacian of the distance is its mean."""
    h = 1e-4
    for leaf in shape.resolve("boundary"):
        if shape.dimension < 3:
            continue
        points, normals, curvatures = shape.pieces[leaf].frame(units(shape, leaf))
        laplacian = framework.laplacian(shape.signed_distance)
        mean = (laplacian(points - h * normals) + laplacian(points + h * normals)) / 2
        np.testing.assert_allclose(mean, curvatures, atol=1e-6)


@every_shape
def test_boundary_measure_sums_over_parts(shape):
    leaves = shape.resolve("boundary")
    total = sum(shape.boundary_measure(leaf) for leaf in leaves)
    assert shape.boundary_measure() == pytest.approx(total, rel=1e-14)


@every_shape
@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_quadrature_is_exact_for_polynomials(shape, n):
    if not has_rule(shape):
        with pytest.raises(GeometryError, match="no Gauss rule"):
            shape.quadrature(n)
        return
    rule = shape.quadrature(n)
    center = np.mean(shape.bounding_box, axis=0)
    coefficients = np.random.default_rng(0)
    degree = 2 * n - 1
    fine = shape.quadrature(n + 6)
    for _ in range(3):
        powers = coefficients.multinomial(degree, np.ones(shape.dimension) / shape.dimension)
        size = np.ptp(np.array(shape.bounding_box), axis=0).max()
        values = [(np.prod(((q.points - center) / size) ** powers, axis=1) * q.weights).sum()
                  for q in (rule, fine)]  # fmt: skip
        assert values[0] == pytest.approx(values[1], abs=1e-13 * shape.measure)
    assert rule.weights.sum() == pytest.approx(shape.measure, rel=1e-12)
    assert shape.contains(rule.points).all()
    assert (rule.weights > 0).all()


@every_shape
def test_divergence_theorem(shape):
    random = np.random.default_rng(4)
    center = np.mean(shape.bounding_box, axis=0)
    names = symbols(shape)
    if has_rule(shape) or shape.dimension <= 2:
        nodes = {1: 1, 2: 640, 3: 140, 4: 40}.get(shape.dimension, 12)
        edge = shape.boundary_quadrature("boundary", nodes)
    else:
        edge = shape.sample_boundary("boundary", 20_000, "random")
    inside = shape.quadrature(12 if shape.dimension <= 3 else 6) if has_rule(shape) else None
    for _ in range(3):
        field = []
        for _ in names:
            powers = random.integers(0, 4, size=(5, shape.dimension))
            terms = zip(random.normal(size=5), powers, strict=True)
            field.append(sum(c * sympy.prod(s**int(p) for s, p in zip(names, row, strict=True))
                             for c, row in terms))  # fmt: skip
        divergence = sum(sympy.diff(f, s) for f, s in zip(field, names, strict=True))

        def at(f, X):
            value = sympy.lambdify(names, f)(*(X - center).T)
            return np.broadcast_to(value, len(X))

        flux = sum(at(f, edge.points) * edge.normals[:, i] for i, f in enumerate(field))
        scale = max(1.0, np.abs(flux * edge.weights).sum())
        if inside is None:  # means of random points within five standard errors
            values = shape.measure * at(divergence, shape.sample_interior(20_000, "random"))
            left, bound = values.mean(), 5 * values.std() / math.sqrt(20_000)
            if shape.dimension > 2:
                bound += 5 * (flux * edge.weights).std() * math.sqrt(20_000)
        else:
            left = (at(divergence, inside.points) * inside.weights).sum()
            bound = 1e-11 * scale
        assert abs(left - (flux * edge.weights).sum()) < bound


@every_shape
def test_boundary_factor_is_positive_inside_and_zero_exactly_on_its_parts(shape):
    if isinstance(shape, NO_FACTOR):
        with pytest.raises(GeometryError, match="softly"):
            shape.boundary_factor()
        return
    names = symbols(shape)
    leaves = shape.resolve("boundary")
    for chosen in [leaves, leaves[:1], leaves[-2:], leaves[1:]]:
        if not chosen:
            continue
        factor = sympy.lambdify(names, shape.boundary_factor(chosen))
        inside = shape.sample_interior(200, "random", 0)
        assert (factor(*inside.T) > 0).all()
        for leaf in leaves:
            value = factor(*shape.sample_boundary(leaf, 20).points.T)
            scale = max(1.0, np.abs(shape.bounding_box).max())
            assert (np.abs(value) < 1e-15 * scale**2).all() == (leaf in chosen)


@every_shape
def test_boundary_factor_of_one_part_grows_inwards_at_unit_rate(shape):
    if isinstance(shape, NO_FACTOR):
        return  # it has none
    names = symbols(shape)
    for leaf in shape.resolve("boundary"):
        factor = sympy.lambdify(names, shape.boundary_factor(leaf))
        points, normals, _ = shape.pieces[leaf].frame(units(shape, leaf))
        # Both differ from the distance by a multiple of its square; h and 2 h cancel that.
        h = 1e-4 * shape.measure ** (1 / shape.dimension)
        once, twice = (factor(*(points - k * h * normals).T) for k in (1, 2))
        np.testing.assert_allclose((4 * once - twice) / (2 * h), 1, atol=1e-6)


@every_shape
def test_unknown_names_are_refused_with_the_nearest_valid_one(shape):
    leaf = shape.resolve("boundary")[0]
    with pytest.raises(GeometryError, match=f"did you mean '{leaf}'"):
        shape.sample_boundary(leaf + "x", 3)
    with pytest.raises(GeometryError, match=f"did you mean '{leaf}'"):
        shape.boundary_measure(leaf.split(".")[-1] if "." in leaf else leaf + "s")
    with pytest.raises(GeometryError, match="did you mean 'halton'"):
        shape.sample_interior(3, "haltn")


@every_shape
@pytest.mark.parametrize("n", [0, -1, 2.5, True])
def test_bad_counts_are_refused(shape, n):
    with pytest.raises(GeometryError, match="positive integer"):
        shape.sample_interior(n)
    with pytest.raises(GeometryError, match="positive integer"):
        shape.sample_boundary("boundary", n)


@every_shape
def test_points_of_another_dimension_are_refused(shape):
    with pytest.raises(GeometryError, match=r"shape \(n, "):
        shape.contains(np.zeros((3, shape.dimension + 1)))
    with pytest.raises(GeometryError, match="coordinates"):
        shape.boundary_factor("boundary", [sympy.Symbol("p"), *symbols(shape)])


coordinates = st.floats(-1e6, 1e6)
lengths = st.floats(1e-6, 1e6)


@settings(max_examples=60, deadline=None)
@given(coordinates, coordinates, lengths, lengths, st.sampled_from(sorted(SAMPLERS)))
def test_no_sample_lies_outside_at_any_place_and_size(x, y, a, b, sampler):
    for shape in (Interval(x, x + a), Rectangle((x, y), (x + a, y + b)), Disk((x, y), a)):
        assert shape.contains(shape.sample_interior(20, sampler)).all()
        edge = shape.sample_boundary("boundary", 20, sampler)
        scale = np.abs(shape.bounding_box).max()
        assert np.abs(shape.signed_distance(edge.points)).max() <= 4e-16 * scale


@every_shape
def test_shapes_are_values_whatever_their_numbers_are_written_as(shape):
    values = [getattr(shape, field.name) for field in dataclasses.fields(shape)]
    again = type(shape)(*(list(v) if isinstance(v, tuple) else v for v in values))
    assert again == shape
    assert hash(again) == hash(shape)


def test_a_negative_seed_is_refused():
    with pytest.raises(GeometryError, match="seed"):
        Disk().sample_interior(3, seed=-1)


def test_blocks_of_points_are_joined_in_order():
    disk = Disk()
    X = around(disk, 10_000)
    np.testing.assert_array_equal(disk.contains(X), np.hypot(*X.T) <= 1)
    assert disk.contains(np.zeros((0, 2))).shape == (0,)


def test_the_rim_of_an_edge_is_its_two_ends():
    rim = Rectangle((0, 0), (2, 1)).rim("edges.top")
    assert {tuple(p) for p in rim.tolist()} == {(0.0, 1.0), (2.0, 1.0)}

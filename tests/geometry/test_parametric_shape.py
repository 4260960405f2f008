import doctest
import math

import numpy as np
import pytest

import sciml.framework as framework
from sciml.framework.errors import GeometryError
from sciml.geometry import Disk, ParametricShape, Rectangle, parametric_shape


def clockwise(t):
    return framework.sin(t), framework.cos(t)


def test_a_clockwise_curve_is_walked_backwards():
    disk = ParametricShape(clockwise)
    assert disk.measure == pytest.approx(math.pi, rel=1e-14)
    edge = disk.sample_boundary("curve", 20)
    np.testing.assert_allclose(edge.normals, edge.points, atol=1e-14)
    np.testing.assert_allclose(edge.curvatures, 1, rtol=1e-13)


def test_a_drop_has_one_corner():
    """r = cos 2 theta between -pi/4 and pi/4: one leaf of a rose, of area pi / 8."""

    def leaf(t):
        radius = framework.cos(2 * t)
        return radius * framework.cos(t), radius * framework.sin(t)

    drop = ParametricShape(leaf, -math.pi / 4, math.pi / 4)
    assert drop.measure == pytest.approx(math.pi / 8, rel=1e-13)
    assert drop.corners == {"corners.0": ("curve", "curve")}
    vertex = drop.pieces["corners.0"].frame(np.zeros((1, 0)))
    np.testing.assert_allclose(vertex[0], [[0, 0]], atol=1e-15)
    np.testing.assert_allclose(vertex[1], [[-1, 0]], atol=1e-15)
    assert drop.signed_distance(np.array([[-0.3, 0.1]]))[0] == pytest.approx(math.hypot(0.3, 0.1))
    bitten = drop - Disk((1.0, 0.0), 0.25)
    assert bitten.corners["corners.0"] == ("curve.1", "curve.0")
    assert bitten.pieces["curve.0"].frame(np.zeros((1, 1)))[0] == pytest.approx(np.zeros((1, 2)))


def test_parameters_out_of_order_are_refused():
    with pytest.raises(GeometryError, match=r"first must be below last, got 1\.0 and 0\.0"):
        ParametricShape(clockwise, 1.0, 0.0)


def test_examples_in_docstrings():
    assert doctest.testmod(parametric_shape)[0] == 0


def test_the_path_is_followed_few_times():
    """Once for each Newton step and table: a path costs more than the points along it."""
    calls = []

    def path(t):
        calls.append(t)
        return framework.cos(t), framework.sin(t)

    left, right = ParametricShape(path), ParametricShape(path).translate(0.5, 0.0)
    assert len(calls) <= 30
    calls.clear()
    lens = 2 * math.acos(0.25) - 0.25 * math.sqrt(4 - 0.25)
    assert (left | right).measure == pytest.approx(2 * math.pi - lens, rel=1e-14)
    assert len(calls) <= 700


def uneven(t):
    """A circle, smooth where it closes, whose function has no period."""
    angle = 2 * math.pi * (t + t**3 * (1 - t) ** 3)
    return framework.cos(angle), framework.sin(angle)


def test_a_closed_curve_is_cut_on_both_sides_of_its_seam():
    disk = ParametricShape(uneven, 0.0, 1.0)
    bite = Disk((-1.0, 0.0), 0.5)
    bitten, exact = disk - bite, Disk() - bite
    assert bitten.measure == pytest.approx(exact.measure, rel=1e-13)
    assert bitten.boundary_measure() == pytest.approx(exact.boundary_measure(), rel=1e-13)
    part = disk.with_part("left", where=Rectangle((-2, -2), (0, 2)))
    points = part.sample_boundary("curve", 50).points
    np.testing.assert_allclose(np.linalg.norm(points, axis=1), 1, rtol=1e-14)
    assert (points[:, 0] > 0).all()
    assert part.boundary_measure("curve") == pytest.approx(math.pi, rel=1e-13)


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("cos(t)", "path must be a function of t, got 'cos"),
        (lambda t: framework.cos(t), "must return two coordinates"),
        (lambda t: (framework.log(t), framework.sin(t)), "is not finite near t = 0"),
        (lambda t: (0.0 * t + 1.0, 0.0 * t), "stands still near t = 0"),
    ],
)
def test_what_is_no_path_is_refused(path, reason):
    with pytest.raises(GeometryError, match=reason), np.errstate(all="ignore"):
        ParametricShape(path)

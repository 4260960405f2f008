import doctest
import math

import numpy as np
import pytest
import sympy

from sciml.framework.errors import GeometryError
from sciml.geometry import Motion, motion


def test_quarter_turns_are_exact():
    assert Motion.rotation(math.pi / 2, (0.0, 0.0)).matrix == ((0.0, -1.0), (1.0, 0.0))
    assert Motion.rotation(5 * math.pi, (1.0, 2.0)).point((3.0, 2.0)) == (-1.0, 2.0)


def test_a_turn_in_space_is_about_its_axis():
    turn = Motion.rotation(2 * math.pi / 3, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    np.testing.assert_allclose(turn.point((1.0, 2.0, 3.0)), (3, 1, 2), atol=1e-15)
    about = Motion.rotation(0.7, (1.0, 2.0, 3.0), (0.0, 0.0, 5.0))
    np.testing.assert_allclose(about.point((1.0, 2.0, 8.0)), (1, 2, 8), atol=1e-15)


def test_a_mirror_image_keeps_its_plane_and_turns_the_normal():
    mirror = Motion.reflection((0.0, 3.0, 4.0), (1.0, 1.0, 1.0))
    assert mirror.flips
    np.testing.assert_allclose(mirror.point((5.0, 5.0, -2.0)), (5, 5, -2), atol=1e-15)
    np.testing.assert_allclose(mirror.vector((0.0, 0.6, 0.8)), (0, -0.6, -0.8), atol=1e-15)


def test_points_and_symbols_go_there_and_back():
    turn = Motion.rotation(0.3, (1.0, -2.0, 0.5), (1.0, 0.0, 2.0))
    X = np.random.default_rng(0).normal(size=(5, 3))
    np.testing.assert_allclose(turn.pull(turn.points(X)), X, atol=1e-15)
    names = sympy.symbols("x y z")
    image = [float(c.subs(dict(zip(names, X[0], strict=True)))) for c in turn.symbols(names)]
    np.testing.assert_allclose(image, turn.points(X[:1])[0], atol=1e-15)
    back = Motion.translation((0.5, 1.0)).symbols(sympy.symbols("x y"), inverse=True)
    assert str(back) == "(x - 1/2, y - 1)"


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Motion(((1.0, 0.0), (0.1, 1.0)), 1.0, (0.0, 0.0)), "orthogonal unit vectors"),
        (lambda: Motion(((1.0, 0.0),), 1.0, (0.0, 0.0)), "must have 2 rows, got 1"),
        (lambda: Motion.scaling(0.0, (0.0, 0.0)), "scale must be positive"),
        (lambda: Motion.rotation(1.0, (0.0,)), "2 or 3 coordinates"),
        (lambda: Motion.reflection((0.0, 0.0), (1.0, 1.0)), "normal must not be zero"),
        (lambda: Motion.translation((math.inf, 0.0)), r"shift\[0\] must be finite"),
    ],
)
def test_what_is_no_motion_is_refused(build, message):
    with pytest.raises(GeometryError, match=message):
        build()


def test_examples_in_docstrings():
    assert doctest.testmod(motion, extraglobs={"math": math})[0] == 0

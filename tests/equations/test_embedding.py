import numpy as np
import sympy

from sciml.equations.embedding import Embedding

x, y = sympy.symbols("x y")


def test_points_a_period_apart_have_one_image():
    embedding = Embedding((x, y), {y: 0.5})
    X = np.random.default_rng(0).random((5, 2))
    image = embedding(X)
    assert image.shape == (5, 3)
    np.testing.assert_array_equal(image[:, 0], X[:, 0])
    np.testing.assert_allclose(image[:, 1] ** 2 + image[:, 2] ** 2, 1.0, rtol=1e-14)
    np.testing.assert_allclose(image, embedding(X + np.array([0.0, 0.5])), atol=1e-14)


def test_without_periods_nothing_changes():
    X = np.ones((2, 2))
    assert Embedding((x, y))(X) is X
    assert Embedding((x, y)).box((0, 1), (2, 3)) == ((0, 1), (2, 3))


def test_a_circle_fills_its_square():
    assert Embedding((x, y), {x: 3.0}).box((0, 1), (3, 2)) == ((-1, -1, 1), (1, 1, 2))

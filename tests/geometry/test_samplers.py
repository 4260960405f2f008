import numpy as np
import pytest

from sciml.geometry.samplers import SAMPLERS, shares, unit_points


@pytest.mark.parametrize("sampler", SAMPLERS)
@pytest.mark.parametrize("dimension", [0, 1, 2, 3])
def test_points_lie_in_the_open_cube(sampler, dimension):
    X = unit_points(sampler, 77, (1.0,) * dimension, seed=0)
    assert X.shape == (77, dimension)
    assert ((X > 0) & (X < 1)).all()


@pytest.mark.parametrize("sampler", ["halton", "sobol", "latin_hypercube", "grid"])
def test_space_filling_samplers_integrate_better_than_random_ones(sampler):
    X = unit_points(sampler, 1024, (1.0, 1.0), seed=0)
    error = abs(np.exp(X.sum(axis=1)).mean() - (np.e - 1) ** 2)
    assert error < 0.012  # a random set has a standard error of 0.022


def test_streams_of_one_seed_differ():
    first, second = (unit_points("halton", 5, (1.0,), 0, stream=s) for s in (0, 1))
    assert not np.array_equal(first, second)


def test_grid_cells_follow_the_extents():
    X = unit_points("grid", 40, (10.0, 1.0), seed=0)
    assert len(np.unique(X[:, 0])) == 20
    assert len(np.unique(X[:, 1])) == 2


def test_grid_of_uneven_rows_keeps_the_mean():
    X = unit_points("grid", 1003, (1.0, 1.0), seed=0)
    np.testing.assert_allclose(X.mean(axis=0), 0.5, atol=1e-3)


def test_each_cell_of_the_grid_has_one_stratified_point():
    X = unit_points("stratified", 64, (1.0, 1.0), seed=3)
    cells = np.floor(8 * X).astype(int)
    assert len(np.unique(cells, axis=0)) == 64
    assert not np.array_equal(X, unit_points("stratified", 64, (1.0, 1.0), seed=4))


def test_shares_add_up_and_follow_the_measures():
    assert shares(10, [1.0, 1.0, 2.0]) == [3, 2, 5]
    assert shares(7, [0.0, 0.0]) == [4, 3]

"""Draws from a key: equal probabilities within stated bounds, the same when compiled."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

import sciml.framework as sf
from sciml.framework.errors import ShapeError

KEY = sf.random_key(11)


def test_split_keys_draw_differently_and_repeat() -> None:
    keys = sf.split_key(KEY, 3)
    assert keys.shape == (3, 2)
    np.testing.assert_array_equal(keys, sf.split_key(KEY, 3))
    draws = {tuple(sf.random_bits(k, (4,))) for k in (KEY, *keys)}
    assert len(draws) == 4
    with pytest.raises(ShapeError, match="a key has shape"):
        sf.split_key(keys)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_signs_are_fair(dtype: type) -> None:
    signs = sf.rademacher(KEY, (40_000,), dtype)
    assert signs.dtype == dtype
    np.testing.assert_array_equal(signs * signs, 1)
    # the sum of n signs has standard deviation sqrt(n)
    assert abs(signs.sum(dtype=np.float64)) < 4 * np.sqrt(40_000)


def chi_square(counts: list[int]) -> float:
    """Probability of a larger deviation from equal probabilities."""
    return float(stats.chisquare(counts).pvalue)


def test_integers_are_equally_likely() -> None:
    drawn = sf.integers(KEY, (21_000,), 7)
    counts = np.bincount(drawn, minlength=7)
    assert counts.size == 7
    assert chi_square(list(counts)) > 1e-4


def test_weighted_integers_have_their_probabilities() -> None:
    weights = np.array([2.0, 0.0, 5.0, 1.0, 0.0])
    drawn = sf.weighted_integers(KEY, (16_000,), weights)
    counts = np.bincount(drawn, minlength=5)
    assert counts[1] == counts[4] == 0
    expected = 16_000 * weights[weights > 0] / 8
    assert stats.chisquare(counts[weights > 0], expected).pvalue > 1e-4
    np.testing.assert_array_equal(sf.weighted_integers(KEY, (3, 2), [4.0]), np.zeros((3, 2)))
    for wrong in ([0.0, 0.0], [-1.0, 2.0], [np.nan], [[1.0]]):
        with pytest.raises(ShapeError, match="weights must be"):
            sf.weighted_integers(KEY, (3,), wrong)


def test_every_ordered_choice_is_equally_likely() -> None:
    """60 ways to choose 3 of 5 in order, and 24 shuffles of 4."""
    for size, count, tries in ((5, 3, 6000), (4, 4, 2400)):
        choose = sf.jit(lambda k, size=size, count=count: sf.choice(k, size, count))
        found = Counter(tuple(map(int, choose(k))) for k in sf.split_key(KEY, tries))
        assert set(found) == set(permutations(range(size), count))
        assert chi_square(list(found.values())) > 1e-4


def test_a_choice_never_repeats_and_compiles_to_the_same() -> None:
    for size, count in ((1, 1), (300, 300), (100_000, 200)):
        chosen = sf.choice(KEY, size, count)
        assert len(set(chosen)) == count
        assert 0 <= chosen.min() <= chosen.max() < size
        compiled = sf.jit(lambda k, size=size, count=count: sf.choice(k, size, count))
        np.testing.assert_array_equal(compiled(KEY), chosen)
    with pytest.raises(ShapeError, match="cannot be chosen"):
        sf.choice(KEY, 3, 4)


def test_one_hot_rows_and_an_index_out_of_range() -> None:
    rows = sf.one_hot(np.array([[2], [0]]), 3, np.float32)
    np.testing.assert_array_equal(rows, np.eye(3, dtype=np.float32)[[[2], [0]]])
    with pytest.raises(IndexError, match="do not lie"):
        sf.one_hot(np.array([3]), 3)
    compiled = sf.jit(lambda i: sf.one_hot(i, 3))(np.array([3, 1]))
    np.testing.assert_array_equal(compiled, [[np.nan] * 3, [0.0, 1.0, 0.0]])

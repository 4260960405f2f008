"""Rectangular eigenproblems made of known eigenvalues."""

from __future__ import annotations

import numpy as np

from sciml.studies.pencil import Pencil

RNG = np.random.default_rng(5)


def made(values: list[float], conditions: int) -> tuple[Pencil, np.ndarray]:
    """Return A = Q diag(values) X, B = Q X on the null space of conditions, and X^-1.

    More functions than eigenvalues are there; those that the conditions exclude.
    """
    n = len(values) + conditions
    Q, _ = np.linalg.qr(RNG.normal(size=(40, n)))
    X = RNG.normal(size=(n, n))
    spectrum = np.concatenate([values, RNG.normal(size=conditions)])
    C = np.concatenate([np.zeros((conditions, len(values))), np.eye(conditions)], axis=1) @ X
    return Pencil(Q @ np.diag(spectrum) @ X, Q @ X, C, X), np.linalg.inv(X)


def test_simple_double_and_zero_eigenvalues_are_found_in_order() -> None:
    values = [4.0, 0.0, 1.0, 9.0, 4.0, -2.0]
    pencil, functions = made(values, 3)
    clusters = list(pencil.clusters())
    found = np.concatenate([c.values for c in clusters])
    np.testing.assert_allclose(found, [0.0, 1.0, -2.0, 4.0, 4.0, 9.0], rtol=0, atol=1e-11)
    assert [len(c.values) for c in clusters] == [1, 1, 1, 2, 1]
    for cluster in clusters:
        assert cluster.residual < 1e-11
        for value, vector in zip(cluster.values, cluster.vectors.T, strict=True):
            exact = functions[:, np.flatnonzero(np.abs(np.array(values) - value) < 1e-6)]
            left = vector - exact @ np.linalg.lstsq(exact, vector, rcond=None)[0]
            assert np.linalg.norm(left) < 1e-10 * np.linalg.norm(vector)
            assert abs(np.linalg.norm(pencil.E @ vector) - 1.0) < 1e-13


def test_without_conditions_all_functions_count() -> None:
    pencil, _ = made([3.0, 1.0, 2.0], 0)
    found = [float(c.values[0]) for c in pencil.clusters()]
    np.testing.assert_allclose(found, [1.0, 2.0, 3.0], rtol=1e-12)

"""Taylor series of one variable through compositions."""

from __future__ import annotations

import numpy as np

import sciml.framework as sf


def test_jet_of_a_composition_agrees_with_faa_di_bruno() -> None:
    """d^k/dt^k exp(t^2 + t) at t = 0: Hermite-like numbers 1, 3, 7, 25, 81."""
    one = np.asarray(1.0)
    terms = [one] + [np.asarray(0.0)] * 4
    value, series = sf.jet(lambda t: sf.exp(t * t + t), (np.asarray(0.0),), (terms,))
    assert float(value) == 1.0
    np.testing.assert_allclose(series, [1, 3, 7, 25, 81], rtol=1e-14)


def test_jet_takes_series_with_higher_terms() -> None:
    """x(t) = 1 + t + t^2/2 * 3 means series (1, 3): d2/dt2 of x^2 is 2 + 2 * 3."""
    series = ((np.asarray(1.0), np.asarray(3.0)),)
    _, (first, second) = sf.jet(lambda x: x * x, (np.asarray(1.0),), series)
    assert (float(first), float(second)) == (2.0, 8.0)

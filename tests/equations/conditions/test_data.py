import numpy as np
import pytest

from sciml.equations import Data, PointValue, Poisson
from sciml.framework.errors import EquationError


def test_arrays_become_plain_numbers():
    data = Data("u", np.eye(2), np.array([1, 2]))
    assert data.points == ((1.0, 0.0), (0.0, 1.0))
    assert data.values == (1.0, 2.0)


@pytest.mark.parametrize(
    ("points", "values", "message"),
    [
        ([(0, 0)], [1, 2], "got 1 points .* and 2 values"),
        ([(0, 0), (1,)], [1, 2], r"\[1, 2\] coordinates"),
        ([], [], "one value per point"),
        ([(0, np.nan)], [1], "must be finite"),
        ([(0, 0)], [np.inf], "must be finite"),
        ([(0, "a")], [1], "row of numbers"),
        ([1.0, 2.0], [1], "row of numbers"),
    ],
)
def test_what_does_not_fit_is_refused(points, values, message):
    with pytest.raises(EquationError, match=message):
        Data("u", points, values)


def test_points_have_the_coordinates_of_the_equation():
    with pytest.raises(EquationError, match=r"coordinates x, y, got \(0.5,\)"):
        PointValue("u", (0.5,)).residuals(Poisson())

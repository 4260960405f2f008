import numpy as np
import pytest

from sciml.equations import Data, Dirichlet, Integral, PointValue, Poisson, lower
from sciml.framework.errors import EquationError
from sciml.geometry import Disk, Rectangle
from sciml.problem.points import Points
from sciml.problem.support import AtPoints, Inside, OnPart, OverPart, support_of

FEW = Points(interior=256, boundary=64)


def lowered(text, parameters=()):
    from sciml.equations import parse_expression

    pde = Poisson()
    names = [*pde.coordinates, *pde.fields, *parameters]
    return lower({"r": parse_expression(text, names)}, pde.coordinates, pde.fields, parameters)


def test_each_condition_knows_its_place():
    assert support_of(Dirichlet("u", "edges")) == OnPart("edges")
    assert support_of(Integral("u", "u", 2.0)) == OverPart("interior", 2.0)
    assert support_of(PointValue("u", (0, 1), 3)) == AtPoints(((0.0, 1.0),), (3.0,))
    assert support_of(Data("u", [(0, 1)], [3])) == AtPoints(((0.0, 1.0),), (3.0,))


def test_flow_through_a_circle_is_the_integral_of_the_divergence():
    disk = Disk((1, 2), 0.5)
    place = OverPart("circle", 0.0)
    flux = lowered("x*n_x + 2*y*n_y", ("n_x", "n_y"))
    arrays = place.arrays(disk, Points(256, 64, "grid"), 0, flux)
    X, n_x, n_y, weights = arrays
    value = flux({}, X, n_x=n_x, n_y=n_y)["r"]
    assert place.reduce(value, [weights]) == pytest.approx(3 * disk.measure, rel=1e-12)


def test_a_mean_over_the_interior():
    place = OverPart("interior", 1.0)
    mean = lowered("x")
    X, weights = place.arrays(Rectangle((0, 0), (2, 1)), Points(4096, 1, "grid"), 0, mean)
    assert place.reduce(mean({}, X)["r"], [weights]) == pytest.approx(1.0, rel=1e-3)


def test_given_points_must_lie_in_the_domain():
    place = AtPoints(((0.5, 0.5), (2.0, 0.5)), (1.0, 1.0))
    with pytest.raises(EquationError, match=r"1 of 2 given points .* at \(2.0, 0.5\)"):
        place.arrays(Rectangle(), FEW, 0, lowered("u - measured", ("measured",)))


def test_a_name_without_a_value_in_its_place_is_refused():
    with pytest.raises(EquationError, match="names 'n_x', which has no value where it holds"):
        Inside().arrays(Rectangle(), FEW, 0, lowered("n_x*u", ("n_x",)))


def test_counts_in_words():
    assert Inside().count(FEW) == "256 inside, halton"
    assert OnPart("edges").count(FEW) == "64 on edges, halton"
    assert OverPart("edges", 0.0).count(FEW) == "integral from 64 on edges, halton"
    assert AtPoints(((0.0,),), (1.0,)).count(FEW) == "1 given"
    assert len(Inside().arrays(Rectangle(), FEW, 0, lowered("u"))[0]) == 256
    assert np.all(OnPart("edges").arrays(Rectangle(), FEW, 0, lowered("u"))[0] >= 0)

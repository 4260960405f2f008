import doctest
import itertools

import numpy as np
import pytest
from scipy.interpolate import make_interp_spline

import sciml.framework as framework
from sciml.equations import CustomPDE, lower, tabulated
from sciml.equations.tabulated import Tabulated
from sciml.framework.errors import EquationError

AXIS = np.array([0.0, 0.4, 1.1, 1.5, 2.3, 2.6, 3.0])
VALUES = np.sin(AXIS)
POINTS = np.linspace(0, 3, 23)[:, None]


@pytest.mark.parametrize("degree", [1, 3, 5])
def test_one_axis_is_the_spline_of_scipy_with_its_derivatives(degree):
    table = Tabulated({"x": AXIS}, VALUES, degree)
    spline = make_interp_spline(AXIS, VALUES, k=degree)
    orders = range(table.smoothness + 1)
    found = framework.jit(
        lambda X: framework.derivatives(lambda X: table(None, X), [(p,) for p in orders])(X)
    )(POINTS)
    for p, values in zip(orders, found, strict=True):
        np.testing.assert_allclose(values, spline(POINTS[:, 0], nu=p), rtol=0, atol=1e-11)


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_polynomials_of_the_degree_are_exact_with_mixed_derivatives(dimension):
    """x^3 (1 + y^2) (2 - z^3), whose derivative in all coordinates is 3 x^2 2 y (-3 z^2)."""
    axes = {w: np.linspace(0, 1, 5 + i) ** 1.3 for i, w in enumerate("xyz"[:dimension])}
    factors = (lambda x: x**3, lambda y: 1 + y**2, lambda z: 2 - z**3)
    slopes = (lambda x: 3 * x**2, lambda y: 2 * y, lambda z: -3 * z**2)
    grid = np.meshgrid(*axes.values(), indexing="ij")
    table = Tabulated(axes, np.prod([f(g) for f, g in zip(factors, grid, strict=False)], axis=0))
    X = np.random.default_rng(0).uniform(size=(40, dimension))
    u, mixed = framework.derivatives(
        lambda X: table(None, X), [(0,) * dimension, (1,) * dimension]
    )(X)
    columns = list(X.T)
    expected = [
        np.prod([f(c) for f, c in zip(kind, columns, strict=False)], axis=0)
        for kind in (factors, slopes)
    ]
    np.testing.assert_allclose(u, expected[0], rtol=0, atol=1e-13)
    np.testing.assert_allclose(mixed, expected[1], rtol=0, atol=1e-11)


@pytest.mark.parametrize(("degree", "order"), [(1, 2), (3, 4), (5, 6)])
def test_the_error_falls_with_the_order_of_the_spline(degree, order):
    X = np.linspace(0, 2, 401)[:, None]
    errors = []
    for n in (21, 41, 81):
        axis = np.linspace(0, 2, n)
        table = Tabulated({"x": axis}, np.exp(axis), degree)
        errors.append(np.abs(table(None, X) - np.exp(X[:, 0])).max())
    observed = np.log2(np.array(errors[:-1]) / errors[1:])
    np.testing.assert_allclose(observed, order, atol=0.3)


def test_single_precision_stays_single():
    found = Tabulated({"x": AXIS}, VALUES)(None, POINTS.astype(np.float32))
    assert found.dtype == np.float32
    spline = make_interp_spline(AXIS, VALUES, k=3)
    np.testing.assert_allclose(found, spline(POINTS[:, 0]), rtol=0, atol=3e-6)


def test_outside_the_table():
    X = np.array([[-1.0], [4.0]])
    axis = [0.0, 1.0, 2.0, 3.0]
    cubes = {o: Tabulated({"x": axis}, np.power(axis, 3), outside=o) for o in tabulated_outside()}
    np.testing.assert_allclose(cubes["constant"](None, X), [0, 27], atol=1e-12)
    np.testing.assert_allclose(cubes["extend"](None, X), [-1, 64], atol=1e-12)
    assert np.isnan(cubes["error"](None, X)).all()
    with pytest.raises(EquationError, match=r"k: the table goes from x = 0 to 3, got x = -1"):
        cubes["error"].check(X, "k")
    cubes["extend"].check(X, "k")
    assert np.isfinite(cubes["error"](None, np.array([[0.0], [3.0 + 1e-9]]))).all()


def tabulated_outside():
    return ("error", "constant", "extend")


def test_more_derivatives_than_the_spline_has_are_refused():
    table = Tabulated({"x": AXIS}, VALUES, degree=1)
    pde = CustomPDE({"r": "k*u__x + k__x*u"}, "x y", "u", {"k": table})
    with pytest.raises(EquationError, match="'k' is differentiated 1 times in one coordinate"):
        lower(pde.residuals(), pde.coordinates, pde.fields)


@pytest.mark.parametrize(
    ("axes", "values", "message"),
    [
        ({}, [], "1 to 3 axes, got 0"),
        ({"x": [0, 1, 2]}, [1, 2, 3], "4 values or more for degree 3"),
        ({"x": [0, 1, 1, 2]}, [1, 2, 3, 4], "must be increasing"),
        ({"x": [0, 1, 2, 3]}, [1, 2, 3], r"shape \(4,\).*got shape \(3,\)"),
        ({"x": [0, 1, 2, 3]}, [1, 2, 3, float("nan")], "finite"),
        ({"x": ["a"]}, [1], "must be numbers"),
    ],
)
def test_tables_that_do_not_fit_are_refused(axes, values, message):
    with pytest.raises(EquationError, match=message):
        Tabulated(axes, values)


def test_unknown_choices_are_refused():
    for wrong in ({"degree": 2}, {"outside": "zero"}):
        with pytest.raises(EquationError, match="degree must be 1, 3 or 5"):
            Tabulated({"x": AXIS}, VALUES, **wrong)


def test_equal_content_is_equal():
    one, two = (Tabulated({"x": AXIS}, VALUES) for _ in range(2))
    assert one == two
    assert hash(one) == hash(two)
    assert one != Tabulated({"x": AXIS}, 2 * VALUES)


def test_files(tmp_path):
    axes = {"x": np.linspace(0, 1, 4), "y": np.linspace(0, 2, 5)}
    values = np.add.outer(axes["x"] ** 2, axes["y"])
    expected = Tabulated(axes, values)
    np.savez(tmp_path / "k.npz", k=values, **axes)
    assert Tabulated.read(tmp_path / "k.npz", "k") == expected
    rows = [(x, y, x**2 + y) for y, x in itertools.product(axes["y"], axes["x"])]
    lines = ["x,y,k", *(",".join(map(repr, map(float, row))) for row in rows)]
    (tmp_path / "k.csv").write_text("\n".join(lines))
    assert Tabulated.read(tmp_path / "k.csv", "k") == expected
    with pytest.raises(EquationError, match=r"no column 'q'; there are x, y, k"):
        Tabulated.read(tmp_path / "k.csv", "q")
    (tmp_path / "k.csv").write_text("\n".join(lines[:-1]))
    with pytest.raises(EquationError, match="each of the 20 points of the grid"):
        Tabulated.read(tmp_path / "k.csv", "k")


def test_examples():
    assert doctest.testmod(tabulated, extraglobs={"np": np}).failed == 0

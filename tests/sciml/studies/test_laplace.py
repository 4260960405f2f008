"""Standard errors against closed forms, and against the spread of repeated measurements."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from sciml import (
    LBFGS,
    MLP,
    GaussNewton,
    Points,
    Problem,
    Solver,
    SpectralFeatures,
)
from sciml.equations import CustomPDE, Data, Dirichlet, Given, Integral, Poisson, UnknownParameter
from sciml.framework.errors import ConfigError, ConvergenceWarning
from sciml.geometry import Interval
from sciml.problem.solution import Solution
from sciml.studies.laplace import Laplace, laplace
from sciml.studies.rows import linearised

X = np.linspace(0.0, 2.0, 9)
Y = 1 + 2 * X + 0.1 * np.random.default_rng(0).normal(size=9)
SIGMA = 0.002
PLACES = np.linspace(0.1, 0.9, 25)


def line_solver(
    weight: float = 1e6, values: np.ndarray = Y, places: np.ndarray = X
) -> Solver[Solution]:
    """Return the fit of a straight line: polynomials of degree 3 that hardly may bend."""
    edge = [Data("u", places[:, None], values)]
    problem = Problem(Interval(0, 2), CustomPDE({"bend": "u__x__x"}, "x", "u"), edge)
    return Solver(
        problem,
        SpectralFeatures(degrees=3),
        [GaussNewton()],
        Points(9, 1),
        {"bend": weight},
        dtype="float64",
    )


def found(solver: Solver[Solution], **how: object) -> Laplace:
    return laplace(solver, solver.solve(), **how)  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore:an equation of order:UserWarning")
class TestLine:
    def test_is_that_of_linear_regression(self) -> None:
        """Variance s^2 g (A^T A)^-1 g^T with s^2 = RSS / (n - 2)."""
        A, at = np.stack([np.ones(9), X], axis=1), np.array([0.3, 1.0, 1.9])
        c, (rss,), *_ = np.linalg.lstsq(A, Y, rcond=None)
        result = found(line_solver())
        s = np.sqrt(rss / 7)
        assert result.noise["data: u"] == pytest.approx(s, rel=1e-5)
        g = np.stack([np.ones(3), at], axis=1)
        expected = s * np.sqrt(np.einsum("ij,jk,ik->i", g, np.linalg.inv(A.T @ A), g))
        quantity = result["u"]
        np.testing.assert_allclose(quantity(at), g @ c, rtol=1e-6)
        np.testing.assert_allclose(quantity.standard_deviation(at), expected, rtol=1e-5)
        assert quantity.unit == "-"
        assert result.names == ["u"]
        assert result.identified == {}

    @pytest.mark.parametrize("prior", [None, 0.5])
    def test_posterior_takes_the_equation_as_uncertain(self, prior: float | None) -> None:
        """(J^T J / s^2 + I / tau^2)^-1 with rows of data and of the equation, for any weight."""
        solver = line_solver(weight=1e-2)
        solution = solver.solve()
        result = laplace(solver, solution, 0.1, prior, "posterior")
        assert dict(result.noise) == {"data: u": 0.1}
        trial = solution.trial
        blocks = [
            (c.weight / len(c.arrays[0]), linearised(c, solution.parameters)[1])
            for c in trial.constraints(solver.points, 0, solver.weights)
        ]
        (_, (share, B)) = blocks
        s = 0.1 * np.sqrt(share) / trial.scales.residuals["data: u"]
        precision = sum(J.T @ J for _, J in blocks) / s**2
        if prior is not None:
            precision = precision + np.eye(4) / prior**2
        expected = np.linalg.inv(precision)
        root = result.root
        np.testing.assert_allclose(root @ root.T, expected, rtol=1e-8, atol=1e-12)
        # The data rows are the values over their scale.
        values = B / np.sqrt(share) * trial.scales.residuals["data: u"]
        spread = np.sqrt(np.einsum("ij,jk,ik->i", values, expected, values))
        np.testing.assert_allclose(result["u"].standard_deviation(X), spread, rtol=1e-8)

    def test_refusals(self) -> None:
        solver = line_solver()
        solution = solver.solve()
        with pytest.raises(ConfigError, match="spread must be sampling or posterior, got 'all'"):
            laplace(solver, solution, spread="all")  # type: ignore[arg-type]
        with pytest.raises(ConfigError, match=r"needs noise=\.\.\., got 1.0 and noise=None"):
            laplace(solver, solution, prior=1.0)
        with pytest.raises(ConfigError, match="noise must be positive for each of 'data: u'"):
            laplace(solver, solution, {"data: v": 0.1})
        small = replace(line_solver(values=Y[:1], places=X[:1]), points=Points(1, 1))
        few = small.solve()
        with pytest.raises(ConfigError, match="4 parameters, but 2 residuals only"):
            laplace(small, few)

    def test_a_training_that_is_not_finished_is_warned_about(self) -> None:
        solver = replace(line_solver(), schedule=[LBFGS(2)])
        with pytest.warns(ConvergenceWarning, match="posterior standard deviations away"):
            found(solver)


def conductivity(values: np.ndarray, weight: float = 1e4) -> Solver[Solution]:
    """Return the solver of k u'' + sin(pi x) = 0, whose solution is sin(pi x) / (k pi^2)."""
    pde = CustomPDE({"heat": "k*u__x__x + sin(pi*x)"}, "x", "u", {"k": UnknownParameter(1.0)})
    edge = [Dirichlet("u", "left"), Dirichlet("u", "right"), Data("u", PLACES[:, None], values)]
    problem = Problem(Interval(0, 1), pde, edge)
    return Solver(
        problem,
        SpectralFeatures(degrees=8),
        [LBFGS(1000)],
        Points(30, 1),
        {"heat": weight},
        dtype="float64",
    )


EXACT = np.sin(np.pi * PLACES) / (0.5 * np.pi**2)


def test_spread_of_an_identified_number_is_what_its_standard_error_says() -> None:
    """40 sets of noise, each fitted by a Gauss-Newton step: sum of (k - 0.5)^2 / s^2 is chi^2(40).

    The one parameter family k -> sin(pi x) / (k pi^2) gives s = sigma k^2 pi^2 / |sin(pi x_i)|.
    """
    solver = conductivity(EXACT)
    solution = solver.solve()
    result = laplace(solver, solution, SIGMA)
    stated = result.identified["k"]
    closed = SIGMA * 0.25 * np.pi**2 / np.linalg.norm(np.sin(np.pi * PLACES))
    assert stated.value == pytest.approx(0.5, rel=1e-6)
    assert stated.standard_error == pytest.approx(closed, rel=1e-4)
    assert result.covariance[0, 0] == pytest.approx(stated.standard_error**2, rel=1e-12)

    # One step of the linear problem of each set: the estimate is -(J^T J)^+ J_d^T r_d.
    scale = solution.trial.scales.residuals["data: u"]
    rows = np.arange(30, 55)
    noise = np.random.default_rng(1).normal(size=(40, 25)) * SIGMA / (scale * np.sqrt(25))
    steps = noise @ (result.linear.inverse @ result.linear.U[rows].T).T
    k = solution.trial.numbers
    found_k = [float(k(_moved(solution, s))["k"]) for s in steps]
    total = float(np.sum(((np.array(found_k) - 0.5) / stated.standard_error) ** 2))
    low, high = scipy.stats.chi2.ppf([0.005, 0.995], 40)
    assert low < total < high


def _moved(solution: Solution, step: np.ndarray) -> object:
    network, numbers = solution.parameters
    moved = {"C": network["C"] + step[:-1].reshape(network["C"].shape)}
    return moved, {"k": numbers["k"] + step[-1]}


def test_sampling_error_covers_full_trainings() -> None:
    """Five full trainings on noisy data, with the noise estimated from each."""
    rng, normalised = np.random.default_rng(7), []
    for _ in range(5):
        result = found(conductivity(EXACT + SIGMA * rng.normal(size=25)))
        k = result.identified["k"]
        normalised.append((k.value - 0.5) / k.standard_error)
        assert 0.6 * SIGMA < result.noise["data: u"] < 1.5 * SIGMA
    low, high = scipy.stats.chi2.ppf([0.005, 0.995], 5)
    assert low < float(np.sum(np.square(normalised))) < high


def test_posterior_exceeds_sampling_and_meets_it_for_a_certain_equation() -> None:
    errors = {}
    for weight in (1.0, 1e6):
        solver = conductivity(EXACT, weight)
        solution = solver.solve()
        for spread in ("sampling", "posterior"):
            result = laplace(solver, solution, SIGMA, spread=spread)  # type: ignore[arg-type]
            errors[weight, spread] = result.identified["k"].standard_error
    assert errors[1.0, "posterior"] > 1.5 * errors[1.0, "sampling"]
    assert errors[1e6, "posterior"] == pytest.approx(errors[1e6, "sampling"], rel=1e-3)


def test_an_unknown_field_has_a_standard_deviation() -> None:
    """-u'' = f with f = c_0 + c_1 x unknown and u a cubic: a regression in two functions."""
    f = Given(lambda p, P: p["c"][0] + p["c"][1] * P[:, 0], parameters={"c": np.zeros(2)},
              trained=True)  # fmt: skip
    x = np.linspace(0.05, 0.95, 19)
    # -u'' = 1, -u'' = x with zero ends
    A = np.stack([x * (1 - x) / 2, x * (1 - x**2) / 6], axis=1)
    values = A @ [2.0, -1.0]
    edge = [Dirichlet("u", "left"), Dirichlet("u", "right"), Data("u", x[:, None], values)]
    problem = Problem(Interval(0, 1), Poisson(source=f, dimension=1), edge)
    solver = Solver(
        problem,
        SpectralFeatures(degrees=3),
        [LBFGS(1000)],
        Points(30, 1),
        {"poisson": 1e5},
        dtype="float64",
    )
    result = found(solver, noise=1e-3)
    g = np.array([[1.0, 0.2], [1.0, 0.5]])
    expected = 1e-3 * np.sqrt(np.einsum("ij,jk,ik->i", g, np.linalg.inv(A.T @ A), g))
    np.testing.assert_allclose(result["f"]([0.2, 0.5]), [1.8, 1.5], rtol=1e-4)
    np.testing.assert_allclose(result["f"].standard_deviation([0.2, 0.5]), expected, rtol=1e-3)


def test_what_no_residual_sees_is_refused() -> None:
    """-u'' = f a with data of u alone says nothing of the factors of a product."""
    pde = CustomPDE(
        {"r": "u__x__x + a*b*x"}, "x", "u",
        {"a": UnknownParameter(1.0), "b": UnknownParameter(2.0)},
    )  # fmt: skip
    x = np.linspace(0.1, 0.9, 9)
    edge = [Dirichlet("u", "left"), Dirichlet("u", "right"),
            Data("u", x[:, None], x * (1 - x**2) / 2)]  # fmt: skip
    problem = Problem(Interval(0, 1), pde, edge)
    solver = Solver(
        problem, SpectralFeatures(degrees=3), [LBFGS(100)], Points(20, 1), dtype="float64"
    )
    result = found(solver, noise=0.1)
    with pytest.raises(ConfigError, match="the residuals do not determine a, b"):
        _ = result.identified
    assert np.isfinite(result["u"].standard_deviation(0.5))


def test_data_are_needed_and_integrals_are_rows() -> None:
    problem = Problem(
        Interval(0, 1), Poisson(dimension=1), [Dirichlet("u", "left"), Integral("u", "u", 0.1)]
    )
    solver = Solver(problem, MLP(hidden=(4,)), [LBFGS(20)], Points(30, 5), dtype="float64")
    with pytest.raises(ConfigError, match="no measured values; add Data"):
        found(solver)

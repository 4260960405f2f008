"""Enrichment: closed forms, the equations the functions satisfy, corners, files."""

from __future__ import annotations

import math
from typing import Any

import mpmath as mp
import numpy as np
import pytest

import sciml.framework as fw
from sciml import GaussNewton, Points, Problem, Solver
from sciml.equations import Dirichlet, Laplace
from sciml.framework.errors import ConfigError
from sciml.geometry import Polygon
from sciml.networks import ENRICHMENTS, CornerFunctions, Enrichment, Poles, RandomFeatures
from sciml.runs.config import SCHEMA
from sciml.runs.document import parse
from sciml.runs.dump import plain, yaml_text

X = np.array([[0.4, 0.3], [-0.2, 0.7], [0.9, -0.6]])
COMPLEX = 3.7395941 + 1.1190248j
CORNERS = {
    "real": CornerFunctions([(0.1, -0.2)], (2 / 3, 4.0), (0.3,), length=2.0),
    "two corners": CornerFunctions([(0.1, -0.2), (1.0, 1.0)], (1.5,), (0.3, -2.0)),
    "logarithms": CornerFunctions([(0.1, -0.2)], (2.0, 4.0), (0.3,), logarithms=True),
    "complex": CornerFunctions([(0.1, -0.2)], (COMPLEX,), (0.3,), biharmonic=True),
    "all": CornerFunctions([(0.1, -0.2)], (4.0, COMPLEX), (0.3,), True, True, 1.5),
}


def powers(e: CornerFunctions, x: float, y: float, corner: int) -> list[Any]:
    """r^l exp(+-i l theta) and so on, and their derivatives by l, of one corner."""
    (a, b), turn = e.at[corner], mp.mpf(e.directions[corner])
    z = (mp.mpc(x, y) - mp.mpc(a, b)) / e.length * mp.exp(-1j * turn)
    r, theta = abs(z), mp.arg(z)
    found = []
    for l in map(mp.mpmathify, e.exponents):
        for sense in (1, -1) if l.imag else (1,):
            for lowered in (0, 2) if e.biharmonic else (0,):
                value = r**l * mp.exp(sense * 1j * (l - lowered) * theta)
                found += [value.real, value.imag]
                if e.logarithms:
                    value *= mp.log(r) + sense * 1j * theta
                    found += [value.real, value.imag]
    return found


@pytest.mark.parametrize("name", CORNERS)
def test_corner_functions_are_powers_of_a_complex_number(name: str) -> None:
    """Up to the sign of an imaginary part and the order of columns."""
    e = CORNERS[name]
    got = e(X)
    assert got.shape == (3, e.count)
    for row, (x, y) in zip(got, X, strict=True):
        expected = [float(v) for c in range(len(e.at)) for v in powers(e, x, y, c)]
        np.testing.assert_allclose(sorted(np.abs(row)), sorted(np.abs(expected)), rtol=1e-12)


@pytest.mark.parametrize("name", CORNERS)
def test_corner_functions_are_harmonic_or_biharmonic(name: str) -> None:
    e = CORNERS[name]
    operator = fw.biharmonic if e.biharmonic else fw.laplacian
    size = 4 if e.biharmonic else 2
    for k in range(e.count):
        found = operator(lambda X, k=k: e(X)[:, k])(X)
        parts = fw.derivatives(lambda X, k=k: e(X)[:, k], [(size, 0)])(X)[0]
        assert np.all(np.abs(found) <= 1e-11 * (1 + np.abs(parts)))


def test_poles() -> None:
    centres = [(2.0, 0.0), (0.5, -3.0)]
    e = Poles(centres, 2, biharmonic=True, length=0.5)
    got = e(X)
    assert got.shape == (3, e.count) == (3, 2 * 5 * 2)
    for row, (x, y) in zip(got, X, strict=True):
        expected = []
        for a, b in centres:
            z = complex(x - a, y - b) / 0.5
            one = [math.log(abs(z)), *(v for k in (1, 2) for v in ((z**-k).real, (z**-k).imag))]
            expected += [*one, *(abs(z) ** 2 * v for v in one)]
        np.testing.assert_allclose(sorted(np.abs(row)), sorted(np.abs(expected)), rtol=1e-13)
    plain_poles = Poles(centres, 3)
    for k in range(plain_poles.count):
        found = fw.laplacian(lambda X, k=k: plain_poles(X)[:, k])(X)
        np.testing.assert_allclose(found, 0.0, atol=1e-12)
    for k in range(e.count):
        found = fw.biharmonic(lambda X, k=k: e(X)[:, k])(X)
        np.testing.assert_allclose(found, 0.0, atol=1e-10)
    assert Poles([(2.0, 0.0)], 0)(X).shape == (3, 1)


def test_values_and_what_is_finite_of_derivatives_at_the_corner_itself() -> None:
    e = CornerFunctions([(0.0, 0.0)], (2.0, 3.0))
    corner = np.zeros((1, 2))
    np.testing.assert_allclose(e(corner), 0.0, atol=1e-30)
    second = fw.derivatives(lambda X: e(X)[:, 0], [(2, 0), (0, 2), (1, 1)])(corner)
    np.testing.assert_allclose([d[0] for d in second], [2.0, -2.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("e", [*CORNERS.values(), Poles([(2, 0)], 4)])
def test_written_to_yaml_and_read_back(e: Enrichment) -> None:
    text = yaml_text({"e": plain(e, Enrichment, SCHEMA)})
    node = parse(text, "run.yaml").value["e"]  # type: ignore[index,call-overload]
    assert SCHEMA.build(Enrichment, node) == e


@pytest.mark.parametrize(
    "build",
    [
        lambda: CornerFunctions([(0, 0), (1, 0)], (1.5,)),
        lambda: CornerFunctions([(0, 0)], ()),
        lambda: CornerFunctions([(0, 0)], (1.5,), length=0.0),
        lambda: Poles([]),
        lambda: Poles([(0, 0)], -1),
        lambda: Poles([(0, 0)], length=-1.0),
    ],
)
def test_mistakes(build: Any) -> None:
    with pytest.raises(ConfigError, match=r"CornerFunctions|Poles"):
        build()
    assert set(ENRICHMENTS) == {"CornerFunctions", "Poles"}


def test_an_enriched_space_finds_a_singular_solution() -> None:
    """r^(2/3) sin(2 theta / 3) on the L: four digits less without the function of the corner."""
    shape = Polygon(((-1, -1), (0, -1), (0, 0), (1, 0), (1, 1), (-1, 1)))
    middle = 3 * np.pi / 4

    def exact(X: Any) -> Any:
        z = (X[:, 0] + 1j * X[:, 1]) * np.exp(-1j * middle)
        return np.abs(z) ** (2 / 3) * np.cos(2 / 3 * np.angle(z))

    c, s = math.cos(middle), math.sin(middle)
    r, theta = "(x**2 + y**2)", f"atan2({c}*y - {s}*x, {c}*x + {s}*y)"
    value = f"{r}**(1/3)*cos(2/3*{theta})"
    problem = Problem(shape, Laplace(), [Dirichlet("u", "edges", value, hard=False)])
    errors = []
    for enrichment in ((), (CornerFunctions([(0, 0)], (2 / 3,), (middle,)),)):
        network = RandomFeatures(features=60, enrichment=enrichment)
        solution = Solver(problem, network, [GaussNewton(4)], Points(300, 300)).solve()
        at = np.random.default_rng(0).uniform(0.05, 0.95, (100, 2)) * [-1, 1]
        errors.append(np.max(np.abs(solution["u"](*at.T) - exact(at))))
    assert errors[0] > 1e-2
    assert errors[1] < 1e-6

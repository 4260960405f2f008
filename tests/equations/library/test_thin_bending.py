"""Edges of beams, of plates under forces in their plane and of orthotropic plates."""

import numpy as np
import pytest
import sympy

from sciml.equations import (
    Clamped,
    Dirichlet,
    ElasticEdge,
    EulerBernoulliBeam,
    FoundationPlate,
    Free,
    FreeCorner,
    Guided,
    KirchhoffPlate,
    OrthotropicPlate,
    PlateBuckling,
    Poisson,
    SimplySupported,
    TimoshenkoBeam,
    VonKarmanPlate,
    ansatz,
)
from sciml.framework.errors import EquationError
from sciml.geometry import Disk, Interval, Rectangle, Triangle

x, y = sympy.symbols("x y")
nx, ny, kappa = sympy.symbols("n_x n_y kappa")


def at_ends(condition, beam, w):
    """Return the residuals of a condition on the left and the right end of [0, L]."""
    found = condition.residuals(beam)
    return [
        [sympy.simplify(r.subs(beam.w, w).doit().subs({nx: n, x: end})) for r in found.values()]
        for n, end in ((-1, 0), (1, 2))
    ]


def test_beams_with_uniform_load_meet_their_ends():
    """Deflections q x^2 (6 L^2 - 4 L x + x^2)/24 B and so on (Gere and Goodno, table H)."""
    L, beam = 2, EulerBernoulliBeam(rigidity=5, load=3)
    scale = sympy.Rational(3, 24 * 5)
    cantilever = scale * x**2 * (6 * L**2 - 4 * L * x + x**2)
    assert at_ends(Clamped("left"), beam, cantilever)[0] == [0, 0]
    assert at_ends(Free("right"), beam, cantilever)[1] == [0, 0]
    simple = scale * x * (L**3 - 2 * L * x**2 + x**3)
    assert at_ends(SimplySupported("boundary"), beam, simple) == [[0, 0], [0, 0]]
    # Half of the simple beam, which slides in the middle.
    half = simple.subs(x, x + 1)
    assert at_ends(Guided("left"), beam, half)[0] == [0, 0]


def test_a_beam_on_springs_carries_its_load_by_them():
    """A rigid shift by q L/(2 k) of the simple beam."""
    q, k, B, L = 3, 7, 5, 2
    beam = EulerBernoulliBeam(rigidity=B, load=q)
    simple = sympy.Rational(q, 24 * B) * x * (L**3 - 2 * L * x**2 + x**3)
    shifted = simple + sympy.Rational(q * L, 2 * k)
    assert at_ends(ElasticEdge("boundary", k), beam, shifted) == [[0, 0], [0, 0]]


def test_a_column_buckles_with_its_free_end():
    """Euler's case: w = 1 - cos(pi x/2L), N = B (pi/2L)^2, with the thrust in the end shear."""
    B, L = sympy.Symbol("B", positive=True), 2
    a = sympy.pi / (2 * L)
    column = EulerBernoulliBeam(rigidity=B, load=0, thrust=B * a**2)
    w = 1 - sympy.cos(a * x)
    assert at_ends(Clamped("left"), column, w)[0] == [0, 0]
    assert at_ends(Free("right"), column, w)[1] == [0, 0]
    assert sympy.simplify(column.residuals()["beam"].subs(column.w, w).doit()) == 0


@pytest.mark.parametrize("plate", [
    FoundationPlate(poisson_ratio=0, pasternak=2, thrust=0.5, winkler=3),
    PlateBuckling(poisson_ratio=0, thrust_x=-1.5, thrust_y=0, load=0),
    KirchhoffPlate(poisson_ratio=0),
    OrthotropicPlate(rigidity_x=2, coupling=0),
], ids=lambda p: type(p).__name__)  # fmt: skip
def test_edge_terms_make_the_energy_stationary(plate):
    """For u = w v of a strip 0 < x < 1, int r v dx = energy terms + [M_n v_n - V_n v] at ends.

    Green's formula for fields of x alone: with r the residual without load,
    int r v = int (-M v'' + N w' v' + k w v) - [V v] + [M v'], by partial integration.
    """
    w, v = sympy.sin(2 * x) + x**3, x**2 + sympy.cos(x)
    q = 0 if isinstance(plate, PlateBuckling) else 1
    r = plate.residuals()["plate"].subs(plate.w, w).doit() + q
    M = plate.moments()[0][0].subs(plate.w, w).doit()
    N = plate.membrane_forces()[0][0]
    k = 3 if isinstance(plate, FoundationPlate) else 0
    inside = -M * v.diff(x, 2) + N * w.diff(x) * v.diff(x) + k * w * v
    ends = 0
    for n, end in ((-1, 0), (1, 1)):
        on = {nx: n, ny: 0, kappa: 0, x: end}
        M_n, V_n = (e.subs(plate.w, w).doit() for e in
                    (plate.normal_moment(), plate.effective_shear()))  # fmt: skip
        ends += (M_n * n * v.diff(x) - V_n * v).subs(on)
    left = sympy.Integral(r * v, (x, 0, 1)).evalf()
    right = sympy.Integral(inside, (x, 0, 1)).evalf() + sympy.N(ends)
    assert abs(left - right) < 1e-12


@pytest.mark.parametrize("plate", [
    OrthotropicPlate(2, 3, 0.5, 0.7, 0), KirchhoffPlate("1 + x*y/5", 0.3, 0),
    PlateBuckling(2, 0.3, thrust_x=1.5, thrust_y=-0.7, shear=0.4),
    FoundationPlate(2, 0.3, 0, winkler=0, pasternak=0.4),
], ids=lambda p: type(p).__name__)  # fmt: skip
@pytest.mark.parametrize("shape", [
    Disk((0.1, 0.2), 0.8), Triangle((0, 0), (1, 0.2), (0.3, 0.9)), Rectangle((0, 0), (1, 0.7)),
], ids=lambda s: type(s).__name__)  # fmt: skip
def test_edges_and_corners_balance_the_work_of_moments(plate, shape):
    """Green's formula by Gauss rules, with twist, curvature, forces along and corner forces.

    int r v = int (-M : grad grad v + N grad w . grad v) + [M_n v_n - V_n v] - sum of R v.
    """
    w, v, X = sympy.sin(x + 2 * y) + x**3 * y, sympy.cos(x) * y + x**2, (x, y)
    (residual,) = plate.residuals().values()
    r, M_n, V_n, *tensors = (
        e.subs(plate.w, w).doit()
        for e in (residual, plate.normal_moment(), plate.effective_shear(),
                  sympy.Matrix(plate.moments()), sympy.Matrix(plate.membrane_forces()))
    )  # fmt: skip
    M, N = tensors
    work = sum(
        -M[i, j] * v.diff(X[i], X[j]) + N[i, j] * w.diff(X[i]) * v.diff(X[j])
        for i in range(2) for j in range(2)
    )  # fmt: skip
    inside, edge = shape.quadrature(30), shape.boundary_quadrature("boundary", 80)
    left = np.sum(inside.weights * sympy.lambdify(X, r * v - work)(*inside.points.T))
    at_edge = sympy.lambdify((*X, nx, ny, kappa), M_n * (nx * v.diff(x) + ny * v.diff(y)) - V_n * v)
    values = at_edge(*edge.points.T, *edge.normals.T, edge.curvatures)
    right = np.sum(edge.weights * values)
    for corner in shape.corners:
        at = shape.sample_boundary(corner, 1)
        R = FreeCorner(corner).residuals(plate)["R"].subs(plate.w, w).doit()
        at_corner = sympy.lambdify((*X, nx, ny, kappa), R * v)
        right -= at_corner(*at.points[0], *at.normals[0], at.curvatures[0])
    assert left == pytest.approx(right, abs=1e-12)


def test_an_edge_in_tension_pulls_back():
    """V_n = N_n w_n + N_ns w_s for a plane w, with forces from Airy's F = x^2 y."""
    plate = VonKarmanPlate()
    w, F = plate.fields
    n = (sympy.Rational(3, 5), sympy.Rational(4, 5))
    V = plate.effective_shear(n, 0).subs({w: 2 * x + 5 * y}).doit().subs({F: x**2 * y}).doit()
    N_x, N_y, N_xy = 0, 2 * y, -2 * x
    expected = n[0] * (2 * N_x + 5 * N_xy) + n[1] * (2 * N_xy + 5 * N_y)
    assert sympy.expand(V - expected) == 0


def test_a_clamped_beam_is_exact_by_form():
    beam = EulerBernoulliBeam()
    trial = ansatz(Interval(0, 1), [Clamped("left"), Free("right")], beam.w)
    assert [name for _, name in trial.hard] == ["w", "w_n"]
    assert [s.name for s in trial.soft] == ["M_n", "V_n"]


def test_members_with_shear_deformation_and_others_are_refused():
    for pde in (TimoshenkoBeam(), Poisson()):
        with pytest.raises(EquationError, match=r"thin beam or plate|no field"):
            Clamped("left").residuals(pde)
    with pytest.raises(EquationError, match="got 'F' of VonKarmanPlate"):
        Clamped("left", field="F").residuals(VonKarmanPlate())
    with pytest.raises(EquationError, match="FreeCorner on 'left': a beam has no corners"):
        FreeCorner("left").residuals(EulerBernoulliBeam())
    assert Dirichlet("phi", "left").residuals(TimoshenkoBeam())

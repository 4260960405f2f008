"""What every condition keeps, checked for all of them by the same tests."""

from dataclasses import dataclass
from typing import final

import pytest
import sympy

from sciml.equations import CONDITIONS, PDE, BoundaryCondition, KEpsilon, KirchhoffPlate, Poisson
from sciml.framework.errors import EquationError, ParseError

t, x, y = sympy.symbols("t x y")


@final
@dataclass(frozen=True)
class Everything(PDE):
    """Two components and a scalar in the plane and time; only names matter here."""

    coordinates = property(lambda self: (x, y, t))
    fields = property(lambda self: tuple(sympy.Function(n)(x, y, t) for n in ("u", "v", "p")))

    def residuals(self):
        return {f.func.__name__: f.diff(t) - f.diff(x, 2) - f.diff(y, 2) for f in self.fields}

    def derived(self):
        return {"vorticity": self.fields[1].diff(x) - self.fields[0].diff(y)}

    def units(self):
        return dict.fromkeys(("x", "y", "t", "u", "v", "p", "vorticity"), "-")

    def manufactured(self):
        return {f.func.__name__: sympy.sin(x + y + t) for f in self.fields}


PLATE, FLOW, TURBULENT = KirchhoffPlate(), Everything(), KEpsilon()
ARGUMENTS = {
    "Clamped": ("edges",),
    "Data": ("u", [(0.1, 0.2, 0.3), (0.4, 0.5, 0.6)], [1.0, 2.0]),
    "Dirichlet": ("u", "edges", "x*y"),
    "ElasticEdge": ("edges", 2.0, 3.0),
    "Free": ("edges",),
    "FreeCorner": ("corners",),
    "Guided": ("edges",),
    "Initial": ("u", "x*y", "x + y"),
    "Integral": ("u", "u*n_x + v*n_y", 1.0, "edges.right"),
    "Neumann": ("u", "edges"),
    "NoSlip": ("edges", ("u", "v"), ("y", 0)),
    "OpenBoundary": ("u", "edges", 2),
    "Operator": ("u", "edges", "u__x - vorticity*n_x"),
    "PerfectConductor": ("edges", ("u", "v")),
    "Periodic": ("u", "edges.left", "x", 2.0, 1),
    "PointValue": ("p", (0.0, 0.0, 0.0)),
    "Robin": ("u", "edges", "x", 2, 3),
    "SimplySupported": ("edges",),
    "Sommerfeld": ("edges",),
    "Symmetry": ("edges", ("u", "v"), ("p",)),
    "WallFunction": ("edges", 0.01),
}
PLATES = {"Clamped", "ElasticEdge", "Free", "FreeCorner", "Guided", "SimplySupported"}
VALUES = {"Dirichlet", "Neumann", "Periodic", "Robin"}
every_condition = pytest.mark.parametrize("name", CONDITIONS)


def build(name):
    return CONDITIONS[name](*ARGUMENTS[name])


def pde_of(name):
    if name == "WallFunction":
        return TURBULENT
    return PLATE if name in PLATES else FLOW


@every_condition
def test_residuals_are_those_it_names(name):
    condition = build(name)
    assert tuple(condition.residuals(pde_of(name))) == condition.names


@every_condition
def test_fields_are_those_of_the_equation_and_occur(name):
    condition, pde = build(name), pde_of(name)
    found = set()
    for residual in condition.residuals(pde).values():
        found |= {f for f in pde.fields if residual.has(f)}
    assert {pde.field(f) for f in condition.fields} <= found


@every_condition
def test_each_residual_on_a_boundary_belongs_to_one_of_its_fields(name):
    condition = build(name)
    if isinstance(condition, BoundaryCondition):
        assert {owner for owner, _ in condition.prescribes.values()} <= set(condition.fields)
        assert condition.where == condition.part


@every_condition
def test_the_hard_form_satisfies_some_of_its_residuals(name):
    condition = build(name)
    if isinstance(condition, BoundaryCondition):
        for field in condition.fields:
            form = condition.hard_form(field)
            if form is not None:
                assert set(form.satisfies) <= set(condition.names)
                assert form.satisfies
                assert "N" in form.ansatz or "F" in form.ansatz


@every_condition
def test_residuals_name_only_what_is_known_in_their_place(name):
    place = {"n_x", "n_y", "kappa"} if name not in ("Data", "PointValue") else {"measured"}
    for residual in build(name).residuals(pde_of(name)).values():
        assert {str(s) for s in residual.free_symbols} <= {"x", "y", "t"} | place


@pytest.mark.parametrize("name", sorted(set(CONDITIONS) - VALUES))
def test_an_equation_that_lacks_what_it_needs_is_refused(name):
    reason = (
        r"thin beam or plate|KEpsilon|no field|needs the time|need the coordinates|unknown name"
    )
    with pytest.raises((EquationError, ParseError), match=reason):
        build(name).residuals(Poisson())


@every_condition
def test_conditions_are_values(name):
    assert build(name) == build(name)
    assert hash(build(name)) == hash(build(name))

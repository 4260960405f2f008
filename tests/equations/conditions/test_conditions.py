"""What every condition keeps, checked for all of them by the same tests."""

import pytest

from sciml.equations import CONDITIONS, KirchhoffPlate, Poisson
from sciml.framework.errors import EquationError

PLATE = KirchhoffPlate()
ARGUMENTS = {"Dirichlet": ("w", "edges"), "Neumann": ("w", "edges")}
every_condition = pytest.mark.parametrize("name", CONDITIONS)


def build(name, **changes):
    return CONDITIONS[name](*ARGUMENTS.get(name, ("edges",)), **changes)


@every_condition
def test_residuals_are_those_it_prescribes(name):
    condition = build(name)
    assert list(condition.residuals(PLATE)) == list(condition.prescribes.values())


@every_condition
def test_the_hard_form_satisfies_some_of_its_residuals(name):
    form = build(name).hard_form
    if form is not None:
        assert set(form.satisfies) <= set(build(name).residuals(PLATE))
        assert len(form.satisfies) == form.power
        assert form.ansatz.startswith("g + phi")


@every_condition
def test_residuals_name_only_coordinates_normals_and_curvature(name):
    for residual in build(name).residuals(PLATE).values():
        assert {str(s) for s in residual.free_symbols} <= {"x", "y", "n_x", "n_y", "kappa"}


@every_condition
def test_plate_conditions_refuse_another_equation(name):
    condition = build(name)
    with pytest.raises(EquationError, match=r"KirchhoffPlate|no field 'w'"):
        condition.residuals(Poisson())


@every_condition
def test_conditions_are_values(name):
    assert build(name) == build(name)
    assert hash(build(name)) == hash(build(name))

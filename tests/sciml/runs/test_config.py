"""One document for each condition and each kind of coefficient, there and back."""

from __future__ import annotations

import numpy as np
import pytest

from sciml.equations import (
    CONDITIONS,
    CustomPDE,
    Diffusion,
    KEpsilon,
    KirchhoffPlate,
    Poisson,
    Tabulated,
    UnknownParameter,
)
from sciml.framework.errors import ConfigError
from sciml.runs.config import SCHEMA, RunConfig, to_plain
from sciml.runs.document import parse
from sciml.runs.dump import yaml_text
from sciml.training.balancers import BALANCERS

HEAD = "name: test\ngeometry: {type: Rectangle}\n"
PLAIN = "pde: {type: Poisson}\n"


def build(text: str, source: str = "test.yaml") -> RunConfig:
    config: RunConfig = SCHEMA.build(RunConfig, parse(text, source))
    return config


CONDITION_TEXTS = {
    "Clamped": "part: edges, slope: x",
    "Data": "field: u, points: [[0.1, 0.2], [0.3, 0.4]], values: [1, 2.5]",
    "Dirichlet": "field: u, part: edges, value: sin(pi*x)",
    "ElasticEdge": "part: edges, stiffness: 2",
    "Free": "part: edges.left",
    "FreeCorner": "part: corners",
    "Guided": "part: edges.left",
    "Initial": "field: u, value: x, rate: 0, part: edges.bottom",
    "Integral": "field: u, expression: u*n_x, value: 1, part: edges.right",
    "Neumann": "field: u, part: edges, value: {type: Tabulated, axes: {x: [0, 1]}, values: [1, 2], "
    "degree: 1, name: g}",
    "NoSlip": "part: edges, velocity: [u, v], values: [x, 0]",
    "OpenBoundary": "field: u, part: edges.right, speed: 340",
    "Operator": "field: u, part: edges, expression: u__x__x - u",
    "PerfectConductor": "part: edges, electric: [E_x, E_y]",
    "Periodic": "field: u, part: edges.left, period: 2",
    "PointValue": "field: u, at: [0, 0.5], value: 2",
    "Robin": "field: u, part: edges, value: 3, a: 2",
    "SimplySupported": "part: edges",
    "Sommerfeld": "part: edges.right, real: p_re, imaginary: p_im, wave_number: 3",
    "Symmetry": "part: edges.left, vector: [u, v], scalars: [p]",
    "WallFunction": "part: edges.bottom, distance: 0.01, rate: omega",
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_every_condition_is_read_and_written(name: str) -> None:
    text = f"{HEAD}{PLAIN}conditions:\n- {{type: {name}, {CONDITION_TEXTS[name]}}}\n"
    config = build(text)
    (condition,) = config.conditions
    assert type(condition) is CONDITIONS[name]
    assert build(yaml_text(to_plain(config))) == config


BALANCER_KEYS = {
    "Combined": "balancers: [{type: Causal, sharpness: [1, 10]}, {type: GradNorm}]",
    "WeightFunctions": "functions: {poisson: sdf}",
}


@pytest.mark.parametrize("name", BALANCERS)
def test_every_balancer_is_read_and_written(name: str) -> None:
    keys = BALANCER_KEYS.get(name, "every: 7")
    weights = f"{{type: {name}, {keys}, factors: {{poisson: 2}}}}"
    config = build(f"{HEAD}{PLAIN}solver: {{weights: {weights}}}\n")
    assert type(config.solver.weights) is BALANCERS[name]
    assert config.build().factors == {"poisson": 2.0}
    assert build(yaml_text(to_plain(config))) == config


def test_weights_without_a_type_are_numbers_by_name() -> None:
    config = build(f"{HEAD}{PLAIN}solver: {{weights: {{poisson: 3, 'edges: u': 0.5}}}}\n")
    assert config.solver.weights == {"poisson": 3.0, "edges: u": 0.5}
    assert build(yaml_text(to_plain(config))) == config


COEFFICIENTS = {
    "a quantity": (
        "{type: KirchhoffPlate, rigidity: 210 kN m, load: 0.3 MPa}",
        KirchhoffPlate(rigidity="210 kN m", load="0.3 MPa"),
    ),
    "a text": ("{type: Poisson, source: 2*sin(x)}", Poisson("2*sin(x)")),
    "a table": (
        "{type: Poisson, coefficient: {type: Tabulated, axes: {x: [0, 1], y: [0, 2]}, "
        "values: [[1, 2], [3, 4]], degree: 1, outside: constant}}",
        Poisson(
            coefficient=Tabulated(
                {"x": [0, 1], "y": [0, 2]}, np.array([[1, 2], [3, 4]]), 1, "constant"
            )
        ),
    ),
    "a number to be found": (
        "{type: Diffusion, diffusivity: {type: UnknownParameter, start: 1, bounds: [0, null]}}",
        Diffusion(UnknownParameter(1.0, (0.0, None))),
    ),
    "a vector": (
        "{type: KEpsilon, force: [1, x], steady: true}", KEpsilon(force=(1.0, "x"), steady=True)
    ),
    "one's own equation": (
        "{type: CustomPDE, over: x t, equations: {r: I*psi__t + k*psi__x__x}, "
        "complex_unknowns: psi, coefficients: {k: {type: UnknownParameter, start: 2}}}",
        CustomPDE(
            {"r": "I*psi__t + k*psi__x__x"}, "x t", complex_unknowns="psi",
            coefficients={"k": UnknownParameter(2.0)},
        ),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", COEFFICIENTS)
def test_every_kind_of_coefficient_is_read_and_written(kind: str) -> None:
    text, expected = COEFFICIENTS[kind]
    config = build(f"{HEAD}pde: {text}\n")
    assert config.pde == expected
    assert build(yaml_text(to_plain(config))) == config


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "conditions:\n- type: WallFunction\n  part: edges\n  distance: 0.1\n  hight: 1\n",
            r"test\.yaml:8: unknown key 'conditions\.0\.hight'",
        ),
        ("conditions:\n- {type: WallFunctions, part: edges}\n", "did you mean 'WallFunction'"),
        ("points:\n  inside: 3\n", r"test\.yaml:5: unknown key 'points\.inside'"),
        ("conditions:\n- {type: Dirichlet, part: edges}\n", "missing key 'conditions.0.field'"),
    ],
)
def test_unknown_keys_are_refused_with_their_line(text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        build(f"{HEAD}{PLAIN}{text}")


@pytest.mark.parametrize(
    ("pde", "message"),
    [
        ("{type: KirchhoffPlate, rigidity: 210 GPa}", r"test\.yaml:3: .*rigidity is declared in"),
        ("{type: Poisson, coefficient: {type: Table}}", "unknown type 'Table' for .*Tabulated"),
        (
            "{type: Poisson, coefficient: {type: Tabulated, axes: {x: [0]}, values: [1]}}",
            r"test\.yaml:3: 'pde\.coefficient': Tabulated: the axis 'x' must be increasing",
        ),
        (
            "{type: Diffusion, diffusivity: {type: UnknownParameter, start: 3, bounds: [0, 1]}}",
            "the start must be finite and between the bounds 0 and 1, got 3",
        ),
    ],
)
def test_wrong_coefficients_are_refused_with_their_line(pde: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        build(f"{HEAD}pde: {pde}\n")

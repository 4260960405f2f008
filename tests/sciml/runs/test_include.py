"""Files that build on others."""

from __future__ import annotations

from pathlib import Path

import pytest

from sciml.framework.errors import ConfigError
from sciml.runs import catalogue

BASE = """\
name: base
geometry: {type: Rectangle, upper: [2, 1]}
pde: {type: Poisson, source: x}
conditions: [{type: Dirichlet, field: u, part: edges}, {type: Dirichlet, field: u, part: edges}]
solver: {seed: 3, weights: {poisson: 2}}
"""


def write(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.yaml").write_text(text)
    return folder / f"{next(iter(texts))}.yaml"


def test_mappings_merge_and_the_rest_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    write(tmp_path / "sub", base=BASE, other="include: base.yaml\nsolver: {seed: 4}\n")
    path = write(
        tmp_path,
        run="include: sub/other.yaml\nname: run\nsolver: {dtype: float64}\n"
        "conditions: [{type: Dirichlet, field: u, part: edges.left}]\n",
    )
    config = catalogue.load(str(path), ["solver.threads=1"])
    assert (config.name, config.pde.source) == ("run", "x")
    assert (config.solver.seed, config.solver.dtype, config.solver.threads) == (4, "float64", 1)
    assert config.solver.weights == {"poisson": 2}
    assert [c.where for c in config.conditions] == ["edges.left"]


def test_later_files_win_and_another_type_replaces(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        run="include: [base.yaml, disk.yaml]\nconditions: []\n",
        base=BASE,
        disk="geometry: {type: Disk, radius: 2}\nname: disk\n",
    )
    config = catalogue.load(str(path))
    assert config.name == "disk"
    assert config.geometry.bounding_box == ((-2.0, -2.0), (2.0, 2.0))


def test_a_shipped_problem_is_included_by_name(tmp_path: Path) -> None:
    path = write(tmp_path, mine="include: kirchhoff_plate\nname: mine\npoints: {interior: 77}\n")
    config = catalogue.load(str(path))
    assert (config.name, config.points.interior, config.points.boundary) == ("mine", 77, 200)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"a": "include: b.yaml\n", "b": "include: a.yaml\n"},
         r"b\.yaml:1: 'include': files include each other: a\.yaml -> b\.yaml -> a\.yaml"),
        ({"a": "\ninclude: none.yaml\n"},
         r"a\.yaml:2: 'include': .*none\.yaml: cannot be read: No such file"),
        ({"a": "include: [3]\n"}, r"a\.yaml:1: 'include' needs the name of a file .*, got 3"),
        ({"a": "include: b.yaml\n", "b": BASE + "sovler: {}\n"},
         r"b\.yaml:6: unknown key 'sovler'; did you mean 'solver'"),
        ({"a": "include: b.yaml\n", "b": "a: [\n"}, r"b\.yaml:2: not valid YAML"),
        ({"a": "include: b.yaml\n\nsolver: {sed: 1}\n", "b": BASE},
         r"a\.yaml:3: unknown key 'solver\.sed'"),
    ],
)  # fmt: skip
def test_mistakes_name_the_file_they_are_in(
    tmp_path: Path, texts: dict[str, str], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        catalogue.load(str(write(tmp_path, **texts)))

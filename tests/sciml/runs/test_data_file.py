"""Numbers that stand in files of their own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sciml.framework.errors import ConfigError
from sciml.runs import catalogue
from sciml.runs.config import RunConfig

HEAD = """\
name: heat
geometry: {type: Rectangle}
pde:
  {type: Diffusion, dimension: 1,
   diffusivity: {type: UnknownParameter, start: 1, bounds: [0, null]}}
"""


def load(folder: Path, text: str, *overrides: str) -> RunConfig:
    (folder / "run.yaml").write_text(HEAD + text)
    return catalogue.load(str(folder / "run.yaml"), overrides)


def test_measured_values_come_from_csv(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("t,sensor,u,x\n0.5,1,2.25,0.1\n0.75,2,1e-3,0.2\n")
    config = load(
        tmp_path,
        "conditions:\n- type: Data\n  field: u\n  points: {file: d.csv, columns: [x, t]}\n"
        "  values: {file: d.csv, columns: u}\n",
    )
    (data,) = config.conditions
    assert data.points == ((0.1, 0.5), (0.2, 0.75))
    assert data.values == (2.25, 1e-3)
    (tmp_path / "again.yaml").write_text(catalogue.text(config))
    (tmp_path / "d.csv").unlink()  # what was read is written out
    assert catalogue.load(str(tmp_path / "again.yaml")).conditions == config.conditions


def test_tables_come_from_arrays(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    x, values = np.linspace(0, 1, 5), 1 + np.linspace(0, 1, 5) ** 2
    np.savez(tmp_path / "data" / "k.npz", x=x, k=values)
    np.save(tmp_path / "data" / "k.npy", values)
    for source in ("file: data/k.npz, array: k", "file: data/k.npy"):
        text = (
            "name: steady\ngeometry: {type: Rectangle}\npde:\n  type: Poisson\n"
            "  coefficient:\n    type: Tabulated\n"
            f"    axes: {{x: {{file: data/k.npz, array: x}}}}\n    values: {{{source}}}\n"
        )
        (tmp_path / "run.yaml").write_text(text)
        table = catalogue.load(str(tmp_path / "run.yaml")).pde.coefficient
        np.testing.assert_array_equal(table.values, values)
        np.testing.assert_array_equal(table.axes["x"], x)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("{file: d.csv}", r"run\.yaml:10: expected \{file: NAME\.csv, columns: \.\.\.\}"),
        ("{file: d.txt, columns: u}", r"run\.yaml:10: expected \{file: NAME\.csv"),
        ("{file: 3}", r"run\.yaml:10: expected \{file: NAME\.csv"),
        ("{file: none.csv, columns: u}", r"run\.yaml:10: .*none\.csv: cannot be read: No such"),
        ("{file: d.csv, columns: v}", r"d\.csv: cannot be read: the first line names no 'v', only"),
        ("{file: d.csv, columns: [[u]]}", r"names no \['u'\]"),
        ("{file: d.csv, columns: bad}", r"could not convert string to float: 'a'"),
        ("{file: d.npz, array: v}", r"no array 'v', only \['u', 'words'\]"),
        ("{file: d.npz, array: words}", r"expected an array of numbers, got <U1"),
        ("{file: d.npy}", r"d\.npy: cannot be read"),
    ],
)
def test_files_that_do_not_fit_are_refused_with_their_place(
    tmp_path: Path, source: str, message: str
) -> None:
    (tmp_path / "d.csv").write_text("u,bad\n1,a\n")
    np.savez(tmp_path / "d.npz", u=np.ones(1), words=np.array(["a"]))
    (tmp_path / "d.npy").write_bytes(b"\x93NUMPY")
    text = f"conditions:\n- type: Data\n  field: u\n  points: [[0, 0]]\n  values: {source}\n"
    with pytest.raises(ConfigError, match=message):
        load(tmp_path, text)

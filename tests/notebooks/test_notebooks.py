"""Every notebook runs from top to bottom, is stored with its outputs, and holds no error.

    python tests/notebooks/test_notebooks.py     # run at full size and store the outputs
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
# What the cell tagged "parameters" is replaced by, so that a test run takes seconds.
SMALL = {
    "01_kirchhoff_plate": "hidden, adam_steps, lbfgs_steps = (16, 16), 30, 60",
    "02_high_order_gradients": (
        "points, orders, soliton_steps, plate_steps = 64, range(1, 4), 10, 10\npeers = ()"
    ),
    "03_own_equation": "steps, widths, wave_steps = 20, (2, 4), 20",
    "04_own_geometry": "steps, points = 12, 60",
}


def execute(notebook: Any, folder: Path) -> None:
    from nbclient import NotebookClient

    NotebookClient(notebook, timeout=600, kernel_name="python3",
                   resources={"metadata": {"path": str(folder)}}).execute()  # fmt: skip


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebook_runs(path: Path, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(path, as_version=4)
    (parameters,) = [
        c for c in notebook.cells if "parameters" in c.metadata.get("tags", [])
    ]
    parameters.source = SMALL[path.stem]
    execute(notebook, tmp_path)
    outputs = [o for c in notebook.cells if c.cell_type == "code" for o in c.outputs]
    assert any("image/png" in o.get("data", {}) for o in outputs)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebook_is_stored_with_outputs_and_without_local_paths(path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(path, as_version=4)
    code = [c for c in notebook.cells if c.cell_type == "code"]
    assert [c.execution_count for c in code] == list(range(1, len(code) + 1))
    outputs = [o for c in code for o in c.outputs]
    assert any("image/png" in o.get("data", {}) for o in outputs)
    assert not [o for o in outputs if o.output_type == "error" or o.get("name") == "stderr"]
    assert str(Path.home()) not in path.read_text()


def main() -> None:
    import nbformat

    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        execute(notebook, FOLDER)
        for cell in notebook.cells:
            cell.metadata.pop("execution", None)
        nbformat.write(notebook, path)


if __name__ == "__main__":
    main()

"""A run that is killed at any moment and resumed ends with the same bits."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sciml.runs.checkpoints import latest
from sciml.training.checkpoint import load

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills processes")
CONFIG = """\
name: tiny
geometry: {type: Rectangle}
pde: {type: Poisson, source: sin(pi*x)*sin(pi*y)}
conditions: [{type: Dirichlet, field: u, part: edges, hard: false}]
network: {type: MLP, hidden: [6, 6]}
points: {interior: 40, boundary: 24}
solver:
  threads: 1
  dtype: float64
  schedule:
    - {type: Adam, steps: 6000}
    - {type: RARD}
    - {type: LBFGS, steps: 1500}
outputs: {figures: false, fields: false, report: false, record_every: 3, checkpoint_every: 25}
"""
MAIN = [sys.executable, "-c", "from sciml.cli import main; main()"]


def rows(folder: Path) -> list[list[str]]:
    """Return the history without times."""
    lines = (folder / "history.csv").read_text().splitlines()
    return [[cell for i, cell in enumerate(line.split(",")) if i != 5] for line in lines]


def newest(folder: Path) -> str:
    """Return the name of the newest checkpoint, nothing where there is none."""
    return max((path.name for path in folder.glob("checkpoints/step-*.npz")), default="")


def killed(folder: Path, config: Path, kills: int, seed: int) -> int:
    """Run into a folder with kills at random moments; return how many hit a process."""
    chance, hits = random.Random(seed), 0
    for _ in range(kills):
        started = (folder / "config.yaml").exists()
        words = ["resume", folder] if started else ["run", config, "--output", folder]
        with subprocess.Popen([*MAIN, *words, "--quiet"]) as process:
            if chance.random() < 0.3:  # anywhere, mostly while it starts
                time.sleep(chance.uniform(0.0, 2.5))
            else:  # soon after its first checkpoint
                before = newest(folder)
                while process.poll() is None and newest(folder) == before:
                    time.sleep(0.01)
                time.sleep(chance.uniform(0.0, 0.05))
            if process.poll() is None:
                process.kill()
                hits += 1
        assert process.returncode in (0, -signal.SIGKILL)
        if (folder / "result.json").exists():
            break
    if not (folder / "result.json").exists():
        subprocess.run([*MAIN, "resume", folder, "--quiet"], check=True)
    return hits


@pytest.mark.parametrize(("kills", "seed"), [(3, 0), pytest.param(50, 1, marks=pytest.mark.slow)])
def test_the_bits_are_those_of_a_run_left_alone(tmp_path: Path, kills: int, seed: int) -> None:
    config, whole, parts = tmp_path / "tiny.yaml", tmp_path / "whole", tmp_path / "parts"
    config.write_text(CONFIG)
    subprocess.run([*MAIN, "run", config, "--output", whole, "--quiet"], check=True)
    assert killed(parts, config, kills, seed) > kills // 4
    ends = [load(latest(folder / "checkpoints")) for folder in (whole, parts)]
    assert ends[0].position.step == ends[1].position.step
    assert ends[0].position.x.tobytes() == ends[1].position.x.tobytes()
    assert rows(whole) == rows(parts)

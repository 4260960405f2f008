"""Error and wall time of every shipped problem over several seeds, each from a cold start.

    python tests/benchmarks/accuracy.py                        # five seeds of all problems
    python tests/benchmarks/accuracy.py --seeds 2 kirchhoff_disc

Each run is a new process with an empty kernel cache, as after an installation. The time is that
of the process, from start to the written figures. Errors are those of ``result.json``; for plates
without a closed form the deflection at the centre is compared with the value in the literature.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

# Deflection at the centre for unit load, side and rigidity [q a^4 / D]. Simply supported: Navier's
# series; clamped: Taylor and Govindjee (2004), Solution of clamped rectangular plate problems.
CENTRES = {
    "kirchhoff_plate_uniform": 0.00406235266067505,
    "kirchhoff_plate_clamped": 0.00126531908748,
}
NAMES = [
    "kirchhoff_plate",
    "kirchhoff_plate_uniform",
    "kirchhoff_plate_clamped",
    "kirchhoff_disc",
    "poisson",
]


def run(name: str, seed: int) -> dict[str, Any]:
    """Run a shipped problem in a new process; return its result with the process time."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "run"
        environment = {**os.environ, "SCIML_CACHE_DIR": str(Path(folder) / "kernels")}
        command = [sys.executable, "-c", "from sciml.cli import main; main()", "run", name]
        command += ["--quiet", "--set", f"solver.seed={seed}", "--output", str(output)]
        begin = time.perf_counter()
        subprocess.run(command, check=True, env=environment)
        elapsed = time.perf_counter() - begin
        result: dict[str, Any] = json.loads((output / "result.json").read_text())
        if name in CENTRES:
            result["centre"] = abs(centre(output) / CENTRES[name] - 1)
    return {**result, "process_s": elapsed}


def centre(folder: Path) -> float:
    """Deflection at the centre of the plate from the checkpoint of a run."""
    from sciml.runs import catalogue
    from sciml.runs.checkpoints import latest
    from sciml.training.checkpoint import load

    training = catalogue.load(str(folder / "config.yaml")).build().prepare()
    solution = training.solution(load(latest(folder / "checkpoints")).position)
    return float(solution["w"](0.5, 0.5))


def summary(results: list[dict[str, Any]]) -> dict[str, Any]:
    """Median and worst over seeds."""

    def both(values: list[float]) -> dict[str, float]:
        return {"median": statistics.median(values), "worst": max(values)}

    table: dict[str, Any] = {
        "seeds": len(results),
        "process_s": both([r["process_s"] for r in results]),
        "compile_s": both([r["compile_time_s"] for r in results]),
        "steps": both([r["steps"] for r in results]),
    }
    for field in results[0]["errors"]:
        table[f"relative_l2 {field}"] = both([r["errors"][field]["relative_l2"] for r in results])
    if "centre" in results[0]:
        table["relative error at the centre"] = both([r["centre"] for r in results])
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("names", nargs="*", default=NAMES)
    parser.add_argument("--seeds", type=int, default=5)
    arguments = parser.parse_args()
    report = {}
    for name in arguments.names:
        report[name] = summary([run(name, seed) for seed in range(arguments.seeds)])
        print(json.dumps({name: report[name]}, indent=2), flush=True)


if __name__ == "__main__":
    main()

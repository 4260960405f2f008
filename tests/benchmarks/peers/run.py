"""Five problems by this package, a JAX script and DeepXDE, side by side.

    python tests/benchmarks/peers/run.py                           # all, 60 s each
    python tests/benchmarks/peers/run.py --only Poisson --seconds 20 --seeds 3

Every program solves each problem in its own process with float64. The JAX script, DeepXDE and a
trained network of this package have the same width, points and time; `solve` is asked for the
smaller of the two peers' errors. Times are wall times from the first statement after the imports,
with compilation; errors are the largest relative L2 error of a field on a grid of 101 x 101
points against the closed form; all are medians over seeds.

JAX and DeepXDE (with PyTorch) are needed: `pip install ".[bench]"`.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from cases import CASES

PROGRAMS = ("JAX script", "DeepXDE", "sciml network", "sciml solve")
BOUND = {"OPENBLAS_NUM_THREADS": "2", "OMP_NUM_THREADS": "2", "DDE_BACKEND": "pytorch"}


def one(program: str, name: str, seed: int, amount: float) -> None:
    """Solve in this process, and print error and time as JSON."""
    case = CASES[name]
    if program.startswith("sciml"):
        import own

        work = own.trained if program == "sciml network" else own.solved
        began = time.perf_counter()
        found = work(name, case, seed, amount)
    else:
        import other

        if program == "DeepXDE":
            import deepxde  # noqa: F401 - its import is not timed
        else:
            import jax  # noqa: F401
        work = other.with_jax if program == "JAX script" else other.with_deepxde
        began = time.perf_counter()
        found = work(case, seed, amount)
    seconds = time.perf_counter() - began
    print(json.dumps({"error": case.error(found), "seconds": seconds}))


def apart(program: str, name: str, seed: int, amount: float) -> tuple[float, float]:
    """Solve in a process of its own and return error and time."""
    words = [sys.executable, __file__, "--one", program, "--only", name, "--seed", str(seed)]
    run = subprocess.run(
        [*words, "--amount", repr(amount)], capture_output=True, text=True, check=False,
        env={**os.environ, **BOUND},
    )  # fmt: skip
    if run.returncode:
        raise SystemExit(f"{program} on {name}:\n{run.stderr}")
    content = json.loads(run.stdout.splitlines()[-1])
    return content["error"], content["seconds"]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="*", default=list(CASES), choices=list(CASES))
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--json", type=Path, help="where to write the numbers")
    parser.add_argument("--one", choices=PROGRAMS, help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--amount", type=float, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        one(options.one, options.only[0], options.seed, options.amount)
        return
    print(f"{'':10}" + "".join(f"{p:>22}" for p in PROGRAMS) + f"{'time ratios':>24}", flush=True)
    rows = {}
    for name in options.only:
        found: dict[str, list[tuple[float, float]]] = {p: [] for p in PROGRAMS}
        for seed in range(options.seeds):
            for program in PROGRAMS[:3]:
                found[program].append(apart(program, name, seed, options.seconds))
            asked = min(found[p][seed][0] for p in PROGRAMS[:2])
            found["sciml solve"].append(apart("sciml solve", name, seed, asked))
        rows[name] = {
            p: [statistics.median(pair[i] for pair in pairs) for i in (0, 1)]
            for p, pairs in found.items()
        }
        cells = "".join(f"{f'{e:.1e} in {s:.1f} s':>22}" for e, s in rows[name].values())
        own = rows[name]["sciml solve"][1]
        ratios = " ".join(f"{rows[name][p][1] / own:.0f}" for p in PROGRAMS[:2])
        print(f"{name:10}{cells}{ratios:>24}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()

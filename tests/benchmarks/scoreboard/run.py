"""The scoreboard: errors and times of known problems, medians over seeds.

    python tests/benchmarks/scoreboard/run.py --data DIR            # all
    python tests/benchmarks/scoreboard/run.py --data DIR --only network --seeds 1

DIR holds the reference solutions (plates/, elliptic/, exact/, ...). Printed are the relative L2
error of each quantity beside its target, and the wall time [s] with compilation and sampling; the
first seed is cold where nothing is cached.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from case import Case
from linear import LINEAR
from nonlinear import NONLINEAR
from trained import TRAINED


def measure(case: Case, seeds: int, data: Path) -> bool:
    """Print the line of a case and return whether it met its targets."""
    errors: dict[str, list[float]] = {}
    times = []
    for seed in range(seeds):
        began = time.perf_counter()
        solution = case.solve(seed)
        times.append(time.perf_counter() - began)
        for name, value in case.errors(solution, data).items():
            errors.setdefault(name, []).append(value)
    medians = {name: statistics.median(values) for name, values in errors.items()}
    met = all(medians[name] <= target for name, target in case.target.items())
    took = statistics.median(times)
    met = met and (case.within is None or took <= case.within)
    cells = [
        f"{name} {value:.1e}" + (f" (<= {case.target[name]:.0e})" if name in case.target else "")
        for name, value in medians.items()
    ]
    limit = f" (<= {case.within:g})" if case.within else ""
    print(
        f"{'ok  ' if met else 'MISS'} {case.name:32} {took:7.1f} s{limit}, first {times[0]:.1f} s  "
        + "  ".join(cells),
        flush=True,
    )
    return met


def main() -> int:
    """Run the cases that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--only", default="")
    parser.add_argument("--seeds", type=int, default=5)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    chosen = [c for c in LINEAR + NONLINEAR + TRAINED if options.only.lower() in c.name.lower()]
    met = [measure(case, options.seeds, options.data) for case in chosen]
    print(f"{sum(met)} of {len(met)} met")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())

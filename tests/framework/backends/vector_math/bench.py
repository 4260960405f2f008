"""Print nanoseconds per element, largest measured error and compile time of every function.

Run from the repository root as ``python -m tests.framework.backends.vector_math.bench [name ...]``.
One thread, 65,536 elements, uniform in (-4, 4), cut to the domain.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from sciml.framework.backends.vector_math import MAX_ULP, SUPPORTED

from .harness import DTYPES, compiled, native_width
from .points import DOMAINS, binary_points, unary_points
from .references import errors

COUNT = 65_536
REPEATS = 100


def nanoseconds(name: str, kind: str, span: float = 4.0) -> float:
    """Best of REPEATS runs."""
    random = np.random.default_rng(0)
    function = compiled(name, kind, native_width(kind))
    low, high = DOMAINS.get(name, (-span, span))
    low = 0.0 if name == "pow" else low
    buffers = [
        random.uniform(max(low, -span), min(high, span), COUNT).astype(DTYPES[kind])
        for _ in range(function.arity)
    ]
    buffers.append(np.empty(COUNT, DTYPES[kind]))
    best = float("inf")
    for _ in range(REPEATS):
        start = time.perf_counter()
        function.run(buffers)
        best = min(best, time.perf_counter() - start)
    return 1e9 * best / COUNT


def worst_error(name: str, kind: str) -> float:
    """Largest error on the points of the tests, in ULP."""
    operands = (
        binary_points(name, kind) if name in ("atan2", "pow") else (unary_points(name, kind),)
    )
    got = compiled(name, kind, native_width(kind))(*operands)
    return float(np.max(errors(name, kind, got, *operands)))


def main(names: list[str]) -> None:
    """One line per function and format."""
    print(f"{'function':<10}{'ns':>8}{'ULP':>8}{'bound':>8}{'compile':>10}")
    for name in names or sorted(SUPPORTED):
        for kind in ("f64", "f32"):
            duration = nanoseconds(name, kind)
            error, bound = worst_error(name, kind), MAX_ULP[name, kind]
            milliseconds = compiled(name, kind, native_width(kind)).milliseconds
            print(
                f"{name + ' ' + kind:<10}{duration:>8.3f}{error:>8.3f}{bound:>8.2f}"
                f"{milliseconds:>7.0f} ms",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:])

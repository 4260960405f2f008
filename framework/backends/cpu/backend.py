"""Compile a scheduled program for this CPU and run it on threads."""

from __future__ import annotations

import ctypes
import math
import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from typing import Any

import numpy as np

from ...compiler.executable import LoopStep, Plan
from ...core.dims import evaluate_dim, parse_dim
from ...core.dtypes import Array, dtype_from_name
from ...ir.program import Program
from ...ops.lowering import neutral
from .codegen import generate
from .native import (
    NativeCode,
    blas_pointer,
    cache_key,
    compile_object,
    host,
    keep_plan,
    load_cached,
    single_threaded_blas,
    source_digest,
    store_cached,
)
from .products import BLAS_FUNCTIONS

__all__ = ["CpuBackend", "CpuExecutable"]

_STEP = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64,
    ctypes.c_void_p, ctypes.c_void_p,
)  # fmt: skip
_COMBINE = {"sum": np.add, "prod": np.multiply, "max": np.maximum, "min": np.minimum}
# Folds in float32 are moved to float64 after this many tiles, so that a sum over a million points
# keeps its digits.
_TILES_PER_BLOCK = 64
# A tile is measured on this many of the largest tiles, the best of so many times, and is taken
# instead of the model's if its time is clearly less.
_MEASURED_TILES, _MEASUREMENTS, _CLEARLY = 4, 3, 1.05
# A tile with more scratch memory than this is split if there are fewer tiles than threads, into
# parts of no fewer points than 8.
_LARGE_ARENA = 8 * 2**20
_SMALLEST_TILE = 8


class CpuBackend:
    """Compiles scheduled programs with LLVM; object code is kept on disk."""

    name = "cpu"

    def default_threads(self) -> int:
        """Return the number of CPUs this process may use."""
        if hasattr(os, "sched_getaffinity"):
            return len(os.sched_getaffinity(0))
        return os.cpu_count() or 1

    def load(self, key: str) -> CpuExecutable | None:
        """Return the program stored under a key, or None."""
        name = self._key(key)
        found = load_cached(name)
        if found is None:
            return None
        object_code, plan = found
        measured = load_cached(f"{name}-plan")
        return CpuExecutable(object_code, plan if measured is None else measured[1], name)

    def compile(self, program: Program, key: str) -> CpuExecutable:
        """Compile a program and store it under a key."""
        machine = host()
        assembly, plan = generate(
            program, machine.vector_bytes, machine.cache_bytes, machine.triple
        )
        object_code = compile_object(assembly)
        name = self._key(key)
        kept = store_cached(name, object_code, plan)
        return CpuExecutable(object_code, plan, name if kept else None)

    def _key(self, key: str) -> str:
        return cache_key({"program": key, "host": host().key, "sources": source_digest()})


class CpuExecutable:
    """A compiled program; call it with input arrays, sizes and a number of threads.

    With a name in the kernel cache its tiles are measured at the first call and kept there, so
    that every later run adds in the same order. Without, the tiles of the model are taken.
    """

    def __init__(self, object_code: bytes, plan: Plan, name: str | None = None) -> None:
        self.plan = plan
        self._name = name
        self._code = NativeCode(object_code)
        self._functions = {s.function: _STEP(self._code.address(s.function)) for s in plan.steps}
        self._library = (ctypes.c_void_p * len(BLAS_FUNCTIONS))(
            *(blas_pointer(name) for name in BLAS_FUNCTIONS)
        )
        self._blas = single_threaded_blas()
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None
        self._memory: dict[tuple[object, ...], Array] = {}
        self._shapes = [
            ([parse_dim(s) for s in slot.shape], dtype_from_name(slot.dtype))
            for slot in (*plan.outputs, *plan.temporaries)
        ]

    def __call__(self, inputs: Sequence[Array], sizes: dict[str, int], threads: int) -> list[Array]:
        """Run once; inputs must be C-contiguous and of the compiled types."""
        with self._lock:
            return self._run(inputs, sizes, threads)

    def _run(self, inputs: Sequence[Array], sizes: dict[str, int], threads: int) -> list[Array]:
        plan = self.plan
        outputs, temporaries = self._allocate(sizes)
        folds = [
            self._scratch(("fold", k), step.fold_bytes)
            for k, step in enumerate(s for s in plan.steps if isinstance(s, LoopStep))
        ]
        arena = self._scratch(("top",), plan.top_arena_bytes)
        arrays = [*inputs, *outputs, *temporaries, *folds, arena]
        table = (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))
        numbers = [*(sizes[n] for n in plan.sizes), *(loop.tile for loop in plan.loops)]
        size_table = (ctypes.c_int64 * max(1, len(numbers)))(*numbers)
        measuring = self._name is not None and not plan.tuned
        with self._blas:
            for step in plan.steps:
                if isinstance(step, LoopStep):
                    if measuring:
                        step = self._tuned(step, table, size_table, sizes[step.size])
                    self._run_loop(step, table, size_table, sizes[step.size], threads, arrays)
                else:
                    self._functions[step.function](
                        table, size_table, self._library, 0, 0, arena.ctypes.data, None
                    )
        if measuring:
            self._keep(size_table[len(plan.sizes) :])
        return outputs

    # --- tiles ------------------------------------------------------------------------------

    def _tuned(self, step: LoopStep, table: Any, size_table: Any, size: int) -> LoopStep:
        """Return the loop with the fastest tile near that of the model, measured on its data."""
        position = len(self.plan.sizes) + self.plan.loops.index(step)
        tiles = [t for t in (step.tile // 2, step.tile, 2 * step.tile, 4 * step.tile)
                 if t <= step.largest_tile]  # fmt: skip
        points = _MEASURED_TILES * step.largest_tile
        if size < points or len(tiles) < 2:
            return step
        times = dict.fromkeys(tiles, math.inf)
        for _ in range(_MEASUREMENTS):
            for tile in tiles:
                size_table[position] = tile
                begin = time.perf_counter()
                self._run_range(replace(step, tile=tile), table, size_table, 0, points, 0)
                times[tile] = min(times[tile], time.perf_counter() - begin)
        # the model is followed unless the measurement speaks clearly against it
        best = min(tiles, key=lambda t: times[t] * (1.0 if t == step.tile else _CLEARLY))
        size_table[position] = best
        return replace(step, tile=best)

    def _keep(self, tiles: Sequence[int]) -> None:
        """Store the measured tiles; if another process was first, its choice holds."""
        assert self._name is not None
        self.plan = keep_plan(self._name, self.plan.with_tiles(tiles))

    def _allocate(self, sizes: dict[str, int]) -> tuple[list[Array], list[Array]]:
        """New arrays for outputs, kept ones for temporaries."""
        count = len(self.plan.outputs)
        outputs, temporaries = [], []
        for k, (dims, dtype) in enumerate(self._shapes):
            shape = tuple(int(evaluate_dim(d, sizes)) for d in dims)
            if k < count:
                outputs.append(np.empty(shape, dtype=dtype))
            else:
                bytes_needed = math.prod(shape) * dtype.itemsize
                temporaries.append(self._scratch(("temporary", k), bytes_needed))
        return outputs, temporaries

    def _scratch(self, key: tuple[object, ...], size: int) -> Array:
        """Return kept memory of at least `size` bytes, aligned to 64 bytes."""
        found = self._memory.get(key)
        if found is None or found.nbytes < size:
            raw = np.empty(size + 64, dtype=np.uint8)
            start = -raw.ctypes.data % 64
            found = raw[start : start + size]
            self._memory[key] = found
        return found

    # --- loops ------------------------------------------------------------------------------

    def _run_loop(
        self, step: LoopStep, table: Any, size_table: Any, size: int, threads: int,
        arrays: Sequence[Array],
    ) -> None:  # fmt: skip
        tile = step.tile
        if step.arena_bytes > _LARGE_ARENA:
            # few tiles, each long enough to be shared among threads
            tile = min(tile, max(_SMALLEST_TILE, -(-size // threads)))
        tiles = -(-size // tile)
        workers = max(1, min(threads, tiles))
        # each thread takes one range of whole tiles, so that the same thread count adds in the
        # same order and gives the same bits
        edges = [tiles * k // workers * tile for k in range(workers + 1)]
        edges[-1] = size
        totals: list[list[Array]] = [[] for _ in range(workers)]

        def work(k: int) -> None:
            totals[k] = self._run_range(step, table, size_table, edges[k], edges[k + 1], k)

        if workers == 1:
            work(0)
        else:
            pool = self._threads(workers - 1)
            pending = [pool.submit(work, k) for k in range(1, workers)]
            try:
                work(0)
            finally:
                # memory must not be given back while another thread still writes to it
                wait(pending)
            for task in pending:
                task.result()
        buffer = arrays[step.fold_buffer]
        for position, fold in enumerate(step.folds):
            total = totals[0][position]
            with np.errstate(all="ignore"):
                for other in totals[1:]:
                    _COMBINE[fold.kind](total, other[position], out=total)
                dtype = dtype_from_name(fold.dtype)
                end = fold.offset + fold.count * dtype.itemsize
                buffer[fold.offset : end].view(dtype)[:] = total

    def _run_range(
        self, step: LoopStep, table: Any, size_table: Any, first: int, last: int, worker: int
    ) -> list[Array]:
        """Run one thread's range and return its folds, in double precision if in several blocks."""
        function = self._functions[step.function]
        arena = self._scratch(("arena", step.function, worker), step.arena_bytes)
        memory = self._scratch(("folds", step.function, worker), step.fold_bytes)
        views = []
        for fold in step.folds:
            dtype = dtype_from_name(fold.dtype)
            end = fold.offset + fold.count * dtype.itemsize
            views.append(memory[fold.offset : end].view(dtype))
        single = any(f.dtype == "f32" for f in step.folds)
        block = _TILES_PER_BLOCK * step.tile if single else max(1, last - first)
        totals: list[Array] = []
        for start in range(first, max(last, first + 1), block):
            for fold, view in zip(step.folds, views, strict=True):
                view[:] = neutral(fold.kind, view.dtype)
            stop = min(start + block, last)
            function(
                table, size_table, self._library, start, stop, arena.ctypes.data,
                memory.ctypes.data,
            )  # fmt: skip
            if start == first and stop >= last:
                return views
            if not totals:
                totals = [
                    v.astype(np.float64) if v.dtype == np.float32 else v.copy() for v in views
                ]
                continue
            with np.errstate(all="ignore"):
                for fold, total, view in zip(step.folds, totals, views, strict=True):
                    _COMBINE[fold.kind](total, view, out=total)
        return totals

    def _threads(self, count: int) -> ThreadPoolExecutor:
        if self._pool is None or self._pool._max_workers < count:
            if self._pool is not None:
                self._pool.shutdown()
            self._pool = ThreadPoolExecutor(count, thread_name_prefix="sciml")
        return self._pool

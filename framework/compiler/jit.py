"""`jit`: trace once per kind of argument, compile, run; one compilation serves every batch size."""

from __future__ import annotations

import functools
import importlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, Protocol

import numpy as np

from ..core.dims import Assumptions, assuming, evaluate_dim
from ..core.dtypes import Array
from ..core.tree import Structure
from ..errors import LoweringError, ShapeError, TraceError
from ..ir.program import Program, Value
from ..ir.types import TensorType, type_of_array
from ..ops.primitive import Concrete, Operand, array_of, current_builder, type_of
from ..transforms.planner import recording
from ..transforms.tape import recorded
from ..transforms.trace import Traced, bind_sizes, inline, rewrap, trace, unwrap_leaves
from .batches import met_sizes, symbolic_types
from .pipeline import schedule

__all__ = ["Backend", "Executable", "Jitted", "jit", "load_backend"]

_BUILT_IN = {"cpu": "sciml.framework.backends.cpu:CpuBackend"}


class Executable(Protocol):
    """A compiled program."""

    def __call__(
        self, inputs: Sequence[Array], sizes: dict[str, int], threads: int
    ) -> list[Array]: ...


class Backend(Protocol):
    """What a device must offer; found through the entry point group ``sciml.backends``."""

    name: str

    def default_threads(self) -> int: ...
    def load(self, key: str) -> Executable | None: ...
    def compile(self, program: Program, key: str) -> Executable: ...


@functools.cache
def load_backend(name: str) -> Backend:
    """Return a back end by name: a built-in one, or one that an installed package registers."""
    target = _BUILT_IN.get(name)
    if target is not None:
        module, attribute = target.split(":")
        built_in: Backend = getattr(importlib.import_module(module), attribute)()
        return built_in
    found = entry_points(group="sciml.backends", name=name)
    for entry in found:
        other: Backend = entry.load()()
        return other
    raise LoweringError(f"no back end is called {name!r}; built in are {sorted(_BUILT_IN)}")


@dataclass
class _Compiled:
    traced: Traced
    executable: Executable
    captured: list[Array]
    assumptions: Assumptions


def _contiguous(operand: Operand) -> Array:
    array = array_of(operand)
    return np.ascontiguousarray(array).reshape(array.shape)


def _sizes(traced: Traced, assumptions: Assumptions, types: Sequence[TensorType]) -> dict[str, int]:
    """Return the numbers of the symbolic sizes, or refuse types that the trace is not for."""
    captured = [type_of(a) for a in traced.captured]
    bound = bind_sizes(traced.program, [*types, *captured])
    sizes = {name: int(size) for name, size in bound.items()}
    # no elements at all is a case of its own: it has no maximum and no mean
    if 0 in sizes.values() or not assumptions.hold(sizes):
        raise ShapeError(f"{traced.program.name} was not traced for the sizes {sizes}")
    return sizes


class Jitted:
    """A compiled function; see `jit`.

    Attributes
    ----------
    compile_time_s
        Seconds spent so far in tracing and compiling or loading [s].
    compilations
        Number of programs made so far.
    """

    def __init__(
        self, function: Callable[..., Any], threads: int | None, symbolic: bool, backend: str
    ) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self._threads = threads
        self._symbolic = symbolic
        self._backend = backend
        self._known: dict[object, list[_Compiled]] = {}
        self.compile_time_s = 0.0
        self.compilations = 0

    def __call__(self, *arguments: object) -> Any:
        operands, structure = unwrap_leaves(tuple(arguments))
        if current_builder() is not None or recorded(operands):
            return self._inline(structure, operands)
        arrays = [_contiguous(o) for o in operands]
        compiled, sizes = self._find(structure, arrays)
        outputs = compiled.executable([*arrays, *compiled.captured], sizes, self.thread_count())
        return rewrap(compiled.traced.structure, outputs)

    def thread_count(self) -> int:
        """Return the number of threads a call uses."""
        if self._threads is not None:
            return self._threads
        return load_backend(self._backend).default_threads()

    def _inline(self, structure: Structure, operands: Sequence[Operand]) -> Any:
        """Inside another trace, or on the tape, the function is simply part of what is around."""
        traced = trace(self._function, structure, [type_of(o) for o in operands])
        return rewrap(traced.structure, inline(traced.program, [*operands, *traced.captured]))

    def _find(
        self, structure: Structure, arrays: Sequence[Array]
    ) -> tuple[_Compiled, dict[str, int]]:
        types = [type_of_array(a) for a in arrays]
        key = (structure, tuple((t.rank, t.dtype) for t in types))
        for compiled in self._known.get(key, []):
            try:
                sizes = _sizes(compiled.traced, compiled.assumptions, types)
            except ShapeError:
                continue
            return compiled, sizes
        compiled = self._compile(structure, types)
        self._known.setdefault(key, []).append(compiled)
        return compiled, _sizes(compiled.traced, compiled.assumptions, types)

    def trace(self, *arguments: object) -> Traced:
        """Return the traced function for arguments of these types, with symbolic batch sizes."""
        operands, structure = unwrap_leaves(tuple(arguments))
        return self._trace(structure, [type_of(o) for o in operands])[0]

    def _trace(
        self, structure: Structure, types: Sequence[TensorType]
    ) -> tuple[Traced, Assumptions]:
        guesses = [*symbolic_types(structure, types)] if self._symbolic else []
        while guesses:
            wanted = guesses.pop(0)
            try:
                with assuming() as assumptions:
                    traced = trace(self._function, structure, wanted)
                sizes = _sizes(traced, assumptions, types)
            except (ShapeError, TypeError):
                # the function needs the numbers (NumPy turns some errors of a symbolic size into
                # a TypeError of its own): trace again with fewer symbolic sizes, at last with none
                continue
            met = met_sizes(traced.program, sizes)
            if not met:
                return traced, assumptions
            known = [tuple(evaluate_dim(s, met) for s in t.shape) for t in wanted]
            guesses.insert(
                0, tuple(TensorType(s, t.dtype) for s, t in zip(known, wanted, strict=True))
            )
        return trace(self._function, structure, types), Assumptions()

    def _compile(self, structure: Structure, types: Sequence[TensorType]) -> _Compiled:
        begin = time.perf_counter()
        traced, assumptions = self._trace(structure, types)
        if any(isinstance(a, Value) for a in traced.captured):
            raise TraceError(
                f"{traced.program.name} uses a traced value of a function that has returned; "
                "pass it as an argument"
            )
        if any(isinstance(a, Concrete) and a.requires_grad for a in traced.captured):
            raise TraceError(
                f"{traced.program.name} uses a tensor from outside that requires gradients, which "
                "compiled code does not record; pass it as an argument, or use .detach()"
            )
        captured = [np.array(array_of(a), order="C") for a in traced.captured]
        backend = load_backend(self._backend)
        key = str(traced.program)
        executable = backend.load(key)
        if executable is None:
            executable = backend.compile(schedule(traced.program), key)
        self.compile_time_s += time.perf_counter() - begin
        self.compilations += 1
        return _Compiled(traced, executable, captured, assumptions)

    def lower(self, *arguments: object) -> list[tuple[str, Program]]:
        """Return the program after tracing and after each pass, by name of the pass."""
        stages: list[tuple[str, Program]] = []
        schedule(self.trace(*arguments).program, lambda name, p: stages.append((name, p)))
        return stages

    def explain(self, *arguments: object) -> str:
        """Return the plans of its derivatives, then the program before and after each pass."""
        operands, structure = unwrap_leaves(tuple(arguments))
        inputs = self.trace(*arguments).program.inputs[: len(operands)]
        # sizes are settled: what is decided now is decided for the program that runs
        with recording() as decisions:
            trace(self._function, structure, [v.type for v in inputs])
        stages = self.lower(*arguments)
        parts = [str(decision) for decision in decisions]
        for name, program in stages:
            counts = ", ".join(f"{k} {v}" for k, v in program.count().items())
            total = sum(program.count().values())
            parts.append(f"// {name}: {total} operations ({counts})\n{program}")
        return "\n\n".join(parts)


def jit(
    function: Callable[..., Any] | None = None,
    *,
    threads: int | None = None,
    symbolic: bool = True,
    backend: str = "cpu",
) -> Any:
    """Compile a function.

    The function is traced at its first call with arguments of new types. Per-point work is tiled
    over the batch and fused, matrix products become BLAS calls, and machine code is kept on disk.
    Leading axes that look like batches are symbolic: another number of points needs no new
    compilation. Where two batches meet in one array, as in values of shape (functions, points),
    the one with most work is tiled, and another number of the other is compiled anew.

    Parameters
    ----------
    function
        Function of arrays and nested containers of arrays.
    threads
        Number of threads; by default the number of CPUs of the process. The same number gives
        the same bits.
    symbolic
        Whether batch sizes may be symbolic.
    backend
        Name of the back end.

    Returns
    -------
    Jitted
        Callable with the same arguments; results are NumPy arrays. For arguments that require
        gradients (`tensor`) it is not compiled code that runs: the operations are recorded.

    Examples
    --------
    >>> import sciml.framework as sf
    >>> f = jit(sf.value_and_grad(lambda w, x: ((x @ w) ** 2).mean()))
    >>> f(np.array([1.0, 2.0]), np.ones((10, 2)))
    (array(9.), array([6., 6.]))
    """
    if function is None:
        return functools.partial(jit, threads=threads, symbolic=symbolic, backend=backend)
    return Jitted(function, threads, symbolic, backend)

"""LLVM: the host's target machine, optimisation, object code, and its cache on disk."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
import tempfile
import threading
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.binding as llvm
from threadpoolctl import OpenBLASController, ThreadpoolController

from ...compiler.executable import Plan

__all__ = [
    "Host", "NativeCode", "cache_directory", "host", "single_threaded_blas", "source_digest",
]  # fmt: skip


class Host:
    """The CPU that runs this process, as LLVM names it."""

    def __init__(self) -> None:
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        self.triple = llvm.get_process_triple()
        self.cpu = llvm.get_host_cpu_name()
        self.features = llvm.get_host_cpu_features().flatten()
        self.vector_bytes = (
            64 if "+avx512f" in self.features else 32 if "+avx2" in self.features else 16
        )
        self.cache_bytes = _level_two_bytes()

    @property
    def key(self) -> str:
        """Text that changes when code for this machine must be made again."""
        return f"{self.triple} {self.cpu} {self.features} llvmlite {llvmlite.__version__}"

    def machine(self) -> Any:
        """Return a new target machine (each engine owns one)."""
        target = llvm.Target.from_triple(self.triple)
        return target.create_target_machine(
            cpu=self.cpu, features=self.features, opt=2, codemodel="jitdefault", jit=True
        )


def _level_two_bytes() -> int:
    """Size of the level-2 cache of one core, 512 KiB where the system does not tell."""
    path = Path("/sys/devices/system/cpu/cpu0/cache/index2/size")
    try:
        text = path.read_text().strip()
    except OSError:
        return 512 * 1024
    units = {"K": 1024, "M": 1024**2}
    return int(text[:-1]) * units[text[-1]] if text[-1:] in units else int(text)


@functools.cache
def host() -> Host:
    """Return the host, looked up once per process."""
    return Host()


class _SingleThreadedBlas:
    """Keeps BLAS at one thread while any compiled program of the process runs.

    The limit belongs to the process. Programs that run at the same time share one, since the
    last to finish would otherwise restore what the first had set. It is set and restored by
    whichever thread comes first and last, so no thread may keep the control of it.
    """

    def __init__(self) -> None:
        self._controller = ThreadpoolController().select(user_api="blas")
        self._lock = threading.Lock()
        self._running = 0
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if self._running == 0:
                _release_control()
                self._limit = self._controller.limit(limits=1)
            self._running += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._running -= 1
            if self._running == 0:
                _release_control()
                self._limit.restore_original_limits()


def _release_control() -> None:
    """Let this thread set the limit of OpenBLAS.

    From version 3.8 on threadpoolctl ignores, without a word, every thread but the one that has
    set a limit first, until that one gives up the control or ends.
    """
    release = getattr(OpenBLASController, "clear_controlling_thread", None)
    if release is not None:
        release(force=True)


@functools.cache
def _blas_guard() -> _SingleThreadedBlas:
    import_module("scipy.linalg.cython_blas")
    return _SingleThreadedBlas()


_GUARD_LOCK = threading.Lock()


def single_threaded_blas() -> _SingleThreadedBlas:
    """Return the guard of this process, made once SciPy's BLAS is loaded."""
    # a cache alone lets two threads that ask first make one each, which restore against each other
    with _GUARD_LOCK:
        return _blas_guard()


class NativeCode:
    """Loaded machine code: step functions by name."""

    def __init__(self, object_code: bytes) -> None:
        machine = host().machine()
        module = llvm.parse_assembly("")
        self._engine = llvm.create_mcjit_compiler(module, machine)
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(object_code))
        self._engine.finalize_object()

    def address(self, name: str) -> int:
        """Return the address of a step function."""
        return int(self._engine.get_function_address(name))


def compile_object(assembly: str) -> bytes:
    """Optimise LLVM assembly and return object code."""
    machine = host().machine()
    module = llvm.parse_assembly(assembly)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=2)
    options.loop_vectorization = False
    options.slp_vectorization = False
    options.loop_unrolling = False
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


@functools.cache
def source_digest() -> str:
    """Return a digest of the framework's own source text.

    Kernels made by other code, an older checkout of the same version say, must not be used.
    """
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parents[2].rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def cache_directory() -> Path | None:
    """Return the folder of the kernel cache, or None if it is switched off.

    ``SCIML_CACHE_DIR`` names another folder; set to the empty string it switches the cache off.
    """
    chosen = os.environ.get("SCIML_CACHE_DIR")
    if chosen is not None:
        return Path(chosen) if chosen else None
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "sciml" / "kernels"


def cache_key(parts: Mapping[str, str]) -> str:
    """Return the name of a cache entry."""
    text = "\n".join(f"{k}={v}" for k, v in sorted(parts.items()))
    return hashlib.sha256(text.encode()).hexdigest()


def load_cached(key: str) -> tuple[bytes, Plan] | None:
    """Read an entry; an unreadable or damaged one counts as absent."""
    folder = cache_directory()
    if folder is None:
        return None
    try:
        data = (folder / f"{key}.bin").read_bytes()
    except OSError:
        return None
    digest, body = data[:32], data[32:]
    if hashlib.sha256(body).digest() != digest:
        return None
    length = int.from_bytes(body[:8], "little")
    return body[8 + length :], Plan.from_json(body[8 : 8 + length].decode())


def store_cached(key: str, object_code: bytes, plan: Plan) -> bool:
    """Write an entry under a temporary name and rename it; return whether it is kept.

    The cache only saves time: a full or read-only disk must not stop a computation.
    """
    return _write(key, object_code, plan, os.replace)


def keep_plan(key: str, plan: Plan) -> Plan:
    """Store a measured plan for an entry, and return the one that holds from now on.

    That is the plan of whichever process was first, so that all add in the same order.
    """
    _write(f"{key}-plan", b"", plan, os.link)
    found = load_cached(f"{key}-plan")
    return plan if found is None else found[1]


def _write(key: str, object_code: bytes, plan: Plan, place: Callable[[str, Path], object]) -> bool:
    folder = cache_directory()
    if folder is None:
        return False
    text = plan.to_json().encode()
    body = len(text).to_bytes(8, "little") + text + object_code
    name = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            name = file.name
            file.write(hashlib.sha256(body).digest() + body)
        place(name, folder / f"{key}.bin")
    except OSError:
        return False
    finally:
        if name is not None:
            Path(name).unlink(missing_ok=True)
    return True


def blas_pointer(name: str) -> int:
    """Return the address of a BLAS routine from SciPy's capsule."""
    from scipy.linalg import cython_blas

    table: Mapping[str, Any] = cython_blas.__pyx_capi__
    capsule = table[name]
    get_name = ctypes.pythonapi.PyCapsule_GetName
    get_name.restype, get_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype = ctypes.c_void_p
    get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    return int(get_pointer(capsule, get_name(capsule)))

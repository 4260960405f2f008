"""Checkpoints: one NumPy archive without pickle, complete or absent, checked when read."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sciml.framework.errors import CheckpointError

from .atomic import write_bytes
from .balancers import Weighing
from .loop import Position, StageEnd
from .optimisers import OptimiserState, StopReason

FORMAT = 5
# Format 4 is the same without found weights, 3 without what a stage carries to the next as well,
# 2 without moved points either.
READABLE = (2, 3, 4, 5)
_HEADER = "header"
_CHECKSUM = "sha256"


@dataclass(frozen=True)
class Checkpoint:
    """A position in training and what the run needs to go on from it.

    Parameters
    ----------
    position : Position
        Parameters, stage, optimiser state with its history.
    history_bytes : int
        Length of the loss history that belongs to the position [bytes].
    problem : str
        Digest of what defines the objective; another problem is refused.
    optimiser : str
        Name of the method whose state the position holds; empty between two stages.
    """

    position: Position
    history_bytes: int
    problem: str
    optimiser: str = ""


def save(path: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint; a crash at any moment leaves the old file or the new one.

    Raises
    ------
    OutputError
        When the folder cannot be written.
    """
    position = checkpoint.position
    arrays: dict[str, npt.NDArray[Any]] = {"x": position.x}
    state = position.state
    header: dict[str, object] = {
        "format": FORMAT,
        "problem": checkpoint.problem,
        "optimiser": checkpoint.optimiser,
        "history_bytes": checkpoint.history_bytes,
        "step": position.step,
        "stage": position.stage,
        "elapsed_s": position.elapsed_s,
        "ends": [
            [e.optimiser, e.steps, e.evaluations, e.stop.name]
            + [_hex(v) for v in (e.loss, e.gradient_norm, e.rate)]
            for e in position.ends
        ],
    }
    arrays |= {
        f"points.{i}.{j}": array
        for i, group in enumerate(position.points)
        for j, array in enumerate(group)
    }
    arrays |= {f"carried.{name}": array for name, array in position.carried.items()}
    header["points"] = [len(group) for group in position.points]
    if (weighing := position.weighing) is not None:
        header["weights"] = len(weighing.weights)
        arrays |= {f"weights.{i}": array for i, array in enumerate(weighing.weights)}
        arrays |= {f"weighing.{name}": array for name, array in weighing.memory.items()}
    if state is not None:
        arrays |= {f"memory.{name}": array for name, array in state.memory.items()}
        header["state"] = {
            "step": state.step,
            "value": _hex(state.value),
            "gradient_norm": _hex(state.gradient_norm),
            "rate": _hex(state.rate),
            "evaluations": state.evaluations,
        }
    arrays[_HEADER] = np.frombuffer(json.dumps(header, sort_keys=True).encode(), dtype=np.uint8)
    arrays[_CHECKSUM] = np.frombuffer(_digest(arrays), dtype=np.uint8)
    stream = io.BytesIO()
    np.savez(stream, **arrays)  # type: ignore[arg-type]
    write_bytes(path, stream.getvalue())


def load(path: Path) -> Checkpoint:
    """Read a checkpoint and verify it.

    Raises
    ------
    CheckpointError
        When the file is missing, truncated, altered or of another format.
    """
    arrays = _arrays(path)
    stored = arrays.pop(_CHECKSUM, np.zeros(0, dtype=np.uint8)).tobytes()
    if stored != _digest(arrays):
        raise CheckpointError(f"{path}: the checksum does not fit the content; use an older copy")
    header = json.loads(arrays[_HEADER].tobytes())
    if header["format"] not in READABLE:
        known = ", ".join(map(str, READABLE))
        raise CheckpointError(
            f"{path}: written in format {header['format']}, this version of sciml reads "
            f"{known}; use the version that wrote it"
        )
    state = None
    if "state" in header:
        stored_state = header["state"]
        memory = _under("memory.", arrays)
        state = OptimiserState(
            arrays["x"],
            stored_state["step"],
            float.fromhex(stored_state["value"]),
            float.fromhex(stored_state["gradient_norm"]),
            float.fromhex(stored_state["rate"]),
            stored_state["evaluations"],
            memory,
        )
    ends = tuple(
        StageEnd(name, steps, evaluations, StopReason[stop], *map(float.fromhex, numbers))
        for name, steps, evaluations, stop, *numbers in header["ends"]
    )
    points = tuple(
        tuple(arrays[f"points.{i}.{j}"] for j in range(count))
        for i, count in enumerate(header.get("points", []))
    )
    weighing = None
    if "weights" in header:
        weights = tuple(arrays[f"weights.{i}"] for i in range(header["weights"]))
        weighing = Weighing(weights, _under("weighing.", arrays))
    position = Position(
        arrays["x"], header["step"], header["stage"], state, ends, header["elapsed_s"], points,
        _under("carried.", arrays), weighing,
    )  # fmt: skip
    return Checkpoint(position, header["history_bytes"], header["problem"], header["optimiser"])


def _arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except FileNotFoundError:
        raise CheckpointError(f"{path}: there is no checkpoint here to resume from") from None
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, KeyError) as error:
        raise CheckpointError(f"{path}: not a readable checkpoint: {error}") from None


def _under(prefix: str, arrays: Mapping[str, npt.NDArray[Any]]) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays whose names begin with a prefix, by the rest of the name."""
    return {k.removeprefix(prefix): v for k, v in arrays.items() if k.startswith(prefix)}


def _digest(arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype.str} {array.shape} ".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.digest()


def _hex(value: float) -> str:
    return float(value).hex()

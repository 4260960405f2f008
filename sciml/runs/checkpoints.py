"""The checkpoints of a run: the last few, of which the newest whole one is taken."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from sciml.framework.errors import CheckpointError
from sciml.training.atomic import make_folder
from sciml.training.checkpoint import Checkpoint, load, save

_NAME = "step-"


def store(folder: Path, checkpoint: Checkpoint, keep: int) -> Path:
    """Write ``step-000500.npz`` and remove all but the last few.

    Parameters
    ----------
    folder : Path
        Where they lie; made if it is not there.
    checkpoint : Checkpoint
        What to write.
    keep : int
        How many to keep, >= 1.

    Raises
    ------
    OutputError
        When the folder cannot be written.
    """
    make_folder(folder)
    step = checkpoint.position.step
    path = folder / f"{_NAME}{step:06d}.npz"
    save(path, checkpoint)
    held = _by_step(folder)
    # Those of later steps could not be read when this run went on from an older one.
    past = [p for p in held if _step(p) <= step]
    for old in set(held) - set(past[-keep:]):
        with contextlib.suppress(OSError):  # one too many does no harm
            old.unlink()
    return path


def newest(folder: Path, say: Callable[[str], None]) -> Checkpoint | None:
    """Return the newest checkpoint that is whole, or None where there is none at all.

    Parameters
    ----------
    folder : Path
        Where they lie.
    say : function
        Is told why a newer one is passed over.

    Raises
    ------
    CheckpointError
        When there are some, but none can be read.
    """
    reasons = []
    for path in reversed(_by_step(folder)):
        try:
            return load(path)
        except CheckpointError as error:
            reasons.append(str(error))
            say(f"warning: {error}; trying the one before")
    if reasons:
        raise CheckpointError(f"{folder}: no checkpoint can be read: {'; '.join(reasons)}")
    return None


def latest(folder: Path) -> Path:
    """Return the path of the newest checkpoint, whole or not.

    Raises
    ------
    CheckpointError
        When there is none.
    """
    held = _by_step(folder)
    if not held:
        raise CheckpointError(f"{folder}: there is no checkpoint here")
    return held[-1]


def _by_step(folder: Path) -> list[Path]:
    named = [p for p in folder.glob(f"{_NAME}*.npz") if p.stem.removeprefix(_NAME).isdigit()]
    return sorted(named, key=_step)


def _step(path: Path) -> int:
    return int(path.stem.removeprefix(_NAME))

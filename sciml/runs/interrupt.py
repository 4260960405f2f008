"""Ctrl-C and termination as a request that waits for the end of the step."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Self


class Interruption:
    """While active, the first interrupt or termination signal only sets `signal`.

    So a checkpoint is always of a whole step. A second signal raises ``KeyboardInterrupt`` at
    once. Outside the main thread signals are left alone.
    """

    def __init__(self) -> None:
        self._received_signal = 0
        self._before: dict[signal.Signals, object] = {}

    @property
    def signal(self) -> int:
        """Number of the signal that came, 0 for none."""
        return self._received_signal

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._received)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]

    def _received(self, number: int, frame: FrameType | None) -> None:
        if self._received_signal:
            raise KeyboardInterrupt
        self._received_signal = number

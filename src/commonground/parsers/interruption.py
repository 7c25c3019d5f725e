"""What Ctrl-C does to training: it ends soon, with the best model that there can be by then.

Training may be made of several ones: a tagger, taggers and parsers of folds, and the parser itself.
An interrupt ends the one that is going on, if it has made a pass already, and lets all that follow
make one pass each, so that there is a whole model in the end. A second one ends everything.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

__all__ = ["Interruption", "heeded"]


@dataclass(slots=True)
class Interruption:
    """Whether an interrupt was `seen`, and whether what is going on can be stopped at once."""

    seen: bool = False
    stoppable: bool = False


@contextmanager
def heeded(interruption: Interruption) -> Iterator[None]:
    """Note the first interrupt, and let it through only where something can be stopped at once.

    Only the main thread is ever interrupted.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def note(*_: Any) -> None:
        if interruption.seen or interruption.stoppable:
            raise KeyboardInterrupt
        interruption.seen = True

    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # somebody else has a use for it
        yield
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

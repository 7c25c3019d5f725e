"""The devices that PyTorch computes on, and its threads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from commonground.errors import UsageError

__all__ = ["DEVICE", "device_of", "device_of_models", "devices", "threads"]

DEVICE = "COMMONGROUND_DEVICE"
"""The environment variable that names the device that trained models run on."""


def device_of(name: str) -> Any:
    """Return a device of PyTorch, which must be there."""
    import torch  # noqa: PLC0415  # an extra

    there = devices()
    if name not in there and f"{name}:0" not in there:
        known = f"there is {there[0]}" if len(there) == 1 else f"there are {', '.join(there)}"
        raise UsageError(f"PyTorch has no device {name!r} here; {known}")
    return torch.device(name)


def devices() -> list[str]:
    """Return the names of all devices that are there; ``cuda`` is short for ``cuda:0``."""
    import torch  # noqa: PLC0415  # an extra

    cards = [f"cuda:{number}" for number in range(torch.cuda.device_count())]
    return ["cpu", *cards, *(["mps"] if torch.backends.mps.is_available() else [])]


def device_of_models() -> Any:
    """Return the device that trained models run on."""
    return device_of(os.environ.get(DEVICE) or "cpu")


@contextmanager
def threads(number: int) -> Iterator[None]:
    """Let PyTorch use so many threads, so that its sums do not depend on the machine."""
    import torch  # noqa: PLC0415  # an extra

    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)

"""A cache of report pages, valid as long as the files behind them do not change.

A report takes about a second to make, and is asked for again and again: by going back, by a second
tab, by whoever it was shown to.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from commonground.evaluation.request import located
from commonground.evaluation.saved import read_json

__all__ = ["PageCache"]

_MOST = 64_000_000
"""The maximum size of the cache, in characters; the least recently used page goes first."""

Stamps = dict[str, tuple[int, int]]
"""When each file was changed, and its size; both are -1 where there is none."""


@dataclass(frozen=True, slots=True)
class _Page:
    text: str
    stamps: Stamps


class PageCache:
    """The pages of saved results, each made once for a state of the files that it depends on."""

    def __init__(self, make: Callable[[Path], str], most: int = _MOST) -> None:
        self._make = make
        self._most = most
        self._pages: OrderedDict[Path, _Page] = OrderedDict()
        self._lock = Lock()

    def page(self, path: Path) -> str:
        """Return the page of a result."""
        with self._lock:
            kept = self._pages.get(path)
        if kept is None or _stamps(kept.stamps) != kept.stamps:
            stamps = _stamps(_files(path))  # a file that changes from now on will be seen
            kept = _Page(self._make(path), stamps)
        with self._lock:
            self._pages[path] = kept
            self._pages.move_to_end(path)
            while sum(len(each.text) for each in self._pages.values()) > self._most:
                self._pages.popitem(last=False)
        return kept.text


def _files(path: Path) -> list[str]:
    """Return a result and all files that its report looks into, wherever these may be now."""
    request = read_json(path).get("request")
    inputs = request.get("inputs") if isinstance(request, dict) else None
    names = list(inputs) if isinstance(inputs, dict) else []
    beside = str(path.parent)
    return [str(path), *(located(folder, name) for name in names for folder in ("", beside))]


def _stamps(files: Iterable[str]) -> Stamps:
    return {file: _stamp(file) for file in files}


def _stamp(file: str) -> tuple[int, int]:
    try:
        status = Path(file).stat()
    except (OSError, ValueError):
        return -1, -1
    return status.st_mtime_ns, status.st_size

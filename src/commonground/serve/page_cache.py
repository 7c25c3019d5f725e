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
from typing import Generic, TypeVar

from commonground.evaluation.request import located
from commonground.evaluation.saved import read_json

__all__ = ["PageCache"]

_MOST = 64_000_000
"""The maximum size of the cache, in characters; the least recently used page goes first."""

Stamps = dict[str, tuple[int, int]]
"""When each file was changed, and its size; both are -1 where there is none."""


Page = TypeVar("Page")


@dataclass(frozen=True, slots=True)
class _Kept(Generic[Page]):
    page: Page
    size: int
    stamps: Stamps


class PageCache(Generic[Page]):
    """The pages of saved results, each made once for a state of the files that it depends on.

    `size` tells that of a page, in characters.
    """

    def __init__(
        self,
        make: Callable[[Path], Page],
        most: int = _MOST,
        size: Callable[[Page], int] = lambda page: len(str(page)),
    ) -> None:
        self._make = make
        self._most = most
        self._size = size
        self._pages: OrderedDict[Path, _Kept[Page]] = OrderedDict()
        self._lock = Lock()

    def page(self, path: Path) -> Page:
        """Return the page of a result."""
        with self._lock:
            kept = self._pages.get(path)
        if kept is None or _stamps(kept.stamps) != kept.stamps:
            stamps = _stamps(_files(path))  # a file that changes from now on will be seen
            page = self._make(path)
            kept = _Kept(page, self._size(page), stamps)
        with self._lock:
            self._pages[path] = kept
            self._pages.move_to_end(path)
            while sum(each.size for each in self._pages.values()) > self._most:
                self._pages.popitem(last=False)
        return kept.page


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

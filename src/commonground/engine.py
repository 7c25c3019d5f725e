"""The same work in this process or in many, with the same results in the same order."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.context import BaseContext

__all__ = ["map_ordered", "workers"]

Item = TypeVar("Item")
Result = TypeVar("Result")


def workers(jobs: int) -> int:
    """Return how many processes `jobs` asks for: 0 is one for each core that may be used.

    >>> workers(3)
    3
    """
    if jobs < 0:
        raise ValueError(f"{jobs} jobs; 1 or more are possible, or 0 for one per core")
    if jobs:
        return jobs
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def map_ordered(
    function: Callable[[Item], Result], items: Iterable[Item], jobs: int = 1
) -> Iterator[Result]:
    """Return the results of `function` for all items, in the order of the items.

    With more than one job the items are worked on by other processes, so `function` and what it
    takes and returns must be picklable; it must depend on nothing but its item. Only a few items
    are taken ahead of the results, so a long iterator of large items does not fill the memory. The
    first error ends the work, as it would in a loop.

    >>> list(map_ordered(abs, [-3, 1, -2]))
    [3, 1, 2]
    """
    count = workers(jobs)
    source = iter(items)
    first = list(islice(source, 2))
    if count == 1 or len(first) < 2:
        yield from map(function, first)
        yield from map(function, source)
        return
    yield from _in_processes(function, first, source, count)


def _in_processes(
    function: Callable[[Item], Result], first: list[Item], source: Iterator[Item], count: int
) -> Iterator[Result]:
    import multiprocessing  # noqa: PLC0415  # only for many processes
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415

    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(count, _context(function), initializer=_ignore_interrupts)
    waiting: deque[Future[Result]] = deque()
    try:
        for item in first:
            waiting.append(pool.submit(function, item))
        while waiting:
            for item in islice(source, 2 * count - len(waiting)):
                waiting.append(pool.submit(function, item))
            yield waiting.popleft().result()
    except BaseException:
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _context(function: Callable[..., object]) -> BaseContext:
    """Return a way to start processes that is safe although this one may have threads."""
    import multiprocessing  # noqa: PLC0415  # only for many processes

    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    # What the function needs is imported once, and not by each process.
    context.set_forkserver_preload(["__main__", getattr(function, "func", function).__module__])
    return context


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that waits for the results, and that ends this one then."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

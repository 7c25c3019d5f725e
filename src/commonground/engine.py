"""The same work in this process or in many, with the same results in the same order.

An :class:`Engine` maps a function over items. Who runs work is given one; :func:`engine_for` makes
it from a number of jobs. Another way to spread work is one more class with these two members.

No process outlives the one that it works for, however that one ends: each worker watches for its
end, and the fork server and the resource tracker of :mod:`multiprocessing` end with the last
worker.
"""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from commonground.errors import LostProcessError, MissingExtraError, UsageError

if TYPE_CHECKING:
    from concurrent.futures import Future
    from multiprocessing.context import BaseContext

__all__ = ["Dask", "Engine", "Jobs", "Processes", "Serial", "engine_for", "workers"]

Item = TypeVar("Item")
Result = TypeVar("Result")


class Engine(Protocol):
    """Something that works: in this process, in others, or on other machines."""

    @property
    def workers(self) -> int:
        """How many items are worked on at the same time."""

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Return the results of `function` for all items, in the order of the items.

        Where others do the work, `function` and what it takes and returns must be picklable; it
        must depend on nothing but its item. Only a few items are taken ahead of the results, so
        that a long iterator of large items does not fill the memory. The first error ends the
        work, as it would in a loop.
        """


@dataclass(frozen=True, slots=True)
class Serial:
    """Works in this process.

    >>> list(Serial().map(abs, [-3, 1, -2]))
    [3, 1, 2]
    """

    @property
    def workers(self) -> int:
        """One item at a time."""
        return 1

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Return the results of `function` for all items, in their order."""
        yield from map(function, items)


@dataclass(frozen=True, slots=True)
class Processes:
    """Works in so many processes on this machine; a single item is not worth one."""

    workers: int

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Return the results of `function` for all items, in their order."""
        source = iter(items)
        first = list(islice(source, 2))
        if len(first) < 2:
            yield from map(function, first)
        else:
            yield from _in_processes(function, chain(first, source), self.workers)


Jobs = int | Engine
"""How work is done: in so many processes (0: one per core), or by an engine."""


@dataclass(frozen=True, slots=True)
class Dask:
    """Works on a Dask cluster: that of a `scheduler`, or one of `count` processes of its own.

    The workers must see the same files. Work on a worker that is lost is done by another one.
    """

    scheduler: str = ""
    count: int = 1

    @property
    def workers(self) -> int:
        """How many threads the cluster has."""
        return max(1, sum(_client(self).nthreads().values()))

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Return the results of `function` for all items, in their order."""
        client, source = _client(self), iter(items)
        ahead = 2 * self.workers
        waiting: deque[Any] = deque()
        try:
            while True:
                for item in islice(source, ahead - len(waiting)):
                    waiting.append(client.submit(function, item, pure=False, retries=3))
                if not waiting:
                    return
                yield _result(client, waiting.popleft())
        finally:
            for future in waiting:
                future.cancel()


_PATIENCE, _GLANCE = 60.0, 5.0
"""Seconds that a cluster may be without workers, and seconds between two looks at it."""


def _result(client: Any, future: Any) -> Any:
    """Wait for a result, but not for ever for a cluster that has no worker left.

    The client is asked only when the result is there: Ctrl-C while it waits would leave an
    unfinished coroutine in its loop, and a warning on the screen.
    """
    from threading import Event  # noqa: PLC0415  # only for clusters

    there, alone = Event(), 0.0
    future.add_done_callback(lambda _: there.set())
    while not there.wait(_GLANCE):
        alone = 0.0 if client.nthreads() else alone + _GLANCE
        if alone >= _PATIENCE:
            raise LostProcessError
    try:
        return future.result()
    except import_module("distributed").KilledWorker as error:
        raise LostProcessError from error


@cache
def _client(engine: Dask) -> Any:
    """Return the client of a cluster; it is closed when this process ends."""
    try:
        distributed: Any = import_module("distributed")  # an extra
    except ImportError as error:
        raise MissingExtraError("the engine dask", "cluster") from error
    import atexit  # noqa: PLC0415  # only for clusters

    if engine.scheduler:
        try:
            client = distributed.Client(engine.scheduler, timeout=10)
        except (OSError, ValueError) as error:
            raise UsageError(f"no Dask scheduler answers at {engine.scheduler}: {error}") from error
    else:
        import logging  # noqa: PLC0415  # only for clusters

        cluster = distributed.LocalCluster(
            n_workers=workers(engine.count),
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",  # any free port, of this computer only
            silence_logs=logging.CRITICAL,
        )
        atexit.register(cluster.close)
        client = distributed.Client(cluster)
        client.register_plugin(_deaf_to_interrupts(distributed))
    atexit.register(client.close)
    return client


def _deaf_to_interrupts(distributed: Any) -> Any:
    """Return what makes workers leave Ctrl-C to the process that waits for them and ends them."""

    class Deaf(distributed.WorkerPlugin):  # type: ignore[misc]  # of an extra
        def setup(self, worker: Any) -> None:  # noqa: ARG002  # Dask's signature
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    return Deaf()


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


def engine_for(jobs: Jobs = 1) -> Engine:
    """Return what does work in `jobs` processes; 0 is one for each core that may be used.

    An engine stands for itself, so that any other can be put in its place.

    >>> engine_for(1), engine_for(3)
    (Serial(), Processes(workers=3))
    """
    if not isinstance(jobs, int):
        return jobs
    count = workers(jobs)
    return Serial() if count == 1 else Processes(count)


# ── processes ────────────────────────────────────────────────────────────────────────────────────


def _in_processes(
    function: Callable[[Item], Result], source: Iterator[Item], count: int
) -> Iterator[Result]:
    import multiprocessing  # noqa: PLC0415  # only for many processes
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415

    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        count, _context(function), initializer=_work_for_parent, initargs=(Path.cwd(),)
    )
    waiting: deque[Future[Result]] = deque()
    try:
        while True:
            for item in islice(source, 2 * count - len(waiting)):
                with _interrupts_held():  # submitting starts processes, as long as there are few
                    waiting.append(pool.submit(function, item))
            if not waiting:
                break
            yield waiting.popleft().result()
    except BaseException as error:
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        if isinstance(error, BrokenProcessPool):
            raise LostProcessError from error
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _context(function: Callable[..., object]) -> BaseContext:
    """Return a way to start processes that is safe although this one may have threads.

    Where it has none, those that it forks need not import anything.
    """
    import multiprocessing  # noqa: PLC0415  # only for many processes

    if _has_one_thread():
        return multiprocessing.get_context("fork")
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    from multiprocessing.forkserver import ensure_running  # noqa: PLC0415  # where there is one

    context = multiprocessing.get_context("forkserver")
    # What the function needs is imported once, and not by each process.
    context.set_forkserver_preload(["__main__", getattr(function, "func", function).__module__])
    with _interrupts_held():
        ensure_running()
    return context


def _has_one_thread() -> bool:
    """Tell whether this process has but one thread, those of libraries included, as far as known.

    What another thread has locked stays locked in a process that is forked.
    """
    try:
        return len(os.listdir("/proc/self/task")) == 1  # noqa: PTH208  # paths are not needed
    except OSError:
        return False


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach, not even while they are still importing.

    It is for the process that waits for the results, and that ends the others then. What processes
    inherit is that it is blocked; here it arrives as soon as they are started. So does an order to
    end, which they take (see _work_for_parent) when they know that it is not for them to clean up.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work_for_parent(folder: Path) -> None:
    """Work in the folder of the process that this one works for, and end when that one is gone."""
    from multiprocessing import parent_process  # noqa: PLC0415  # only in other processes
    from multiprocessing.connection import wait  # noqa: PLC0415
    from threading import Thread  # noqa: PLC0415

    os.chdir(folder)  # the server that starts workers may have begun elsewhere
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # where it cannot be blocked
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        wait([parent.sentinel])
        os._exit(1)  # nobody is there to whom an error could be told

    Thread(target=watch, name="parent watcher", daemon=True).start()

"""Visitors who hold as many connections of a server as they can: silent ones and slow ones.

A process of its own, as attackers are: python fuzz/attackers.py PORT --idle 2000 --slow 200
Each connection that the server closes is opened again after a second. A line is printed when all of
them have been open once; how often that happened comes at the end.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import resource
import signal

HEAD = b"GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n"


class Attackers:
    """So many visitors, and how often they came and were sent away."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.opened = self.closed = self.refused = 0
        self.waiting: set[int] = set()
        self.all_came = asyncio.Event()

    async def hold(self, number: int, *, slow: bool) -> None:
        """Hold a connection for ever; a slow one sends a letter of its headers every second."""
        while True:
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except OSError:
                self.refused += 1
                await asyncio.sleep(1)
                continue
            self.opened += 1
            self.waiting.discard(number)
            if not self.waiting:
                self.all_came.set()
            with contextlib.suppress(OSError):
                await (self.drip(writer) if slow else reader.read(1))
            self.closed += 1
            writer.close()
            await asyncio.sleep(1)

    async def drip(self, writer: asyncio.StreamWriter) -> None:
        """Send headers without end."""
        writer.write(HEAD)
        while not writer.transport.is_closing():
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(1)


async def main() -> None:
    """Attack until somebody ends it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("--idle", type=int, default=2000)
    parser.add_argument("--slow", type=int, default=200)
    options = parser.parse_args()
    total = options.idle + options.slow
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2 * total + 100), hard))
    attackers = Attackers(options.port)
    attackers.waiting = set(range(total))
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    loop.add_signal_handler(signal.SIGTERM, over.set)
    tasks = [
        asyncio.create_task(attackers.hold(number, slow=number < options.slow))
        for number in range(total)
    ]
    await attackers.all_came.wait()
    print(f"{total:,} connections were opened", flush=True)
    await over.wait()
    print(
        f"opened {attackers.opened:,}, closed {attackers.closed:,}, refused {attackers.refused:,}"
    )
    for task in tasks:
        task.cancel()


if __name__ == "__main__":
    asyncio.run(main())

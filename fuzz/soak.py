"""Ask a server of results very much, mostly what is hostile, and look at its memory and its files.

python fuzz/soak.py --requests 10000 --uploads 200
python fuzz/soak.py --idle 2000 --slow 200

The second one measures how long the owner of the page waits for it, before and while others hold
2,000 silent and 200 slow connections (attackers.py).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

import httpx

EXAMPLE = Path(__file__).parents[1] / "src" / "commonground" / "example"
GOLD, PARSE = (EXAMPLE / f"{name}.conllu" for name in ("ud", "ud-parse"))
GOOD = ("", "result/result.json")
HOSTILE = (
    *("../", "result/../../etc/passwd", "result/%2e%2e/x", "nothing"),
    "result/" + "a" * 5000,
)
COMMAND = [sys.executable, "-m", "commonground"]


def main() -> int:
    """Return 1 where the server grew, lost descriptors, or failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--uploads", type=int, default=200)
    parser.add_argument("--idle", type=int, default=0)
    parser.add_argument("--slow", type=int, default=0)
    parser.add_argument("--asked", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        line = ["evaluate", "example:ud", "example:ud-parse", "--output-format", "json"]
        subprocess.run([*COMMAND, *line, "-o", f"{folder}/result.json"], check=True)
        server = subprocess.Popen(
            [*COMMAND, "serve", folder, "--port", "0", "--uploads-per-minute", "100000"],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            address = next(word for word in server.stdout.readline().split() if "http" in word)
            if options.idle or options.slow:
                return _attacked(address, server.pid, options)
            return _soak(address, server.pid, options.requests, options.uploads)
        finally:
            server.terminate()
            server.wait()


def _soak(address: str, process: int, requests: int, uploads: int) -> int:
    random = Random(0)
    codes: dict[int, int] = {}
    begin: tuple[int, int] | None = None
    start = time.monotonic()
    every = max(1, requests // max(1, uploads))
    with httpx.Client(timeout=120) as client:
        for number in range(requests):
            upload = number % every == 0
            answer = (_upload if upload else _ask)(client, address, random)
            codes[answer.status_code] = codes.get(answer.status_code, 0) + 1
            if number == requests // 10:
                begin = _state(process)
            if number % max(1, requests // 10) == 0:
                memory, files = _state(process)
                print(f"{number:,} requests: {memory:,} KB, {files} descriptors", flush=True)
    end = _state(process)
    print(
        f"{requests:,} requests, {uploads:,} uploads in {time.monotonic() - start:,.0f} s: {codes}"
    )
    print(f"memory {begin[0]:,} -> {end[0]:,} KB, descriptors {begin[1]} -> {end[1]}")
    grown = end[0] > 1.03 * begin[0] or end[1] > begin[1] + 5
    return int(grown or 500 in codes)


def _attacked(address: str, process: int, options: argparse.Namespace) -> int:
    """Measure the owner's waiting before and during an attack; 1 where he gets no answer."""
    before = _waits(address, options.asked)
    port = str(httpx.URL(address).port)
    line = [sys.executable, Path(__file__).with_name("attackers.py"), port]
    line += ["--idle", str(options.idle), "--slow", str(options.slow)]
    attackers = subprocess.Popen(line, stdout=subprocess.PIPE, text=True)
    print(attackers.stdout.readline().strip(), flush=True)
    during = _waits(address, options.asked)
    memory, files = _state(process)
    attackers.terminate()
    print(attackers.communicate()[0].strip())
    after = _waits(address, options.asked)
    print(f"memory {memory:,} KB, {files:,} descriptors during the attack")
    for name, waits in (("before", before), ("during", during), ("after", after)):
        median, worst = waits[len(waits) // 2], waits[-1]
        tenth = waits[len(waits) * 9 // 10]
        print(
            f"{name}: median {1000 * median:.1f} ms, nine of ten within {1000 * tenth:.1f} ms, "
            f"worst {1000 * worst:.1f} ms, {len(waits)} of {options.asked} answered"
        )
    half = len(before) // 2
    print(f"ratio of the medians: {during[half] / before[half]:.2f}")
    return int(min(map(len, (before, during, after))) < options.asked)


def _waits(address: str, count: int) -> list[float]:
    """Return how long each of some requests took, each on a connection of its own, in order."""
    results = []
    for _ in range(count):
        begin = time.perf_counter()
        try:
            if httpx.get(address, timeout=30).status_code == httpx.codes.OK:
                results.append(time.perf_counter() - begin)
        except httpx.HTTPError as error:
            print(type(error).__name__)
        time.sleep(0.05)
    return sorted(results)


def _ask(client, address, random):
    path = random.choice([*GOOD, *GOOD, *HOSTILE])
    headers = random.choice([{}, {}, {"host": "example.org"}, {"cookie": "x" * 4000}])
    return client.get(address + path, headers=headers)


def _upload(client, address, random):
    good = GOLD.read_bytes(), PARSE.read_bytes()
    gold, parse = random.choice([good, good, (good[0], bytes(random.randbytes(2000)))])
    files = [("gold", ("gold.conllu", gold)), ("parse", ("parse.conllu", parse))]
    origin = address.rstrip("/").rpartition("/")[0]
    headers = {"origin": random.choice([origin, origin, "http://example.org"])}
    return client.post(address + "evaluate", files=files, headers=headers)


def _state(process: int) -> tuple[int, int]:
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    memory = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return memory, len(list(Path(f"/proc/{process}/fd").iterdir()))


if __name__ == "__main__":
    sys.exit(main())

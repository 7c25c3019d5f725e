"""Are the counts of graphs those of mtool and smatch, graph by graph, and how fast are they?

    python benchmarks/graphs.py MTOOL > graphs.txt

MTOOL is a checkout of cfmrp/mtool with its ``data``. Each row is a pair of files: one of mtool's
own, or a file and a copy with planted errors (other labels, fewer edges, nodes in another order),
where mtool has only one side. Missing graphs are left out on both sides. mtool gets 20,000 steps
for each pair of graphs and says of each whether its search was complete (``exact``).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np

import commonground as cg
from commonground.corpus import Graphs
from commonground.metrics.graphs.comparison import compared
from commonground.metrics.registry import metrics_for
from commonground.metrics.settings import Settings
from stopwatch import Row, Task, best_times

__all__ = ["rows"]

MTOOL = os.environ.get("COMMONGROUND_MTOOL", "")
"""A checkout of cfmrp/mtool."""

PAIRS = (
    ("score/psd/107480.gold.mrp", "score/psd/107480.foxik.mrp", "mrp,sdp"),
    ("score/ucca/small.gold.mrp", "score/ucca/small.tupa.mrp", "mrp,ucca"),
    ("score/ucca/test.gold.mrp", "score/ucca/test.tupa.mrp", "mrp,ucca"),
    ("score/ucca/anchors.gold.mrp", "score/ucca/anchors.tupa.mrp", "mrp,ucca"),
    ("score/amr/partial.gold.mrp", "score/amr/partial.system.mrp", "mrp"),
    ("score/amr/test1.mrp", "score/amr/test2.mrp", "mrp"),
    ("score/amr/test1.amr", "score/amr/test2.amr", "mrp,smatch"),
    ("score/amr/first.gold.amr", "score/amr/first.system.amr", "mrp,smatch"),
    ("score/amr/233.gold.amr", "score/amr/233.system.amr", "mrp,smatch"),
    ("score/amr/coli.gold.amr", "score/amr/coli.system.amr", "mrp,smatch"),
    ("score/lpps.mrp", "score/eds/lpps.peking.mrp", "mrp,edm"),
    ("sample/eds/wsj.mrp", "score/eds/wsj.pet.mrp", "mrp,edm"),
    ("sample/eds/wsj.mrp", "validate/eds/wsj.mrp", "mrp,edm"),
    ("sample/dm/wsj.mrp", "", "mrp,sdp"),
    ("sample/psd/wsj.mrp", "", "mrp,sdp"),
    ("sample/eds/wsj.mrp", "", "mrp,edm"),
    ("sample/ucca/wsj.mrp", "", "mrp,ucca"),
    ("sample/amr/wsj.amr", "", "mrp"),
    ("score/dm/peking.wsj.sdp", "", "sdp,mrp"),
)
"""Gold, parse (none: planted errors) and what mtool scores; ``smatch`` is that of the package."""

COMPONENTS = ("tops", "labels", "properties", "anchors", "edges", "attributes")
PARTS = {
    "mrp": {each: f"mrp_{each}" for each in COMPONENTS},
    "sdp": {"labeled": "sdp_f1", "unlabeled": "sdp_unlabelled_f1"},
    "edm": {each: f"edm_{each}" for each in ("names", "arguments", "properties", "tops")},
    "ucca": {
        "labeled primary": "ucca_primary",
        "labeled remote": "ucca_remote",
        "unlabeled primary": "ucca_primary_unlabelled",
        "unlabeled remote": "ucca_remote_unlabelled",
    },
    "smatch": {"all": "smatch"},
}
"""The parts of each of mtool's scores, and our metric of each."""

Counts = dict[str, tuple[int, int, int]]


class Compared(NamedTuple):
    """One graph in both programs: counts by part, and whether the other searched everything."""

    ours: Counts
    theirs: Counts
    exact: bool
    open: int


def main() -> int:
    """Compare all pairs, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mtool", type=Path)
    parser.add_argument("--only", default="", help="pairs with this in their names")
    parser.add_argument("--steps", type=int, default=20_000, help="of mtool's search, for each")
    parser.add_argument("--seconds", type=float, default=600, help="of mtool, for each row")
    asked = parser.parse_args()
    print(
        "| gold | parse | score | graphs | exact | equal | parts differ | higher | lower | open |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        for gold, parse, scores in PAIRS:
            if asked.only in f"{gold} {parse}":
                for score in scores.split(","):
                    _print(asked, gold, parse, score, Path(folder))
    return 0


def _print(asked: argparse.Namespace, gold: str, parse: str, score: str, folder: Path) -> None:
    head = f"| {gold} | {parse or 'planted errors'} | {score} |"
    try:
        files = _files(asked.mtool / "data", gold, parse, folder)
        graphs = list(_compared(asked, score, *files))
    except cg.InputError as error:
        print(f"{head} refused: {error.message} |", flush=True)
        return
    except subprocess.SubprocessError as error:
        lines = getattr(error, "stderr", None) or b""
        said = lines.decode(errors="replace").strip().split("\n")[-1]
        print(f"{head} {type(error).__name__}: {said} |", flush=True)
        return
    found = Counter(_verdict(each) for each in graphs)
    exact = sum(each.exact for each in graphs)
    print(
        f"{head} {len(graphs)} | {exact} | {found['equal']} | {found['parts differ']} | "
        f"{found['higher']} | {found['lower']} | {sum(each.open > 0 for each in graphs)} |",
        flush=True,
    )
    for what in ("higher", "lower", "sums differ"):
        for number, each in enumerate(graphs):
            if _verdict(each) == what and (each.exact or what != "higher"):
                other = {k: (v, each.theirs[k]) for k, v in each.ours.items()}
                print(f"{what}: {number} {other}", file=sys.stderr)


def _verdict(graph: Compared) -> str:
    """Say how our counts are beside the other program's."""
    if graph.ours == graph.theirs:
        return "equal"
    if any(graph.ours[part][:2] != graph.theirs[part][:2] for part in graph.ours):
        return "sums differ"
    more = sum(graph.ours[part][2] - graph.theirs[part][2] for part in graph.ours)
    return "higher" if more > 0 else "lower" if more < 0 else "parts differ"


# ── the files ────────────────────────────────────────────────────────────────────────────────────


def _files(data: Path, gold: str, parse: str, folder: Path) -> tuple[Path, Path, str]:
    """Return gold and parse with the same graphs, and the format that mtool reads."""
    if parse and gold.endswith(".amr"):
        return data / gold, data / parse, "amr"
    ours = _read(data / gold)
    other = _read(data / parse) if parse else _damaged(ours, folder / "whole.mrp")
    ours, other = _both(ours, other)
    paths = folder / "gold.mrp", folder / "parse.mrp"
    for corpus, path in zip((ours, other), paths, strict=True):
        cg.write(corpus, path)
    return *paths, "mrp"


def _read(path: Path) -> Graphs:
    corpus = cg.read(path)
    assert isinstance(corpus, Graphs)
    return corpus


def _both(one: Graphs, two: Graphs) -> tuple[Graphs, Graphs]:
    """Return the graphs that both have, by id and framework."""
    names = [
        list(zip(each.sent_id.tolist(), each.metadata("framework").tolist(), strict=True))
        for each in (one, two)
    ]
    place = {name: row for row, name in enumerate(names[1])}
    rows = [(row, place[name]) for row, name in enumerate(names[0]) if name in place]
    first, second = np.array(rows).T
    return one.take(first), two.take(second)


def _damaged(corpus: Graphs, path: Path) -> Graphs:
    """Return graphs with planted errors: a seventh of labels changed, a tenth of edges lost."""
    chance = random.Random(1)
    lines = []
    cg.write(corpus, path)
    for line in path.read_text(encoding="utf-8").splitlines():
        graph = json.loads(line)
        for node in graph["nodes"]:
            if chance.random() < 1 / 7:
                node["label"] = "other"
        graph["edges"] = [edge for edge in graph["edges"] if chance.random() < 9 / 10]
        for edge in graph["edges"]:
            if chance.random() < 1 / 7:
                edge["label"] = "other"
        if graph.get("framework") not in ("dm", "psd"):  # there mtool looks at the order
            chance.shuffle(graph["nodes"])
        lines.append(json.dumps(graph) + "\n")
    path.write_text("".join(lines), encoding="utf-8")
    return _read(path)


# ── both programs ────────────────────────────────────────────────────────────────────────────────


def _compared(
    asked: argparse.Namespace, score: str, gold: Path, parse: Path, reading: str
) -> Iterator[Compared]:
    sides = _read(gold), _read(parse)
    ours = _ours(*sides, PARTS[score])
    if score == "smatch":
        theirs = [({"all": each}, False) for each in _smatch(gold, parse)]
    else:
        theirs = _mtool(asked, score, gold, parse, reading, sides[0])
    for (counts, still), (others, exact) in zip(ours, theirs, strict=True):
        if others:
            yield Compared({part: counts[part] for part in others}, others, exact, still)


def _ours(gold: Graphs, parse: Graphs, parts: dict[str, str]) -> list[tuple[Counts, int]]:
    pair, _ = compared(gold, parse, Settings())
    metrics = metrics_for("graphs")
    columns, still = {}, np.zeros(len(gold), np.int64)
    for part, name in parts.items():
        items = metrics[name].items(pair)
        row = items.counts.columns
        columns[part] = [row[each].tolist() for each in ("gold", "system", "correct")]
        still = items.further.get("open", still)
    return [
        (
            {part: (a[row], b[row], c[row]) for part, (a, b, c) in columns.items()},
            int(still[row]),
        )
        for row in range(len(gold))
    ]


def _mtool(
    asked: argparse.Namespace, score: str, gold: Path, parse: Path, reading: str, corpus: Graphs
) -> list[tuple[Counts, bool]]:
    command = ["main.py", "--trace", "--read", reading, "--score", score, "--gold", gold, parse]
    if reading == "amr":
        command.insert(1, "--full")  # with :wiki
    if score == "mrp":
        command[1:1] = ["--limit", f"5:{asked.steps}"]
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=asked.mtool,
        check=True,
        capture_output=True,
        timeout=asked.seconds,
    )
    scores = json.loads(done.stdout)["scores"]
    if score == "mrp":
        scores = {key: each for framework in scores.values() for key, each in framework.items()}
    found = []
    names = corpus.sent_id.tolist()
    if "0" in scores and "0" not in names:  # graphs without ids, which mtool numbers from 0
        names = [str(row) for row in range(len(names))]
    for name in names:
        graph = scores.get(name)
        counts = {}
        for part in PARTS[score] if graph else ():
            own = graph
            for key in part.split(" "):
                own = own[key]
            counts[part] = own["g"], own["s"], own["c"]
        found.append((counts, bool(graph and graph.get("exact", True))))
    return found


def _smatch(gold: Path, parse: Path) -> list[tuple[int, int, int]]:
    """Return the counts of smatch: gold, parse, both."""
    import smatch  # noqa: PLC0415  # a peer
    from amr import AMR  # noqa: PLC0415  # comes with smatch

    random.seed(1)
    found = []
    with gold.open(encoding="utf-8") as one, parse.open(encoding="utf-8") as two:
        while texts := (AMR.get_amr_line(one), AMR.get_amr_line(two)):
            if not any(texts):
                break
            both, system, own = smatch.get_amr_match(*texts[::-1])
            smatch.match_triple_dict.clear()
            found.append((own, system, both))
    return found


# ── speed ────────────────────────────────────────────────────────────────────────────────────────


def rows(folder: Path) -> list[Row]:
    """Measure, where mtool's data are given."""
    if not MTOOL:
        print("COMMONGROUND_MTOOL names no checkout of mtool: no graphs", file=sys.stderr)
        return []
    data = Path(MTOOL) / "data"
    return [*_amr(data), *_eds(Path(MTOOL), folder), *_memory(data, folder)]


def _memory(data: Path, folder: Path) -> list[Row]:
    """Measure the peak memory of files of 100,000 and of a million edges."""
    text = (data / "sample/dm/wsj.mrp").read_bytes()
    edges = _read(data / "sample/dm/wsj.mrp").edges.rows
    paths = []
    for many in (100_000, 1_000_000):
        paths.append(folder / f"{many}.mrp")
        with paths[-1].open("wb") as file:
            for _ in range(-(-many // edges)):
                file.write(text)
    rows = []
    for what, program in _LARGE.items():
        peaks = [_peak(program, path) for path in paths]
        told = " and ".join(f"{peak:.0f} MB" for peak in peaks)
        growth = peaks[1] / peaks[0]
        title = f"memory of {what} of 100,000 and of a million edges"
        rows.append(Row(title, f"{told}, {growth:.2f} ×", "≤ 1.2 ×", growth <= 1.2))
    return rows


_LARGE = {
    "SDP scores": "cg.evaluate(sys.argv[1], sys.argv[1], metrics=('sdp_f1',))",
    "`info`": "cg.describe(sys.argv[1])",
    "`check`": "cg.check(sys.argv[1])",
}


def _peak(program: str, path: Path) -> float:
    command = [sys.executable, "-c", _PEAK.format(program=program), str(path)]
    return int(subprocess.run(command, check=True, capture_output=True).stdout) / 1024


_PEAK = """
import resource, sys
import commonground as cg
{program}
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def _amr(data: Path) -> list[Row]:
    gold, parse = (str(data / f"score/amr/coli.{side}.amr") for side in ("gold", "system"))
    graphs = len(cg.read(gold))
    ours = Task(
        "ours",
        f"evaluate({gold!r}, {parse!r}, metrics=('smatch',))",
        "from commonground import evaluate; evaluate('example:amr', 'example:amr')",
    )
    theirs = Task(
        "smatch",
        f"one, two = open({parse!r}), open({gold!r})\n"
        "for pair in smatch.score_amr_pairs(one, two): pass",
        "import random, smatch; random.seed(1)",
    )
    best = best_times([ours, theirs], rounds=3, seconds=60)
    ratio = best["smatch"] / best["ours"]
    what = f"Smatch of {graphs:,} pairs of AMR with reading, proven best"
    return [Row(what, f"{best['ours']:.2f} s, smatch {ratio:.1f} ×", "smatch ≥ 20 ×", ratio >= 20)]


def _eds(mtool: Path, folder: Path) -> list[Row]:
    sides = _both(*(_read(mtool / "data" / each) for each in _EDS))
    paths = [str(folder / f"eds.{side}.mrp") for side in ("gold", "parse")]
    for corpus, path in zip(sides, paths, strict=True):
        cg.write(corpus, path)
    command = ("main.py", "--read", "mrp", "--score", "mrp", "--limit", "5:2000", "--gold")
    best = best_times(
        [
            Task("ours", command=(sys.executable, "-m", "commonground", "evaluate", *paths)),
            Task("mtool", command=(sys.executable, str(mtool / command[0]), *command[1:], *paths)),
        ],
        rounds=1,
    )
    ratio = best["mtool"] / best["ours"]
    what = f"MRP of {len(sides[0])} pairs of EDS, the whole command"
    told = f"{best['ours']:.2f} s, mtool with 2,000 steps {ratio:.0f} ×"
    return [Row(what, told, "mtool ≥ 20 ×", ratio >= 20)]


_EDS = ("sample/eds/wsj.mrp", "score/eds/wsj.pet.mrp")


if __name__ == "__main__":
    with suppress(BrokenPipeError):
        sys.exit(main())

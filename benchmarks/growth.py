"""How the time of the verbs grows: exponents in words, lengths of sentences, systems and labels.

The processor time of a command, less that of the same command on the example, is c · size^e; e is
the slope of a line through the logarithms (least squares). Treebanks are prefixes of real ones, so
that vocabularies grow as they do; longer sentences are several, one below the other; labels are
made more by subtypes. A verb that takes hardly longer on the smallest treebank than on the example
is measured on larger ones, which repeat the sentences once there are no more.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from math import log
from pathlib import Path

import material
from stopwatch import Row, Task, best_times

__all__ = ["rows"]

COMMAND = str(Path(sys.executable).parent / "commonground")
EXAMPLE = "example:ud"
MOST = 1.1
"""Above this, a verb is named."""

SIZES = (15_000, 45_000, 135_000)
LARGER, ENOUGH = 9, 0.15
"""So many times as many words are taken if the smallest treebank takes less than so many seconds
more than the example."""

Line = Callable[[str, str], tuple[str, ...]]
"""A command for a treebank; what it writes goes to the second one."""

OTHER = "flip {} {}.other.conllu --edges ud:infinitive -q"
"""What makes a second analysis of a treebank, which differs in a few heads."""

BEFORE: dict[str, tuple[str, ...]] = {
    "apply": (OTHER, "diff {} {}.other.conllu --patch {}.patch -o {}.txt"),
    "project": ("align {} {} -o {}.links -q",),
    "report": (OTHER,),
}
"""What must be there before a verb is measured; the treebank comes first, then what is written."""

VERBS: dict[str, Line] = {
    "agreement": lambda a, _: ("agreement", f"one={a}", f"two={a}"),
    "align": lambda a, out: ("align", a, a, "-o", out + ".links"),
    "apply": lambda a, out: ("apply", out + ".patch", a, "-o", out),
    "check": lambda a, _: ("check", a),
    "clusters": lambda a, out: ("clusters", a, "--number", "50", "-o", out + ".clusters"),
    "compare": lambda a, _: ("compare", f"one={a}:{a}", f"two={a}:{a}"),
    "convert": lambda a, out: ("convert", a, out),
    "diff": lambda a, _: ("diff", a, a),
    "errors": lambda a, _: ("errors", a),
    "evaluate": lambda a, _: ("evaluate", a, a),
    "flip": lambda a, out: ("flip", a, out, "--edges", "ud:infinitive"),
    "generalize": lambda a, out: ("generalize", a, a, "-o", out + ".functions"),
    "info": lambda a, _: ("info", a),
    "label-unify": lambda a, out: ("label-unify", a, a, "-o", out + ".functions"),
    "labels learn": lambda a, out: ("labels", "learn", a, a, "-o", out + ".labels"),
    "merge": lambda a, out: ("merge", a, a, a, "-o", out),
    "overlap": lambda a, _: ("overlap", a, a),
    "phenomena mine": lambda a, _: ("phenomena", "mine", a, "--language", "en"),
    "project": lambda a, out: ("project", a, a, out + ".links", out, "--all"),
    "projectivize": lambda a, out: ("projectivize", a, out),
    "report": lambda a, out: ("report", a, a, out + ".other.conllu", "-o", out + ".html"),
    "schemes learn": lambda a, out: ("schemes", "learn", a, "-o", out + ".toml"),
    "search": lambda a, _: ("search", a, "V -[obj]-> N; N << V", "--by", "V.lemma"),
    "structures": lambda a, _: ("structures", a),
    "subsumes": lambda a, _: ("subsumes", a, a),
    "train": lambda a, out: ("train", a, "--gold-tags", "--set", "iterations=2", "-o", out),
    "transform": lambda a, out: ("transform", a, out, "--from", "ud", "--to", "sud"),
    "unify": lambda a, out: ("unify", a, a, "-o", out + ".functions"),
    "validate": lambda a, _: ("validate", a, a, "--samples", "2", "--set", "iterations=2"),
    "view": lambda a, _: ("view", a, "--first", "1"),
}
SHORT = ("compare", "evaluate", "parse", "projectivize", "search", "structures", "transform")
"""The verbs that are tried on long sentences."""


def rows(folder: Path) -> list[Row]:
    """Measure."""
    source = material.english(folder).read_text(encoding="utf-8").strip().split("\n\n")
    model, tagger = str(folder / "model"), str(folder / "tagger")
    _run(VERBS["train"](EXAMPLE, model))
    _run(("train", EXAMPLE, "--set", "iterations=2", "-o", tagger))
    verbs = {
        **VERBS,
        "parse": lambda a, out: ("parse", model, a, out),
        "tag": lambda a, out: ("tag", tagger, a, out),
        "trial": lambda a, _: ("trial", a, "--with", tagger, "--no-timing"),
    }
    words = _Prefixes(source, folder)
    some = _prefix(source, 40_000)
    longer = {
        times: _written(folder / f"length-{times}.conllu", _longer(some, times))
        for times in (1, 3, 9)
    }
    labels = {
        count: _written(folder / f"labels-{count}.conllu", _labelled(some, count))
        for count in (1, 4, 16)
    }
    one = words[SIZES[1]]
    systems: dict[str, Callable[[int], tuple[str, ...]]] = {
        "evaluate": lambda n: ("evaluate", one, *(f"s{i}={one}" for i in range(n))),
        "compare": lambda n: ("compare", *(f"s{i}={one}:{one}" for i in range(n))),
    }
    return [
        _row("words", {name: _of_words(name, verb, words, folder) for name, verb in verbs.items()}),
        _row(
            "the length of sentences, at the same number of words",
            {name: _of_sizes(verbs[name], longer, folder) for name in SHORT},
        ),
        _row(
            "systems",
            {
                name: _exponent({n: _spent(line(n)) for n in (2, 5, 12)}, _start(line(2), one))
                for name, line in systems.items()
            },
        ),
        _row(
            "labels",
            {
                name: _of_sizes(verb, labels, folder)
                for name, verb in {
                    "evaluate --confusion": lambda a, _: (
                        *("evaluate", a, a),
                        *("--confusion", "label"),
                    ),
                    **{name: verbs[name] for name in ("info", "search", "train", "parse")},
                }.items()
            },
        ),
    ]


def _row(what: str, exponents: dict[str, float]) -> Row:
    """Return the exponents, the largest first."""
    ranked = sorted(exponents.items(), key=lambda item: -item[1])
    told = ", ".join(f"`{name}` {value:.2f}" for name, value in ranked)
    most = ranked[0][1]
    return Row(f"growth exponents of processor time in {what}", told, f"≤ {MOST}", most <= MOST)


def _of_words(name: str, verb: Line, files: _Prefixes, folder: Path) -> float:
    """Return the exponent of a verb in words, on treebanks that are large enough to tell."""
    out = str(folder / "out.conllu")

    def spent(path: str) -> float:
        for line in BEFORE.get(name, ()):
            treebanks = 2 if line.startswith("align") else 1
            gaps = [path] * treebanks + [out] * (line.count("{}") - treebanks)
            _run(tuple(line.format(*gaps).split()))
        return _spent(verb(path, out))

    start = spent(EXAMPLE)
    sizes = SIZES
    first = spent(files[sizes[0]])
    if first - start < ENOUGH:
        sizes = tuple(LARGER * size for size in SIZES)
        first = spent(files[sizes[0]])
    exponent = _exponent({sizes[0]: first, **{n: spent(files[n]) for n in sizes[1:]}}, start)
    print(f"{name} {exponent:.2f}", file=sys.stderr, flush=True)
    return exponent


def _of_sizes(verb: Line, files: dict[int, str], folder: Path) -> float:
    out = str(folder / "out.conllu")
    return _exponent(
        {size: _spent(verb(path, out)) for size, path in files.items()},
        _spent(verb(EXAMPLE, out)),
    )


def _start(line: Sequence[str], path: str) -> float:
    return _spent(tuple(word.replace(path, EXAMPLE) for word in line))


def _run(line: tuple[str, ...]) -> None:
    """Run a command once; one that finds something may say so."""
    best_times([Task("command", command=(COMMAND, *line), codes=(0, 1))], rounds=1)


def _spent(line: tuple[str, ...]) -> float:
    """Return the least processor time of a command; one that finds something may say so."""
    task = Task("verb", command=(COMMAND, *line), codes=(0, 1))
    return best_times([task], rounds=2, seconds=1)["verb"]


def _exponent(spent: dict[int, float], start: float) -> float:
    """Return the slope of a line through the logarithms of sizes and times.

    >>> round(_exponent({1: 3.0, 2: 5.0, 4: 9.0}, 1.0), 3)
    1.0
    """
    points = [(log(size), log(max(time - start, 0.005))) for size, time in spent.items()]
    x, y = (sum(values) / len(points) for values in zip(*points, strict=True))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


# ── treebanks ────────────────────────────────────────────────────────────────────────────────────


def _written(path: Path, sentences: Sequence[str]) -> str:
    path.write_text("".join(text + "\n\n" for text in sentences), encoding="utf-8")
    return str(path)


class _Prefixes(dict[int, str]):
    """Treebanks with so many words, each written when it is first asked for."""

    def __init__(self, source: Sequence[str], folder: Path) -> None:
        super().__init__()
        self.source, self.folder = source, folder
        self.words = sum(len(_rows(sentence)) for sentence in source)

    def __missing__(self, size: int) -> str:
        rounds = range(-(-size // self.words))
        sentences = [_renamed(each, number) for number in rounds for each in self.source]
        path = self.folder / f"words-{size}.conllu"
        made = self[size] = _written(path, _prefix(sentences, size))
        return made


def _renamed(sentence: str, number: int) -> str:
    """Give a sentence that is there again a name of its own."""
    return sentence.replace("# sent_id = ", f"# sent_id = {number}-", 1) if number else sentence


def _rows(sentence: str) -> list[list[str]]:
    """Return the words of a sentence; its comments, multiword tokens and empty nodes are left."""
    cells = (line.split("\t") for line in sentence.split("\n") if not line.startswith("#"))
    return [row for row in cells if row[0].isdecimal()]


def _prefix(sentences: Sequence[str], words: int) -> list[str]:
    """Return the first sentences, with about so many words."""
    chosen, count = [], 0
    for sentence in sentences:
        chosen.append(sentence)
        count += len(_rows(sentence))
        if count >= words:
            break
    return chosen


def _longer(sentences: Sequence[str], times: int) -> list[str]:
    """Put so many sentences at a time together: each hangs on the root of the one before."""
    made = []
    for start in range(0, len(sentences), times):
        rows: list[list[str]] = []
        above = 0
        for sentence in sentences[start : start + times]:
            before, root = len(rows), above
            for row in _rows(sentence):
                head = int(row[6])
                number = before + int(row[0])
                label = row[7] if head or not above else "parataxis"
                root = root if head else number
                rows.append([str(number), *row[1:6], str(before + head if head else above), label, "_", "_"])  # noqa: E501  # fmt: skip
            above = root
        made.append("\n".join("\t".join(row) for row in rows))
    return made


def _labelled(sentences: Sequence[str], count: int) -> list[str]:
    """Give every fourth or so label one of so many subtypes."""
    made, number = [], 0
    for sentence in sentences:
        rows = _rows(sentence)
        for row in rows:
            number = (number * 1103515245 + 12345) % 2**31
            if row[6] != "0":
                row[7] = f"{row[7].partition(':')[0]}:x{number // 65536 % count}"
            row[8] = "_"
        made.append("\n".join("\t".join(row) for row in rows))
    return made


if __name__ == "__main__":
    import tempfile

    from stopwatch import markdown

    with tempfile.TemporaryDirectory() as temporary:
        print(markdown(rows(Path(temporary))))

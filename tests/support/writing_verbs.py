"""Every verb that writes a file, and what is left when it is killed while it works.

The verbs run in processes that are forked, so that a hundred kills of each take a minute.
"""

from __future__ import annotations

import os
import signal
import time

from commonground.cli import main

WRITING = {
    "agreement": ("out.json", "agreement a=example:ud b=example:sud --output-format json"),
    "align": ("out.align", "align example:ud example:sud --quiet --rounds 1"),
    "apply": ("out.conllu", "apply PATCH example:ud -q"),
    "check": ("out.txt", "check example:ud"),
    "compare": ("out.json", "compare a=example:ud:example:ud-parse b=example:ptb:example:ptb-parse --output-format json"),
    "convert": ("out.conllx", "convert example:ud OUT"),
    "convert --repair": ("out.conllu", "convert SMALL OUT --repair open --quiet"),
    "convert graphs": ("out.sdp", "convert example:dm OUT"),
    "diff --patch": ("out.patch", "diff example:ud example:ud-parse -q --patch OUT"),
    "evaluate": ("out.json", "evaluate example:ud example:ud-parse --output-format json"),
    "flip": ("out.conllu", "flip example:ud OUT --edges ud:coordination"),
    "generalize": ("out.functions", "generalize example:ud example:ptb"),
    "info": ("out.txt", "info example:ud"),
    "label-unify": ("out.functions", "label-unify example:ud example:ptb"),
    "labels learn": ("out.labels", "labels learn example:sud example:ud"),
    "merge": ("out.conllu", "merge example:ud example:ud example:ud-parse -q"),
    "overlap": ("out.conllu", "overlap SMALL example:ud-parse -q --save-as OUT"),
    "phenomena mine": ("out.tsv", "phenomena mine example:ud --output-format tsv"),
    "project": ("out.conllu", "project example:ud example:ud LINKS OUT --all"),
    "projectivize": ("out.conllu", "projectivize example:ud OUT"),
    "schemes show": ("out.md", "schemes show ud --output-format markdown"),
    "search": ("out.conllu", "search example:ud deprel=obl -q --save-as OUT"),
    "structures": ("out.tsv", "structures example:ud --output-format tsv"),
    "clusters": ("out.clusters", "clusters SMALL --min-count 1 --number 4 --quiet"),
    "tag": ("out.conllu", "tag TAGGER example:ud OUT --quiet"),
    "train": ("out.model", "train SMALL --gold-tags --set iterations=1 --quiet"),
    "transform": ("out.conllu", "transform example:ud OUT --from ud --to sud"),
    "unify": ("out.functions", "unify example:ud example:ud"),
    "view": ("out.svg", "view example:ud --all"),
}  # fmt: skip
"""Of each verb what it writes, and its command line, to which -o is added where OUT is missing."""


_MADE = {
    "PATCH": (".a.patch", "diff example:ud example:ud-parse -q --patch .a.patch"),
    "TAGGER": (".tagger", "train .small.conllu --parser tagger -q -o .tagger"),
}
"""Files that are made by other commands, once."""


def words_of(verb, folder):
    """Return the arguments of a verb; what it reads beside the example is written."""
    name, line = WRITING[verb]
    words = line.split() if "OUT" in line else [*line.split(), "-o", "OUT"]
    if "LINKS" in words:
        (folder / ".links.align").write_text("0-0 1-1\n" * 64, encoding="ascii")
    if "SMALL" in words or "TAGGER" in words:
        from commonground.formats import read, write_text

        small = write_text(read("example:ud")[:3], "conllu")
        (folder / ".small.conllu").write_text(small, encoding="utf-8")
    names = {"OUT": name, "LINKS": ".links.align", "SMALL": ".small.conllu"}
    for word, (made, line) in _MADE.items():
        if word in words:
            names[word] = made
            if not (folder / made).exists():
                assert ended(start(line.split(), folder)) == 0, line
    return [names.get(word, word) for word in words]


def start(words, folder, before=lambda: None):
    """Run a command in a forked process that works in a folder; return its number."""
    process = os.fork()
    if process:
        return process
    try:
        os.chdir(folder)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        before()
        os._exit(main(words))
    finally:
        os._exit(70)  # an error that nobody expected; the tests must not go on here


def ended(process, seconds=60):
    """Wait for a process, at most so long; return its exit code, or minus its signal."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    raise AssertionError(f"nothing happened for {seconds} seconds")


def whole(verb, folder):
    """Return what a verb writes when nothing happens to it, and how long that takes."""
    words = words_of(verb, folder)
    begin = time.monotonic()
    code = ended(start(words, folder))
    assert code == 0, (verb, code)
    target = folder / WRITING[verb][0]
    written = target.read_bytes()
    target.unlink()
    return written, time.monotonic() - begin


def killed(verb, folder, new, delay):
    """Kill a verb after some seconds; return what there is then: ``old`` or ``new``.

    It must be one of these, byte by byte, and what else is there must be hidden.
    """
    target = folder / WRITING[verb][0]
    target.write_bytes(b"old")
    process = start(words_of(verb, folder), folder)
    time.sleep(delay)
    os.kill(process, signal.SIGKILL)
    code = ended(process)
    assert code in (0, -signal.SIGKILL), (verb, code)
    result = target.read_bytes()
    assert result in (b"old", new), (verb, result[:100], len(result), len(new))
    for path in folder.iterdir():
        assert path == target or path.name.startswith("."), path
        if path.name.startswith(f".{target.name}."):
            path.unlink()
    return "old" if result == b"old" else "new"

"""Damaged files of every kind, and what must not happen when a command is given one.

A mutant is made from a small good file by a few random edits. It is read with both kinds of
kernels, checked, and given to one verb. Whatever it is, the answer is a result or one line and
exit code 2, within seconds: no traceback, no other code, no difference between the twins.
"""

from __future__ import annotations

import contextlib
import os
import signal
import traceback
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from command import run
from commonground.errors import CommonGroundError
from commonground.formats import Options, find_format, format_names, read, write_text
from relation_samples import SAMPLES

FAILURES = Path(__file__).parent / "failures"
"""Files that broke something once; the name begins with the kind of file."""

GUARD = 10
"""So many seconds of computing are enough for any file as small as these."""

SIDE_FILES = ("scheme", "result", "comparison", "evalb-prm", "equivalent-labels")

_EXAMPLES = {"dependencies": "example:ud", "constituents": "example:ptb"}
_PIECES = [
    *(b"\t \n ( ) [ ] { } < > = : | , ; # _ - -- ~ / \\ ' \" & @ * . 0 1 -1 2 999999999".split(b" ")),
    *(b"1-2", b"1.1", b"0.1", b"1e9", b"\x00", b"\xff", b"\xc2\xa0", b"\xe3\x80\x80", b"\xe2\x80\xae"),
    *(b"\r\n", b"()", b"(())", b"# sent_id = 1", b"NaN", b"null", b"[]", b"{}", b"true", b"%%", b"#BOS 1"),
]  # fmt: skip


@cache
def seeds(kind: str) -> list[bytes]:
    """Return small good files of a kind."""
    if kind in SIDE_FILES:
        return _side_seeds(kind)
    if kind in SAMPLES:
        return [SAMPLES[kind].encode()]
    if kind == "treealigner":
        text = '<treealign><alignments><align type="good"><node node_id="s1_1" treebank_id="1"/>'
        text += '<node node_id="s1_1" treebank_id="2"/></align></alignments></treealign>'
        return [text.encode()]
    if kind == "alpino":
        words = '<node begin="0" end="1" rel="su" pos="noun" word="Vogels"/>'
        words += '<node begin="1" end="2" rel="hd" pos="verb" word="zingen"/>'
        tree = f'<node begin="0" cat="smain" end="2" rel="--">{words}</node>'
        sentence = "<sentence>Vogels zingen</sentence>"
        return [
            f'<alpino_ds version="1.3"><node rel="top">{tree}</node>{sentence}</alpino_ds>'.encode()
        ]
    entry = find_format(kind)
    found = []
    for kind_of_corpus, path in _EXAMPLES.items():
        corpus = read(path)[:3]
        with contextlib.suppress(CommonGroundError):
            if corpus.kind == entry.corpus.kind:
                found.append(write_text(corpus, kind).encode())
            elif kind == "functions":
                found.append(_converted(path, kind_of_corpus, kind))
    return found or [b"()\n"]


def _converted(path, _, kind):
    text = run("convert", path, "-", "--to", kind).stdout
    return "".join(f"{line}\n" for line in text.splitlines()[:6]).encode()


def _side_seeds(kind):
    if kind == "scheme":
        folder = Path(find_format.__code__.co_filename).parents[1] / "schemes" / "presets"
        return [path.read_bytes() for path in sorted(folder.glob("*.toml"))]
    if kind == "result":
        line = ["evaluate", "example:ud", "example:ud-parse", "--output-format", "json"]
        return [run(*line).stdout.encode(), run(*line, "--by", "deprel").stdout.encode()]
    if kind == "comparison":
        line = ["compare", "a=example:ud:example:ud-parse", "b=example:ptb:example:ptb-parse"]
        return [run(*line, "--output-format", "json").stdout.encode()]
    if kind == "evalb-prm":
        return [
            b"DEBUG 0\nMAX_ERROR 10\nCUTOFF_LEN 40\nLABELED 1\nDELETE_LABEL TOP\nEQ_LABEL ADVP PRT\n"
        ]
    return [b"A = B\nNP NX\nsubj obj\n"]


def kinds():
    """Return the names of all kinds of files."""
    return [*format_names(), *SIDE_FILES]


def mutant(kind: str, random: Random) -> bytes:
    """Return a damaged file."""
    data = bytearray(random.choice(seeds(kind)))
    for _ in range(random.choice([1, 1, 1, 2, 3, 6])):
        random.choice(_EDITS)(data, random)
    return bytes(data)


def _flip(data, random):
    if data:
        data[random.randrange(len(data))] = random.randrange(256)


def _insert(data, random):
    place = random.randrange(len(data) + 1)
    data[place:place] = random.choice(_PIECES)


def _replace(data, random):
    start = random.randrange(len(data) + 1)
    data[start : start + random.randrange(1, 6)] = random.choice(_PIECES)


def _delete(data, random):
    start = random.randrange(len(data) + 1)
    del data[start : start + random.choice([1, 1, 2, 5, 20])]


def _repeat(data, random):
    start = random.randrange(len(data) + 1)
    piece = data[start : start + random.randrange(1, 40)]
    data[start:start] = bytes(piece) * random.choice([1, 2, 50])


def _cut(data, random):
    del data[random.randrange(len(data) + 1) :]


def _lines(data, random):
    lines = data.split(b"\n")
    one, two = random.randrange(len(lines)), random.randrange(len(lines))
    kind = random.randrange(3)
    if kind == 0:
        lines[one], lines[two] = lines[two], lines[one]
    elif kind == 1:
        del lines[one]
    else:
        lines.insert(two, lines[one])
    data[:] = b"\n".join(lines)


def _field(data, random):
    """Put another field of the file, or a piece, in the place of a field."""
    parts = bytes(data).replace(b"\n", b"\t\n\t").split(b"\t")
    place = random.randrange(len(parts))
    parts[place] = random.choice([random.choice(parts), random.choice(_PIECES)])
    data[:] = b"\t".join(parts).replace(b"\t\n\t", b"\n")


_EDITS = [_flip, _insert, _replace, _delete, _repeat, _cut, _lines, _field, _field]


# ── what is done with a mutant ───────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class Failure:
    """What went wrong with a file, and at which command."""

    kind: str
    data: bytes
    command: str
    what: str


class TooSlowError(Exception):
    """Nothing came out in time."""


@contextlib.contextmanager
def guarded():
    """Raise an error when the guard's seconds are over."""

    def stop(_, __):
        raise TooSlowError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, GUARD)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


_OF_ANY = (
    "info FILE",
    "view FILE --all",
    "evaluate FILE FILE --format KIND",
    "evaluate FILE FILE --format KIND --metrics all --output-format json",
    "convert FILE - --from KIND --to KIND",
    "convert FILE - --from KIND --to OTHER",
    "convert FILE - --from KIND --to functions",
    "generalize FILE FILE --format KIND",
    "compare a=FILE:FILE b=SEED:SEED --format KIND",
    "subsumes FILE SEED --format KIND",
    "unify FILE SEED --format KIND",
    "label-unify FILE SEED --format KIND",
)
_VERBS = {
    "dependencies": (
        "evaluate FILE FILE --preset conll18",
        "evaluate SEED FILE --on-mismatch skip",
        "agreement a=FILE b=SEED",
        "transform FILE - --from ud --to sud --to-format conllu",
        "structures FILE",
        "projectivize FILE -",
        "flip FILE - --kind coordination",
        "view FILE --all -o OUT.svg",
    ),
    "constituents": (
        "evaluate SEED FILE --preset evalb-collins",
        "evaluate SEED FILE --on-mismatch skip",
        "convert FILE - --to conllu --rules collins --quiet",
        "convert FILE - --to conllu --rules lth --quiet",
        "view FILE --all -o OUT.svg",
    ),
    "scheme": (
        "schemes show FILE",
        "schemes diff FILE ud",
        "transform example:ud - --from ud --to FILE",
    ),
    "result": (
        "test FILE --iterations 10",
        "report FILE -o OUT.html",
        "plot FILE -o OUT.svg --kind length",
        "plot FILE -o OUT.svg --kind pairs",
    ),
    "evalb-prm": ("evaluate example:ptb example:ptb-parse --evalb-prm FILE",),
    "equivalent-labels": (
        "evaluate example:ud example:ud-parse --equivalent-labels FILE",
        "evaluate example:ptb example:ptb-parse --equivalent-labels FILE",
    ),
}
_VERBS["comparison"] = _VERBS["result"]


def verbs_for(kind):
    """Return the commands that take files of a kind."""
    if kind in SIDE_FILES:
        return _VERBS[kind]
    return (*_OF_ANY, *_VERBS.get(find_format(kind).corpus.kind, ()))


def attempt(kind: str, data: bytes, folder: Path, random: Random) -> Failure | None:
    """Read a mutant with both kernels, check it, and give it to one verb."""
    file, seed = folder / f"mutant.{kind}", folder / f"seed.{kind}"
    file.write_bytes(data)
    seed.write_bytes(seeds(kind)[0])
    command = "read"
    try:
        with guarded():
            if kind not in SIDE_FILES:
                if wrong := _twins_differ(kind, data):
                    return Failure(kind, data, "read", wrong)
                command = f"check FILE --format {kind}"
                done = run("check", file, "--format", kind)
                if done.returncode not in (0, 2):
                    return Failure(kind, data, command, f"exit code {done.returncode}")
            command = random.choice(verbs_for(kind))
            other = random.choice(format_names())
            words = [
                word.replace("FILE", str(file))
                .replace("SEED", str(seed))
                .replace("OUT", str(folder / "out"))
                .replace("OTHER", other)
                .replace("KIND", kind)
                for word in command.split()
            ]
            if wrong := _told(run(*words), (0, 1, 2) if words[0] == "subsumes" else (0, 2)):
                return Failure(kind, data, " ".join(words), wrong)
    except TooSlowError:
        return Failure(kind, data, command, f"no answer in {GUARD} seconds")
    except Exception:  # noqa: BLE001  # whatever it is, it is what is looked for
        return Failure(kind, data, command, traceback.format_exc())
    return None


def _told(done, codes=(0, 2)):
    """Return what is wrong with an answer."""
    if done.returncode not in codes:
        return f"exit code {done.returncode}: {done.stderr}"
    if done.returncode == 2 and done.stderr.count("\n") != 1:
        return f"not one line: {done.stderr!r}"
    return ""


def _twins_differ(kind, data):
    found = []
    for choice in ("python", "compiled"):
        os.environ["COMMONGROUND_KERNELS"] = choice
        try:
            found.append(find_format(kind).read(read_plain(data), "m", 1, Options()))
        except CommonGroundError as error:
            found.append(str(error))
        finally:
            del os.environ["COMMONGROUND_KERNELS"]
    one, two = found
    same = one == two
    return "" if same else f"python: {one!r:.300}; compiled: {two!r:.300}"


def read_plain(data):
    """Return content as readers get it."""
    return data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")

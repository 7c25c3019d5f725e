"""Damaged files of every kind, and what must not happen when a command is given one.

A mutant is made from a small good file by a few random edits. It is read with both kinds of
kernels, checked, and given to one verb. Whatever it is, the answer is a result or one line and
exit code 2, within seconds: no traceback, no other code, no difference between the twins.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import struct
import traceback
import zlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from built_files import built_model, built_recipe
from command import run
from mutant_seeds import PACKAGE, SIDE_FILES, seeds
from strange_commands import STRANGE, attempt_command, attempt_visit, drawn, error_lines
from structure_edits import edit_structure
from tiny_encoder import write_encoder

from commonground.errors import CommonGroundError
from commonground.evaluation.saved import read_result
from commonground.formats import FormatOptions, find_format, format_names, read, write_text
from commonground.formats.checking.check import check

FAILURES = Path(__file__).parents[1] / "failures"
"""Files that broke something once; the name begins with the kind of file."""

SUFFIXES = {"head-rules": "toml"}
"""The suffixes of files whose content does not tell what they are."""

GUARD = 10
"""So many seconds of computing are enough for any file as small as these."""

_PIECES = [
    *(b"\t \n ( ) [ ] { } < > = : | , ; # _ - -- ~ / \\ ' \" & @ * . 0 1 -1 2 999999999".split(b" ")),
    *(b"1-2", b"1.1", b"0.1", b"1e9", b"\x00", b"\xff", b"\xc2\xa0", b"\xe3\x80\x80", b"\xe2\x80\xae"),
    *(b"\r\n", b"()", b"(())", b"# sent_id = 1", b"NaN", b"null", b"[]", b"{}", b"true", b"%%", b"#BOS 1"),
]  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A damaged file, and the good one that it was."""

    kind: str
    data: bytes
    seed: bytes


def mutant(kind: str, random: Random) -> Mutant:
    """Return a damaged file, or what a stranger tries (see strange_commands.py)."""
    if kind in STRANGE:
        return Mutant(kind, drawn(kind, random), b"")
    seed = random.choice(seeds(kind))
    if kind == "model" and seed.startswith(_MAGIC) and random.random() < 0.8:
        made = built_model(random) if random.random() < 0.3 else _damaged_model(seed, random)
        return Mutant(kind, made, seed)
    if kind == "recipe" and random.random() < 0.3:
        return Mutant(kind, built_recipe(random), seed)
    return Mutant(kind, _damaged(seed, random), seed)


def _damaged(seed, random):
    data = bytearray(seed)
    if random.random() < 0.5 and edit_structure(data, random):
        if random.random() < 0.3:
            edit_structure(data, random)
        return bytes(data)
    for _ in range(random.choice([1, 1, 1, 2, 3, 6])):
        random.choice(_EDITS)(data, random)
    return bytes(data)


_MAGIC = b"\x89CGMODEL"
_HEAD = struct.Struct("<8sIQI")


def _damaged_model(seed, random):
    """Damage a model behind its checksums, which would tell any other damage at once."""
    _, version, length, _ = _HEAD.unpack_from(seed)
    header, blobs = seed[_HEAD.size : _HEAD.size + length], seed[_HEAD.size + length :]
    if random.random() < 0.6:
        header = _damaged(header, random)
    else:
        described = json.loads(header)
        blobs = _damaged_array(described, blobs, random)
        header = json.dumps(described, separators=(",", ":")).encode()
    return _HEAD.pack(_MAGIC, version, len(header), zlib.crc32(header)) + header + blobs


def _arrays(described):
    """Return the arrays of a model and its parts, in the order in which they are stored."""
    yield from described["arrays"]
    for name in sorted(described["parts"]):
        yield from _arrays(described["parts"][name])


def _damaged_array(described, blobs, random):
    arrays = list(_arrays(described))
    chosen = random.randrange(len(arrays))
    start = sum(array["length"] for array in arrays[:chosen])
    array = arrays[chosen]
    blob = blobs[start : start + array["length"]]
    raw = bytearray(zlib.decompress(blob) if array["packed"] else blob)
    for _ in range(random.choice([1, 2, 8])):
        if raw:
            place = random.randrange(len(raw)) & ~3
            number = random.choice([random.randbytes(4), b"\xff" * 4, b"\xff\xff\xff\x7f"])
            raw[place : place + 4] = number[: len(raw) - place]
    changed = zlib.compress(bytes(raw), 1) if array["packed"] else bytes(raw)
    array["length"], array["crc"] = len(changed), zlib.crc32(changed)
    return blobs[:start] + changed + blobs[start + len(blob) :]


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


class TooSlowError(BaseException):
    """Nothing came out in time; who catches any exception does not catch this one."""


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
    "compare a=FILE:FILE b=SEED:SEED",
    "subsumes FILE SEED --format KIND",
    "unify FILE SEED --format KIND",
    "label-unify FILE SEED --format KIND",
)
ENCODING = ("align LINES LINES --aligner embeddings --encoder ENCODER -o OUT.align --quiet",)
"""What is done with the folder of an encoder, of which one file is damaged."""

_VERBS = {
    "dependencies": (
        "evaluate FILE FILE --preset conll18",
        "evaluate SEED FILE --repair right-branching",
        "convert FILE - --repair open --quiet",
        "evaluate SEED FILE --on-mismatch skip",
        "agreement a=FILE b=SEED",
        "transform FILE - --from ud --to sud --target-format conllu",
        "structures FILE",
        "search FILE V-[nsubj]->N",
        "overlap SEED FILE",
        "diff SEED FILE",
        "diff FILE SEED --patch OUT.patch",
        "merge SEED FILE SEED -o OUT.conllu",
        "merge FILE SEED UD -o OUT.conllu",
        "check FILE --warnings",
        "errors FILE --show 1 --quiet",
        "projectivize FILE -",
        "flip FILE - --edges ud:coordination",
        "view FILE --all -o OUT.svg",
    ),
    "constituents": (
        "evaluate SEED FILE --preset evalb-collins",
        "evaluate SEED FILE --repair open",
        "evaluate SEED FILE --on-mismatch skip",
        "convert FILE - --to conllu --rules collins --quiet",
        "convert FILE - --to conllu --rules lth --quiet",
        "view FILE --all -o OUT.svg",
    ),
    "graphs": (
        "evaluate SEED FILE --preset mrp2020 --by component",
        "evaluate SEED FILE --preset smatch --on-mismatch skip",
        "evaluate FILE SEED --preset sdp2015 --by construction",
        "evaluate SEED FILE --metrics ucca_primary,edm_f1 --on-mismatch skip",
        "search FILE V-[/.*/]->N",
        "convert FILE - --from KIND --to mrp",
        "view FILE --all -o OUT.svg",
    ),
    "relations": ("evaluate SEED FILE", "evaluate FILE SEED --on-mismatch skip"),
    "alignments": (
        "evaluate SEED FILE",
        "project UD UD FILE -",
        "view UD --target UD --links FILE -o OUT.svg",
    ),
    "functions": ("evaluate SEED FILE",),
    "scheme": (
        "schemes show FILE",
        "schemes diff FILE ud",
        "transform UD - --from ud --to FILE",
        "transform UD - --from FILE --to ud",
        "convert PTB - --to conllu --rules lth --scheme FILE --quiet",
    ),
    "head-rules": ("convert PTB - --to conllu --rules FILE --quiet",),
    "result": (
        "test FILE --iterations 10",
        "test FILE --iterations 10 --test bootstrap --output-format json",
        "test a=FILE b=FILE --iterations 10 --test wilcoxon",
    ),
    "label-map": ("compare a=UD:UD b=UD:UD --label-map a=FILE",),
    "patterns": ("phenomena mine UD --patterns FILE", "phenomena mine PTB --patterns FILE"),
    "mapping": ("phenomena score GOLD PARSED --mapping FILE --targets",),
    "phenomena": (
        "phenomena info FILE",
        "phenomena agree FILE SEED",
        "phenomena agree SEED FILE --merged OUT.tsv",
        "phenomena score FILE PARSED",
    ),
    "recipe": (
        "experiment show FILE",
        "experiment show FILE --text",
        "experiment run FILE --into OUT --dry-run",
    ),
    "model": (
        "parse FILE UD - --quiet",
        "tag FILE UD - --quiet",
        "dmv flip FILE --edge DET->NOUN -o OUT.model",
        "dmv candidates FILE UD",
    ),
    "encoder-config": ENCODING,
    "encoder-tokenizer": ENCODING,
    "encoder-weights": ENCODING,
    "alignment-model": (
        "align UD UD --model FILE --no-training --quiet",
        "align UD UD --model FILE --rounds 1 --quiet",
    ),
    "packed": ("info FILE", "view FILE --all", "evaluate FILE FILE", "convert FILE - --to conllx"),
    "evalb-prm": ("evaluate PTB PTB --evalb-prm FILE",),
    "equivalent-labels": (
        "evaluate UD UD --equivalent-labels FILE",
        "evaluate PTB PTB --equivalent-labels FILE",
        "compare a=UD:UD b=UD:UD --equivalent-labels FILE",
    ),
    "repairs": ("project UD UD LINKS - --repair FILE --all",),
    "patch": ("apply FILE FIRST -o OUT.conllu", "apply FILE UD -o OUT.conllu"),
    "sheet": (
        "apply FILE a=FIRST b=SECOND -o OUT.conllu",
        "apply FILE a=FIRST b=SECOND --undecided majority,b -o OUT.conllu",
    ),
    "baseline": ("check SECOND --ud 2 --baseline FILE", "check UD --baseline FILE"),
    "clusters": (
        "train UD --parser tagger --clusters FILE --set iterations=1 -o OUT.model --quiet",
    ),
}
_VERBS["comparison"] = _VERBS["result"]
_VERBS["other-result"] = ("test FILE --iterations 10",)
_SLOW_VERBS = {
    "result": (
        "report FILE -o OUT.html",
        "plot FILE -o OUT.svg --kind length",
        "plot FILE -o OUT.svg --kind pairs",
    ),
    "constituents": ("convert FILE - --to conllu --rules stanford --quiet",),
}
_SLOW_VERBS["comparison"] = _SLOW_VERBS["result"]
_SLOW_VERBS["other-result"] = (
    "report FILE -o OUT.html",
    "plot FILE -o OUT.svg --kind agreement",
    "plot FILE -o OUT.svg --kind runs",
    "plot FILE -o OUT.svg --kind waterfall",
    "plot FILE -o OUT.svg --kind phenomena",
    "plot FILE -o OUT.svg --kind pairs",
)
"""Pages and plots take a hundred times as long as the rest: one mutant in forty is for them."""

_RARE = 1 / 40
_BOTH = 1 / 8
"""So many verbs are run with the plain kernels as well, which are slower."""


def verbs_for(kind):
    """Return the commands that take files of a kind."""
    if kind in SIDE_FILES:
        return _VERBS[kind]
    if kind == "text":  # words without trees: nothing else takes them
        return (
            "info FILE --format text",
            "align FILE SEED --format text",
            "project UD FILE LINKS -",
        )
    return (*_OF_ANY, *_VERBS.get(find_format(kind).corpus.kind, ()))


def slow_verbs_for(kind):
    """Return more such commands, which take much longer."""
    return _SLOW_VERBS.get(kind if kind in SIDE_FILES else find_format(kind).corpus.kind, ())


def _example(name):
    """Return the sentences that patches and sheets of the seeds are about."""
    return write_text(read(f"example:{name}")[:4], "conllu").encode()


@cache
def other_files(folder: Path) -> dict[str, Path]:
    """Write the good files that some commands need beside the damaged one."""
    files = {
        "UD": ("small.conllu", seeds("conllu")[2]),
        "PTB": ("small.mrg", seeds("brackets")[2]),
        "GOLD": ("gold.tsv", seeds("phenomena")[0]),
        "PARSED": ("parsed.conllu", (PACKAGE / "example/phenomena-ud.conllu").read_bytes()),
        "FIRST": ("first.conllu", _example("ud")),
        "SECOND": ("second.conllu", _example("ud-parse")),
        "LINES": ("lines.txt", b"the house\nthe books sing a book\n"),
        "LINKS": ("links.align", b"0-0 1-1\n0-0\n2-2 3-1\n"),
    }
    for name, data in files.values():
        (folder / name).write_bytes(data)
    return {word: folder / name for word, (name, _) in files.items()}


def draw_verb(kind: str, random: Random) -> str:
    """Return a command for a file of a kind, mostly one of the quick ones."""
    slow = slow_verbs_for(kind)
    return random.choice(slow if slow and random.random() < _RARE else verbs_for(kind))


def attempt(made: Mutant, folder: Path, random: Random, verb: str = "") -> Failure | None:
    """Read a mutant with both kernels, check it, and give it to one verb."""
    kind, data = made.kind, made.data
    if kind in STRANGE:
        return _strange(made, folder)
    suffix = SUFFIXES.get(kind, kind)
    file, seed = folder / f"mutant.{suffix}", folder / f"seed.{suffix}"
    file.write_bytes(data)
    seed.write_bytes(made.seed)
    command = "read"
    try:
        with guarded():
            if kind in _RESULTS:
                _show(file)
            if kind not in SIDE_FILES:
                if wrong := _twins_differ(kind, data):
                    return Failure(kind, data, "read", wrong)
                command = f"check FILE --format {kind}"
                check(file, kind)
            command = verb or draw_verb(kind, random)
            words = words_of(command, kind, random, FILE=file, SEED=seed, OUT=folder / "out")
            command = " ".join(words)
            if wrong := _verb_fails(words, both=random.random() < _BOTH):
                return Failure(kind, data, command, wrong)
    except TooSlowError:
        return Failure(kind, data, command, f"no answer in {GUARD} seconds")
    except Exception:  # noqa: BLE001  # whatever it is, it is what is looked for
        return Failure(kind, data, command, traceback.format_exc())
    return None


def _strange(made, folder):
    """Let a stranger try something."""
    attempting = {"command": attempt_command, "visit": attempt_visit}[made.kind]
    try:
        with guarded():
            line, wrong = attempting(made.data, folder, mutant)
    except TooSlowError:
        return Failure(made.kind, made.data, made.data.decode(), f"no answer in {GUARD} seconds")
    except Exception:  # noqa: BLE001  # whatever it is, it is what is looked for
        return Failure(made.kind, made.data, made.data.decode(), traceback.format_exc())
    return Failure(made.kind, made.data, line, wrong) if wrong else None


_RESULTS = ("result", "comparison", "other-result")


def _show(path):
    """Make the tables of a saved result, without the page around them, which takes long."""
    with contextlib.suppress(CommonGroundError):
        read_result(path).grids()


def words_of(command, kind, random, **paths):
    """Return the arguments of a command line in which names stand for files."""
    names = paths | other_files(paths["FILE"].parent)
    if kind in ENCODER_FILES:
        names["ENCODER"] = _encoder(paths["FILE"], ENCODER_FILES[kind])
    names |= {"OTHER": random.choice(format_names()), "KIND": kind}
    for name, value in names.items():
        command = command.replace(name, str(value))
    return command.split()


ENCODER_FILES = {
    "encoder-config": "config.json",
    "encoder-tokenizer": "tokenizer.json",
    "encoder-weights": "model.safetensors",
}


def _encoder(file, name):
    """Return the folder of an encoder with a file in the place of one of its own."""
    folder = write_encoder(file.with_name("encoder"))
    (folder / name).write_bytes(file.read_bytes())
    return folder


def _verb_fails(words, *, both):
    codes = (0, 1, 2) if words[0] in _DOUBTFUL else (0, 2)
    done = run(*words)
    if wrong := _told(done, codes, several=words[0] in ("check", "unify")):
        return wrong
    if both and words[0] not in _WITHOUT_TWIN:
        plain = run(*words, COMMONGROUND_KERNELS="python")
        if (plain.returncode, plain.stdout) != (done.returncode, done.stdout):
            return f"compiled: {done!r:.1500}\nplain: {plain!r:.1500}"
    return ""


_DOUBTFUL = ("apply", "merge", "subsumes")
"""What ends with 1 where something is not so, or is left open."""

_WITHOUT_TWIN = ("report", "plot", "experiment", "align")
"""What has no kernel in it, or takes very long without the compiled one."""


def _told(done, codes, *, several):
    """Return what is wrong with an answer; some verbs refuse with a line for each reason."""
    if done.returncode not in codes:
        return f"exit code {done.returncode}: {done.stderr}"
    if done.returncode == 2 and error_lines(done.stderr) != 1 and not several:
        return f"not one line: {done.stderr!r}"
    return ""


def _twins_differ(kind, data):
    results = []
    for choice in ("python", "compiled"):
        os.environ["COMMONGROUND_KERNELS"] = choice
        try:
            results.append(find_format(kind).read(read_plain(data), "m", 1, FormatOptions()))
        except CommonGroundError as error:
            results.append(str(error))
        finally:
            del os.environ["COMMONGROUND_KERNELS"]
    one, two = results
    same = one == two
    return "" if same else f"python: {one!r:.300}; compiled: {two!r:.300}"


def read_plain(data):
    """Return content as readers get it."""
    return data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")

"""Small good files of every kind that a command reads: what damaged files are made from."""

from __future__ import annotations

import contextlib
import gzip
import json
import lzma
import tempfile
from functools import cache
from pathlib import Path

import numpy as np
import tiny_encoder
from command import run
from format_samples import BY_HAND
from graph_samples import GRAPH_SAMPLES
from relation_samples import SAMPLES

from commonground.errors import CommonGroundError
from commonground.formats import find_format, format_names, read, write_text
from commonground.parsers.model_file import Stored, model_bytes
from commonground.parsers.neural.network import MOST, Sizes, shapes
from commonground.parsers.neural.vocabulary import Vocabulary

PACKAGE = Path(find_format.__code__.co_filename).parents[1]
_EXAMPLES = {"dependencies": "example:ud", "constituents": "example:ptb"}
_PARTS = (slice(0, 1), slice(1, 2), slice(2, 5))
"""Sentences of the bundled example: each part makes a file."""

_MORE = {
    "pharaoh": [b"0-0 1-1 2p2 3-3 4-4 5-7 6-5\n2-10 3-4\n0-0 1-1\n"],
    "conllx": [b"1\tSm\xe5\t_\tX\tX\t_\t2\tamod\n2\tf\xe5glar\t_\tX\tX\t_\t0\troot\n\n"],
    "brackets": [
        b"#2 CP1-2 O bar\n(STA+fcl (SUBJ+np (>N+art O) (H+n bar)) ({) (P+v-fin fecha) (.)\n",
        b"( (IP-MAT (NP-SBJ *con*) (N-A bok$-bok) (D-A $in) (, ,-,) (N a<dash/>b)) (ID x,.1))\n",
    ],
}
_BY_HAND = {
    "text": "Birds sing .\n\nFish swim .\n",
    "patterns": (
        '[particle]\ndescription = "a particle"\n'
        'patterns = ["V -[compound:prt]-> P; V -[obj]-> O; V << P"]\n'
        'targets = ["P !ARG2 O", "V ARG2 O"]\n[passive]\npatterns = ["V -[nsubj:pass]-> S"]\n'
    ),
    "evalb-prm": (
        "DEBUG 0\nMAX_ERROR 10\nCUTOFF_LEN 40\nLABELED 1\nDELETE_LABEL TOP\nEQ_LABEL ADVP PRT\n"
    ),
    "equivalent-labels": "A = B\nNP NX\nsubj obj\n",
    "repairs": (
        '[[rule]]\nwords = ["DET"]\nheads = ["NOUN", "PROPN"]\ndirection = "right"\n'
        'label = "det"\nwithin = 5\n'
    ),
}


@cache
def seeds(kind: str) -> list[bytes]:
    """Return small good files of a kind."""
    if kind in _BY_HAND:
        return [_BY_HAND[kind].encode()]
    if kind in ("alpino", "ccg", "perseus", "treealigner"):
        return [BY_HAND[kind]]
    if kind in SIDE_SEEDS:
        return SIDE_SEEDS[kind]()
    if kind in GRAPH_SAMPLES:
        return [GRAPH_SAMPLES[kind].encode()]
    if kind in SAMPLES:
        return [SAMPLES[kind].encode(), *_MORE.get(kind, [])]
    return _written(kind) or [b"()\n"]


def _written(kind):
    """Return parts of the bundled example in a format."""
    result, wanted = [], find_format(kind).corpus.kind
    for path in _EXAMPLES.values():
        for part in _PARTS:
            corpus = read(path)[part]
            with contextlib.suppress(CommonGroundError):
                if corpus.kind == wanted:
                    result.append(write_text(corpus, kind).encode())
    if kind == "functions":
        for path in _EXAMPLES.values():
            text = run("convert", path, "-", "--to", kind).stdout
            result.append("".join(f"{line}\n" for line in text.splitlines()[:6]).encode())
    return result


def _files_of(*folders, suffix="toml"):
    return [
        path.read_bytes()
        for folder in folders
        for path in sorted((PACKAGE / folder).glob(f"*.{suffix}"))
    ]


def _results():
    with _small(("ud", "ud-parse"), "conllu") as (gold, parse):
        line = ["evaluate", gold, f"a={parse}", f"b={gold}", "--output-format", "json"]
        more = ([], ["--by", "deprel", "--metrics", "uas,las"], ["--metrics", "las,tedeval"])
        return [run(*line, *words).stdout.encode() for words in more]


def _comparisons():
    with (
        _small(("ud", "ud-parse"), "conllu") as (gold, parse),
        _small(("ptb", "ptb-parse"), "brackets") as (other, its),
    ):
        line = ["compare", f"a={gold}:{parse}", f"b={other}:{its}", "--output-format", "json"]
        return [run(*line).stdout.encode()]


def _other_results():
    """Return results of the other verbs that save some."""
    with (
        _small(("ud", "ud-parse"), "conllu") as (gold, parse),
        tempfile.TemporaryDirectory() as folder,
    ):
        saved, marked = Path(folder) / "result.json", Path(folder) / "marked.tsv"
        marked.write_bytes(_phenomena()[0])
        as_json = ["--output-format", "json"]
        done = run("evaluate", gold, f"a={parse}", f"b={gold}", *as_json, "-o", saved)
        assert done.returncode == 0, done.stderr
        lines = (
            ["agreement", f"a={gold}", f"b={parse}"],
            ["test", saved, "--iterations", "10", "--interval", "bca"],
            ["test", "--runs", "a=69.2:0.6:10", "b=66.4:0.3:10"],
            ["phenomena", "score", marked, "example:phenomena-ud"],
            ["evaluate", gold, parse, "--conventions"],
        )
        results = [run(*line, *as_json) for line in lines]
        assert not any(done.returncode for done in results), [done.stderr for done in results]
        return [done.stdout.encode() for done in results]


def _label_maps():
    return [run("labels", "learn", "example:sud", "example:ud").stdout.encode()]


def _phenomena():
    lines = (PACKAGE / "example" / "phenomena.tsv").read_bytes().splitlines(keepends=True)
    return [b"".join(lines[:12]), b"".join(lines[:1] + lines[30:60])]


@contextlib.contextmanager
def _small(names, kind):
    """Give files with the first sentences of bundled treebanks."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name in names:
            path = Path(folder) / f"{name}.{kind}"
            path.write_text(write_text(read(f"example:{name}")[:4], kind), encoding="utf-8")
            paths.append(path)
        yield paths


def _models():
    """Return models of small parsers and a tagger."""
    results = []
    with _small(["ud"], "conllu") as (path,):
        for words in (
            ["--gold-tags", "--parser", "arc-eager", "--set", "iterations=1"],
            ["--parser", "tagger"],
            ["--parser", "dmv", "--tag-column", "upos", "--max-length", "40"],
        ):
            done = run("train", path, "-o", path.with_name("model"), "--quiet", *words)
            assert done.returncode == 0, done.stderr
            results.append(path.with_name("model").read_bytes())
    return [*results, biaffine_model()]


def biaffine_model():
    """Return the file of a neural parser that was not trained; PyTorch need not be there."""
    words, labels = Vocabulary.of(read("example:ud")[:2]), ["dep", "root"]
    sizes = dict.fromkeys(MOST, 4)
    stream = np.random.default_rng(1)
    arrays = {
        name: stream.normal(size=shape).astype(np.float32)
        for name, shape in shapes(Sizes(**sizes), words.sizes, len(labels)).items()
    }
    inner = Stored("biaffine", {**words.stored(), **sizes, "labels": labels}, arrays)
    about = {"tags": "gold", "encoding": "", "log": []}
    return b"".join(model_bytes(Stored("biaffine", about, {}, {"model": inner})))


def _alignment_models():
    with tempfile.TemporaryDirectory() as name:
        text, model = Path(name) / "text", Path(name) / "model"
        text.write_text("a bird\tein Vogel\na song\tein Lied\n", encoding="utf-8")
        done = run(
            "align", text, "--save-model", model, "-o", Path(name) / "links.align", "--quiet"
        )
        assert done.returncode == 0, done.stderr
        return [model.read_bytes()]


def _said(option, line):
    """Return what a command writes to the file of an option."""
    with _small(("ud", "ud-parse"), "conllu") as (gold, parse):
        target = gold.with_name("target")
        words = line.replace("GOLD", str(gold)).replace("PARSE", str(parse)).split()
        done = run(*words, option, target, "-q")
        assert done.returncode in (0, 1), done.stderr
        return [target.read_bytes()]


def _packed():
    import zstandard

    data = write_text(read("example:ud")[:1], "conllu").encode()
    return [gzip.compress(data, mtime=0), lzma.compress(data), zstandard.compress(data)]


SIDE_SEEDS = {
    "encoder-config": lambda: [json.dumps(tiny_encoder.config()).encode()],
    "encoder-tokenizer": lambda: [json.dumps(tiny_encoder.tokenizer()).encode()],
    "encoder-weights": lambda: [tiny_encoder.safetensors(tiny_encoder.weights())],
    "scheme": lambda: _files_of("schemes/presets"),
    "head-rules": lambda: _files_of("conversion/rules"),
    "result": _results,
    "comparison": _comparisons,
    "other-result": _other_results,
    "label-map": _label_maps,
    "mapping": lambda: _files_of("phenomena/mappings"),
    "phenomena": _phenomena,
    "recipe": lambda: _files_of("experiments/recipes"),
    "model": _models,
    "alignment-model": _alignment_models,
    "packed": _packed,
    "patch": lambda: _said("--patch", "diff GOLD PARSE"),
    "sheet": lambda: _said("--sheet", "agreement a=GOLD b=PARSE"),
    "baseline": lambda: _said("--acknowledge", "check PARSE --ud 2"),
    "clusters": lambda: _said("-o", "clusters GOLD --min-count 1 --number 4"),
}
"""How the seeds of files that are no treebanks are made."""

SIDE_FILES = (*SIDE_SEEDS, "patterns", "evalb-prm", "equivalent-labels", "repairs")
"""Kinds of files that are no treebanks."""


def kinds():
    """Return the names of all kinds of files."""
    return [*format_names(), *SIDE_FILES]

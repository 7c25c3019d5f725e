"""How fast treebanks are read, beside the libraries that people use for it."""

from __future__ import annotations

import os
from pathlib import Path

import material
from stopwatch import Row, Task, best_times

__all__ = ["rows"]

OURS = (
    "from commonground.formats import read; read('example:ud'); read('example:ptb')\n"
    "from commonground.kernels import load; load('contents'); load('columns')"
)
"""The readers and the kernels for large files are imported before the clock starts, as the peers'
modules are."""

COLUMNS = ("id", "form", "lemma", "upos", "xpos", "feats", "head", "deprel", "deps", "misc")
"""polars reads these as text, leaves comments out, and takes the ends of sentences for rows."""


FINNISH = os.environ.get("COMMONGROUND_FINNISH", "")
"""A file of Finnish, which has many distinct words: dev and test of UD_Finnish-TDT."""


def rows(folder: Path) -> list[Row]:
    """Measure."""
    finnish = _many_words(Path(FINNISH)) if FINNISH else []
    return [*_conllu(material.conllu(folder)), *finnish, *_brackets(material.brackets(folder))]


def _many_words(path: Path) -> list[Row]:
    """Read a file all of whose texts are asked for, too."""
    whole = f"c = read({str(path)!r}); [x.vocabulary for x in (c.form, c.lemma, c.feats, c.deps)]"
    best = best_times(
        [
            Task("ours", f"read({str(path)!r})", OURS),
            Task("texts", whole, OURS),
            _polars_task(path),
        ]
    )
    size = path.stat().st_size / 1e6
    return [
        Row(
            "reading Finnish (UD_Finnish-TDT, dev and test), compiled kernel, against "
            "`polars.read_csv` on one thread",
            f"{best['polars'] / best['ours']:.2f} × ({size / best['ours']:.0f} and "
            f"{size / best['polars']:.0f} MB/s; {size / best['texts']:.0f} with all forms, lemmas, "
            "features and graphs as strings of Python)",
            "≥ 1 ×",
            best["polars"] >= best["ours"],
        )
    ]


def _conllu(path: Path) -> list[Row]:
    ours = {"setup": OURS, "statement": f"read({str(path)!r})"}
    tasks = [
        Task("compiled", **ours, environment={"COMMONGROUND_KERNELS": "compiled"}),
        Task("plain", **ours, environment={"COMMONGROUND_KERNELS": "python"}),
        Task(
            "conllu", f"conllu.parse(open({str(path)!r}, encoding='utf-8').read())", "import conllu"
        ),
        Task("pyconll", f"pyconll.load_from_file({str(path)!r})", "import pyconll"),
        Task(
            "udapi",
            f"Document().load_conllu({str(path)!r})",
            "from udapi.core.document import Document",
        ),
        _polars_task(path),
    ]
    best = best_times(tasks)
    speed = path.stat().st_size / 1e6 / best["compiled"]
    results = [
        Row(
            "reading CoNLL-U, compiled kernel, one core",
            f"{speed:.0f} MB/s",
            "≥ 40 MB/s",
            speed >= 40,
        ),
        Row(
            "reading CoNLL-U, compiled kernel, against `polars.read_csv` on one thread",
            f"{best['polars'] / best['compiled']:.2f} × "
            f"({path.stat().st_size / 1e6 / best['polars']:.0f} MB/s)",
            "≥ 1 ×",
            best["polars"] >= best["compiled"],
        ),
    ]
    for peer in ("conllu", "pyconll", "udapi"):
        ratio = best[peer] / best["plain"]
        results.append(
            Row(
                f"reading CoNLL-U, plain kernel, against {peer}",
                f"{ratio:.1f} ×",
                "≥ 5 ×",
                ratio >= 5,
            )
        )
        ratio = best[peer] / best["compiled"]
        results.append(
            Row(f"reading CoNLL-U, compiled kernel, against {peer}", f"{ratio:.1f} ×", "", met=True)
        )
    return results


def _polars_task(path: Path) -> Task:
    return Task(
        "polars",
        _polars(path),
        f"import polars; {_polars(material.EXAMPLE / 'ud.conllu')}",
        environment={"POLARS_MAX_THREADS": "1"},
    )


def _polars(path: Path) -> str:
    """Return the statement with which polars reads a file."""
    return (
        f"polars.read_csv({str(path)!r}, has_header=False, separator='\\t', quote_char=None, "
        f"comment_prefix='#', schema=dict.fromkeys({COLUMNS!r}, polars.String))"
    )


def _brackets(path: Path) -> list[Row]:
    ours = {"setup": OURS, "statement": f"read({str(path)!r})"}
    tasks = [
        Task("compiled", **ours, environment={"COMMONGROUND_KERNELS": "compiled"}),
        Task("plain", **ours, environment={"COMMONGROUND_KERNELS": "python"}),
        Task(
            "nltk",
            "for tree in reader.parsed_sents(): pass",
            "import nltk.data, pathlib\n"
            f"folder = pathlib.Path({str(path.parent)!r})\n"
            "nltk.data.path.append(str(folder))\n"
            "from nltk.corpus.reader import BracketParseCorpusReader\n"
            f"reader = BracketParseCorpusReader(str(folder), [{path.name!r}])",
        ),
    ]
    best = best_times(tasks, rounds=3)
    speed = path.stat().st_size / 1e6 / best["compiled"]
    ratio, plain = best["nltk"] / best["compiled"], best["nltk"] / best["plain"]
    return [
        Row("reading brackets, compiled kernel, one core", f"{speed:.0f} MB/s", "", met=True),
        Row(
            "reading brackets, compiled kernel, against NLTK's reader",
            f"{ratio:.0f} ×",
            "≥ 100 ×",
            ratio >= 100,
        ),
        Row(
            "reading brackets, plain kernel, against NLTK's reader", f"{plain:.1f} ×", "", met=True
        ),
    ]

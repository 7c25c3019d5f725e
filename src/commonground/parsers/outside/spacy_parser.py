"""spaCy's transition-based neural parser, trained from scratch; missing heads stay missing."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from commonground.corpus import Dependencies, Strings
from commonground.errors import MissingExtraError
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.outside.folder_model import Bytes
from commonground.parsers.outside.places import package_needed, package_version
from commonground.parsers.parser import Parser, TrainingStep, TrainingTask

__all__ = ["PARSERS", "SpacyModel", "SpacySettings"]


@dataclass(frozen=True, slots=True)
class SpacySettings:
    """The settings of spaCy's parser: `iterations` over the corpus, sentences in a `batch`."""

    iterations: int = 20
    batch: int = 64
    dropout: float = 0.2
    language: str = "xx"

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z-]+", self.language):
            raise ValueError(f"the language is {self.language!r}; its code is needed, as en")


@dataclass(frozen=True)
class SpacyModel:
    """A pipeline of spaCy with a parser, as bytes."""

    content: Bytes
    language: str = "xx"

    def parse(self, corpus: Dependencies, /) -> Dependencies:
        """Return the corpus with the trees that spaCy makes."""
        spacy = _package()
        nlp = _blank(spacy, self.language)
        try:
            nlp.from_bytes(self.content.tobytes())
        except Exception as error:  # whatever its readers raise for damaged bytes
            raise ModelError(f"spaCy cannot read its model: {error}") from error
        heads: list[int] = []
        labels: list[str] = []
        parser = nlp.get_pipe("parser")
        for doc in _docs(spacy, nlp, corpus):
            parsed = parser(doc)
            root = next(token.i for token in parsed if token.head.i == token.i)
            for token in parsed:
                top = token.head.i == token.i
                # spaCy may find several sentences; their roots hang on that of the first.
                heads.append(0 if token.i == root else (root if top else token.head.i) + 1)
                labels.append("root" if token.i == root else token.dep_ or "dep")
        return corpus.replace("words", head=np.array(heads, np.int32), deprel=Strings.of(labels))

    def store(self) -> Stored:
        """Return what a file of the model holds."""
        return Stored("spacy", {"language": self.language}, {"files": self.content})


def _package() -> Any:
    try:
        import spacy  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise MissingExtraError("the parser spacy", "spacy") from error
    return spacy


def _blank(spacy: Any, language: str) -> Any:
    nlp = spacy.blank(language)
    nlp.add_pipe("tok2vec")
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 96, "upstream": "*"}
    model = {
        "@architectures": "spacy.TransitionBasedParser.v2",
        "state_type": "parser",
        "extra_state_tokens": False,
        "hidden_width": 64,
        "maxout_pieces": 2,
        "use_upper": True,
        "tok2vec": listener,
    }
    nlp.add_pipe("parser", config={"model": model, "min_action_freq": 1})
    return nlp


def _docs(spacy: Any, nlp: Any, corpus: Dependencies) -> list[Any]:
    ends, forms = corpus.offsets.tolist(), corpus.form.tolist()
    docs = [
        spacy.tokens.Doc(nlp.vocab, words=[form or "_" for form in forms[first:last]])
        for first, last in pairwise(ends)
    ]
    for doc in docs:
        nlp.get_pipe("tok2vec")(doc)
    return docs


def _examples(spacy: Any, nlp: Any, corpus: Dependencies) -> list[Any]:
    from spacy.training import Example  # noqa: PLC0415  # an extra

    ends, forms = corpus.offsets.tolist(), corpus.form.tolist()
    heads, labels = corpus.head.tolist(), corpus.deprel.tolist()
    examples = []
    for first, last in pairwise(ends):
        words = [form or "_" for form in forms[first:last]]
        here = [
            None if head < 0 else at if head == 0 else head - 1
            for at, head in enumerate(heads[first:last])
        ]
        deps = [
            "" if head is None else "ROOT" if head == at else label
            for at, (head, label) in enumerate(zip(here, labels[first:last], strict=True))
        ]
        given = {"words": words, "heads": here, "deps": deps}
        examples.append(Example.from_dict(spacy.tokens.Doc(nlp.vocab, words=words), given))
    return examples


def _train(task: TrainingTask) -> SpacyModel:
    spacy, settings = _package(), task.settings
    spacy.util.fix_random_seed(task.seed)
    order = random.Random(task.seed)  # noqa: S311  # an order of sentences, no secret
    nlp = _blank(spacy, settings.language)
    examples = _examples(spacy, nlp, task.corpus)
    optimizer = nlp.initialize(lambda: examples)
    for number in range(settings.iterations):
        order.shuffle(examples)
        losses: dict[str, float] = {}
        for batch in spacy.util.minibatch(examples, settings.batch):
            nlp.update(batch, sgd=optimizer, drop=settings.dropout, losses=losses)
        loss = float(losses.get("parser", 0.0)) / max(1, task.corpus.words.rows)
        task.watch(TrainingStep(number + 1, settings.iterations, loss))
    return SpacyModel(np.frombuffer(nlp.to_bytes(), np.uint8), settings.language)


def _load(stored: Stored) -> SpacyModel:
    try:
        language = SpacySettings(language=stored.value("language", str)).language
    except ValueError as error:
        raise ModelError(str(error)) from error
    return SpacyModel(stored.array("files", "|u1"), language)


PARSERS = {
    "spacy": Parser(
        name="spacy",
        title="spaCy's neural transition-based parser, from scratch (Honnibal et al.)",
        corpus=Dependencies,
        settings=SpacySettings,
        train=_train,
        load=_load,
        tags=False,
        partial=True,
        missing=package_needed("spacy", "spacy"),
        version=lambda: package_version("spacy"),
        projective=lambda _: True,
    )
}

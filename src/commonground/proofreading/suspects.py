"""Probable annotation errors of a treebank: a ranked list, with reasons and proposals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.corpus.fingerprint import fingerprint
from commonground.corpus.shape import cyclic
from commonground.engine import Jobs, engine_for
from commonground.errors import UsageError
from commonground.evaluation.decoding import Count, decoded
from commonground.evaluation.result import MEMORY, Result
from commonground.evaluation.signature import signature
from commonground.formats.objects import as_corpus
from commonground.formats.patch import ColumnChange, Patch, SentencePatch
from commonground.plurals import number_of
from commonground.proofreading.changed_sentences import changed_sentences
from commonground.proofreading.cross_parses import PARSERS, CrossParses, cross_parses, usual_folds
from commonground.proofreading.evidence import Evidence, collect
from commonground.proofreading.history import later_analysis
from commonground.proofreading.logistic import LogisticModel
from commonground.proofreading.proposals import Proposals, candidates, proposals
from commonground.proofreading.ranking import learned_further, reading_order, usual_weights
from commonground.proofreading.reasons import Reason, reasons

__all__ = ["AnnotationErrors", "Suspect", "annotation_errors"]


@dataclass(frozen=True, slots=True)
class Suspect:
    """A word that is probably wrong.

    `sentence` names it as patches do: by its id, or as ``#12`` by its place. `doubt` is how
    probably later releases would change the word, as far as histories tell; `sure` how probably the
    proposal is right if they do. A word without a proposal has the head -1 there.
    """

    sentence: str
    line: int
    word: int
    form: str
    doubt: float
    head: int
    deprel: str
    new_head: int
    new_deprel: str
    sure: float
    reasons: tuple[Reason, ...]
    text: str = ""

    @property
    def proposed(self) -> bool:
        """Whether there is a proposal."""
        return self.new_head >= 0

    def changes(self) -> tuple[ColumnChange, ...]:
        """Return what the proposal changes."""
        columns = (
            ("HEAD", str(self.head), str(self.new_head)),
            ("DEPREL", self.deprel, self.new_deprel),
        )
        return tuple(
            ColumnChange(str(self.word), name, old, new)
            for name, old, new in columns
            if self.proposed and old != new
        )

    def to_json(self) -> dict[str, Any]:
        """Return the suspect as JSON has it."""
        proposal = {"head": self.new_head, "deprel": self.new_deprel, "sure": self.sure}
        return {
            "sentence": self.sentence, "line": self.line, "word": self.word, "form": self.form,
            "doubt": self.doubt, "head": self.head, "deprel": self.deprel,
            "proposal": proposal if self.proposed else None,
            "reasons": [{"kind": each.kind, "text": each.text} for each in self.reasons],
            "text": self.text,
        }  # fmt: skip


@dataclass(frozen=True, repr=False)
class AnnotationErrors(Result):
    """The words of a treebank that are most probably wrong, the most doubtful first."""

    kind: ClassVar[str] = "errors"
    verb: ClassVar[str] = "errors"

    signature: str
    sentences: int
    words: int
    suspects: tuple[Suspect, ...]

    def __len__(self) -> int:
        """Return the number of suspects."""
        return len(self.suspects)

    def __repr__(self) -> str:
        return f"AnnotationErrors({len(self):,} of {number_of(self.words, 'word')})"

    def patch(self, least: float = 0.0) -> Patch:
        """Return the proposals as a patch: those with `least` probability of being right.

        A proposal that would make a cycle with one that is more doubtful is not offered at all,
        nor is a second one for the same word.
        """
        chosen: dict[str, list[Suspect]] = {}
        for each in self.suspects:
            if each.proposed and each.doubt * each.sure >= least:
                chosen.setdefault(each.sentence, []).append(each)
        return Patch(
            tuple(
                SentencePatch(name, tuple(change for each in some for change in each.changes()))
                for name, some in chosen.items()
            )
        )

    def to_json(self) -> dict[str, Any]:
        """Return everything as JSON has it."""
        return {
            "kind": self.kind,
            "signature": self.signature,
            "sentences": self.sentences,
            "words": self.words,
            "suspects": [each.to_json() for each in self.suspects],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], path: str = MEMORY) -> Self:
        """Return the errors that JSON holds."""
        saved = decoded(data, _ErrorsJson, path)
        suspects = tuple(each.decoded() for each in saved.suspects)
        return cls(saved.signature, saved.sentences, saved.words, suspects)


Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


class _ProposalJson(msgspec.Struct, frozen=True):
    head: Count
    deprel: str
    sure: Share


class _ReasonJson(msgspec.Struct, frozen=True):
    kind: str
    text: str


class _SuspectJson(msgspec.Struct, frozen=True):
    sentence: str
    line: Count
    word: Count
    form: str
    doubt: Share
    head: int
    deprel: str
    proposal: _ProposalJson | None
    reasons: tuple[_ReasonJson, ...]
    text: str = ""

    def decoded(self) -> Suspect:
        new = self.proposal or _ProposalJson(0, "", 0.0)
        return Suspect(
            self.sentence, self.line, self.word, self.form, self.doubt, self.head, self.deprel,
            new.head if self.proposal else -1, new.deprel, new.sure,
            tuple(Reason(each.kind, each.text) for each in self.reasons), self.text,
        )  # fmt: skip


class _ErrorsJson(msgspec.Struct, frozen=True):
    signature: str
    sentences: Count
    words: Count
    suspects: tuple[_SuspectJson, ...]


def annotation_errors(
    treebank: Any,
    *,
    others: Sequence[Any] = (),
    history: tuple[Any, Any] | None = None,
    changed_since: Any | None = None,
    top: int = 500,
    doubt: float = 0.0,
    folds: int | None = None,
    seed: int = 0,
    jobs: Jobs = 1,
    advance: Callable[[int], None] = lambda _: None,
) -> AnnotationErrors:
    """Return the `top` words of a treebank that are most probably annotated wrongly.

    `others` are more trees with the same annotation, such as the rest of the treebank: they take
    part in what is usual, and parsers learn from them. A `history`, an older and a newer version of
    (a part of) the treebank, teaches what its maintainers change. With `changed_since`, an older
    version, only sentences are looked at that are new or annotated otherwise. Words that are
    doubted less than `doubt` are left out. Parsers are trained for `folds` of the treebank, 6 or,
    from 100,000 words on, 3 by default.

    >>> import commonground as cg
    >>> found = cg.annotation_errors("example:ud", top=3)
    >>> len(found.suspects), found.suspects[0].doubt >= found.suspects[1].doubt
    (3, True)
    """
    corpus, *more = (_dependencies(each) for each in (treebank, *others))
    if len(corpus) < 2 or not corpus.words.rows:
        raise UsageError("a treebank of at least two sentences is needed to see what is usual")
    engine = engine_for(jobs)
    old = None if changed_since is None else _dependencies(changed_since, cycles=True)
    whole = Dependencies.concatenate([corpus, *more]) if more else corpus
    folds = folds or usual_folds(whole.words.rows)
    asked = np.zeros(len(whole), np.bool_)
    asked[: len(corpus)] = True if old is None else changed_sentences(corpus, old)

    def parsed(trees: Dependencies, only: NDArray[np.bool_] | None = None) -> CrossParses:
        return cross_parses(trees, engine, count=folds, only=only, seed=seed, advance=advance)

    evidence = collect(whole, parsed(whole, asked))
    usual = usual_weights()
    weights = usual.doubt
    if history is not None:
        before, after = (_dependencies(each) for each in history)
        weights = learned_further(
            weights, collect(before, parsed(before)), later_analysis(before, after)
        )
    best = proposals(candidates(evidence), usual.proposal)
    chance = weights.probability(evidence.names, evidence.table)
    names = usual.parsers.names
    by_parsers = usual.parsers.probability(names, evidence.part(names))
    rows = np.flatnonzero(np.repeat(asked, whole.words.lengths) & (chance >= doubt))
    first = rows[reading_order(chance[rows], by_parsers[rows])][:top]
    return AnnotationErrors(
        signature(
            golds=[fingerprint(each) for each in (corpus, *more, *([] if old is None else [old]))],
            parsers="+".join(PARSERS), folds=folds, seed=seed,
            history="none" if history is None else "own",
            sentences="all" if old is None else "changed", doubt=doubt,
        ),
        int(asked.sum()), int(whole.words.lengths[asked].sum()),
        tuple(_suspects(corpus, evidence, weights, chance, best, first.tolist())),
    )  # fmt: skip


def _dependencies(treebank: Any, *, cycles: bool = False) -> Dependencies:
    corpus = as_corpus(treebank)
    if not isinstance(corpus, Dependencies):
        raise UsageError(f"errors are looked for in dependencies, not in {corpus.kind}")
    if not cycles and bool(cyclic(corpus).any()):
        raise UsageError("some heads form a cycle; commonground check says where")
    return corpus


def _suspects(
    corpus: Dependencies,
    evidence: Evidence,
    model: LogisticModel,
    chance: np.ndarray[Any, np.dtype[np.float64]],
    best: Proposals,
    rows: Iterable[int],
) -> Iterable[Suspect]:
    """Return the suspects of some rows; of proposals that make a cycle only the first stays."""
    columns = evidence.columns
    names, lines = _names(corpus), corpus.lines_of_words()
    deprel, form = corpus.deprel.tolist(), corpus.form.tolist()
    weighed = model.standardised(evidence.names, evidence.table) * model.weight
    heads = columns.head.copy()
    for row in rows:
        sentence = int(columns.sentence[row])
        first = int(columns.first[row])
        head, label = int(best.head[row]), int(best.label[row])
        if head >= 0 and _is_below(heads, first, head, int(columns.place[row])):
            head = -1
        if head >= 0:
            heads[row] = head
        yield Suspect(
            names[sentence], int(lines[row]), int(columns.place[row]), form[row],
            round(float(chance[row]), 4), int(columns.head[row]), deprel[row],
            head, evidence.parses.labels[label] if head >= 0 else "",
            round(float(best.sure[row]), 4) if head >= 0 else 0.0,
            reasons(evidence, weighed[row], row), corpus[sentence].text,
        )  # fmt: skip


def _is_below(heads: np.ndarray[Any, np.dtype[np.int64]], first: int, word: int, top: int) -> bool:
    """Tell whether a word of a sentence is another one, or hangs on it, directly or not."""
    while word > 0 and word != top:
        word = int(heads[first + word - 1])
    return word == top


def _names(corpus: Dependencies) -> list[str]:
    """Return what patches call the sentences: ids where they are unique, else places."""
    ids = corpus.sent_id.tolist()
    given = [
        name if _has_id(block) else ""
        for name, block in zip(ids, corpus.comments.tolist(), strict=True)
    ]
    count: dict[str, int] = {}
    for name in given:
        count[name] = count.get(name, 0) + 1
    return [
        name if name and count[name] == 1 and not name.startswith("#") else f"#{place}"
        for place, name in enumerate(given, 1)
    ]


def _has_id(comments: str) -> bool:
    return any(line.startswith("# sent_id") for line in comments.split("\n"))

"""F-structures anchored in the words of their sentence, so that they have yields.

The nodes of an f-structure bank such as PARC 700 are lemmas with numbers that are names, not
places, those of grammatical relations can be words without any number. Their sentence is told as
words or as a text. A node is anchored at a word that its lemma can be the
lemma of: the same form, or in another case, or an inflected form of it (the same beginning, up to a
few letters at the end); a lemma of several words at so many words in a row. Coordinations and
pronouns stand for the word that their form is told to be (``coord_form``, ``pron_form``). Other
values that name a word (``det_form(dog, the)``) become nodes of their own, at the nearest word.

Where a lemma has as many words as nodes, they belong together in the order of the numbers. The
others follow, each at the free word nearest to what it is related to. No word has two nodes.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from commonground.corpus import Relations, Sentence, Strings, Table
from commonground.corpus.table import offsets_of

__all__ = ["Anchored", "anchored", "words_of_text"]

_LEADING, _TRAILING = re.compile(r"[(\[{\"“‘`]+"), re.compile(r"[)\]}\"”’.,;:!?]+$")
_FORM = "_form"
_OWN_FORMS = ("coord_form", "pron_form")
_IRREGULAR = {
    "be": "am are is was were been being 's 're 'm",
    "have": "has had having 've",
    "do": "does did done",
    "a": "an",
    "not": "n't",
    "will": "wo 'll",
    "can": "ca",
}
_ENDING = 4
"""Maximum number of letters after the stem of an inflected word."""


@dataclass(frozen=True)
class Anchored:
    """Relations whose nodes have places; `missing` are the nodes without: sentence and text.

    Null pronouns stand for no word and are not missing.
    """

    corpus: Relations
    missing: tuple[tuple[str, str], ...]
    nodes: int

    def __add__(self, other: Anchored) -> Anchored:
        corpus = Relations.concatenate([self.corpus, other.corpus])
        return Anchored(corpus, self.missing + other.missing, self.nodes + other.nodes)

    @property
    def remark(self) -> str:
        """What could not be anchored, for people; the empty string where all could."""
        if not self.missing:
            return ""
        shown = ", ".join(f"{text} in {sentence}" for sentence, text in self.missing[:5])
        more = " …" if len(self.missing) > 5 else ""
        count = f"{len(self.missing):,} of {self.nodes:,} nodes stand for no known word"
        return f"{count}: {shown}{more}"


def anchored(corpus: Relations) -> Anchored:
    r"""Anchor the nodes of f-structures in the words of their sentences.

    >>> from commonground.formats import read_text
    >>> told = "subj(sing~0, bird~1)\ndet_form(bird~1, the)"
    >>> text = f"sentence(\nid(1)\nsentence_form(The birds sing.)\nstructure(\n{told})\n)\n"
    >>> result = anchored(read_text(text, "parc")).corpus
    >>> result.form.tolist(), result.nodes.numbers("first").tolist()
    (['The', 'birds', 'sing', '.'], [3, 2, 1])
    """
    sentences = [_anchored(sentence) for sentence in corpus]
    words = [placed.words for placed in sentences]
    texts = [[*placed.texts, *placed.forms] for placed in sentences]
    places = [place for placed in sentences for place in placed.places]
    dependents = [row for placed in sentences for row in placed.dependents]
    forms = Strings.of(form for placed in words for form in placed)
    unknown = Strings.constant("_", len(forms))
    nodes = Table(
        offsets_of([len(placed) for placed in texts]),
        text=Strings.of(text for placed in texts for text in placed),
        first=np.array([first for first, _ in places], np.int32),
        last=np.array([last for _, last in places], np.int32),
    )
    tables = {
        **corpus.tables,
        "words": Table(
            offsets_of([len(placed) for placed in words]), form=forms, tag=unknown, lemma=unknown
        ),
        "nodes": nodes,
        "relations": corpus.relations.replace(dependent=np.array(dependents, np.int32)),
    }
    missing = [
        (sentence.sent_id, text)
        for sentence, placed in zip(corpus, sentences, strict=True)
        for text in placed.missing()
    ]
    return Anchored(Relations(tables), tuple(missing), corpus.nodes.rows)


def words_of_text(text: str) -> list[str]:
    """Return the words of a text: cut at white space, brackets and punctuation cut off.

    >>> words_of_text("In T-cells (RelA), it acts.")
    ['In', 'T-cells', '(', 'RelA', ')', ',', 'it', 'acts', '.']
    """
    words: list[str] = []
    for chunk in text.split():
        leading = _LEADING.match(chunk)
        core = chunk[leading.end() :] if leading else chunk
        trailing = _TRAILING.search(core)
        end = trailing.start() if trailing else len(core)
        words += [*chunk[: len(chunk) - len(core)], *filter(None, [core[:end]]), *core[end:]]
    return words


def fits(lemma: str, word: str) -> bool:
    """Tell whether a word can be a form of a lemma.

    >>> fits("modify", "modifying"), fits("tax", "Tax"), fits("be", "is"), fits("of", "often")
    (True, True, True, False)
    """
    one, other = lemma.lower(), word.lower()
    if one == other or other in _IRREGULAR.get(one, "").split():
        return True
    stem = re.sub(r"(?:e|y)$", "", one)
    rest = other.removeprefix(stem)
    return len(stem) > 2 and rest != other and len(rest) <= _ENDING


@dataclass
class _AnchoredSentence:
    """An f-structure while its nodes are anchored: (first, last) per node, (-1, -1) for none."""

    words: list[str]
    texts: list[str]
    numbers: list[int]
    null: set[int]
    near: dict[int, list[int]]
    places: list[tuple[int, int]]
    dependents: list[int]
    forms: list[str] = field(default_factory=list)
    used: set[int] = field(default_factory=set)

    def missing(self) -> Iterator[str]:
        for row, text in enumerate(self.texts):
            if self.places[row][0] < 0 and row not in self.null:
                yield text

    def take(self, row: int, place: tuple[int, int]) -> None:
        self.places[row] = place
        self.used.update(range(place[0], place[1] + 1))

    def free(self, text: str) -> list[tuple[int, int]]:
        """Return where a text of one or more words stands in the sentence, in free words."""
        parts = text.split(" ")
        stops = range(len(self.words) - len(parts) + 1)
        return [
            (start + 1, start + len(parts))
            for start in stops
            if all(fits(part, self.words[start + i]) for i, part in enumerate(parts))
            and not self.used.intersection(range(start + 1, start + len(parts) + 1))
        ]

    def nearest(self, row: int, places: Sequence[tuple[int, int]]) -> tuple[int, int]:
        """Return the place nearest to what a node is related to, the first of all without that."""
        known = [at for other in self.near.get(row, ()) if (at := self.places[other][0]) > 0]
        return min(places, key=lambda place: (sum(abs(place[0] - k) for k in known), place))


def _anchored(sentence: Sentence[Relations]) -> _AnchoredSentence:
    texts = sentence.column("text", "nodes")
    names = ("label", "head", "dependent", "value")
    columns = (sentence.column(name, "relations") for name in names)
    rows = [(str(a), int(b), int(c), str(d)) for a, b, c, d in zip(*columns, strict=True)]
    own: dict[int, str] = {}
    near: dict[int, list[int]] = defaultdict(list)
    null = set()
    for label, head, dependent, value in rows:
        if dependent >= 0:
            near[head].append(dependent)
            near[dependent].append(head)
        elif label in _OWN_FORMS:
            own[head] = value
        elif label == "pron_type" and value == "null":
            null.add(head)
    placed = _AnchoredSentence(
        sentence.column("form") or words_of_text(sentence.metadata("text")),
        list(texts),
        _numbers(sentence, len(texts)),
        null,
        near,
        [(-1, -1)] * len(texts),
        [dependent for _, _, dependent, _ in rows],
    )
    _place_nodes(placed, [own.get(row, text) for row, text in enumerate(texts)])
    _place_forms(placed, rows)
    return placed


def _numbers(sentence: Sentence[Relations], nodes: int) -> list[int]:
    """Return the numbers of the nodes, their order where the format has none."""
    if "number" not in sentence.corpus.nodes:
        return list(range(nodes))
    numbers: list[int] = sentence.column("number", "nodes").tolist()
    return numbers


def _place_nodes(sentence: _AnchoredSentence, texts: Sequence[str]) -> None:
    """Anchor the nodes: long lemmas first, and first those that have as many words as nodes."""
    groups: dict[str, list[int]] = defaultdict(list)
    for row in sorted(range(len(texts)), key=lambda row: sentence.numbers[row]):
        if row not in sentence.null:
            groups[texts[row].lower()].append(row)
    ordered = sorted(groups, key=lambda text: -len(text.split(" ")))
    for text in ordered:
        places = sentence.free(text)
        if len(places) == len(groups[text]):
            for row, place in zip(groups[text], places, strict=True):
                sentence.take(row, place)
    for text in ordered:
        for row in groups[text]:
            if sentence.places[row][0] < 0 and (places := sentence.free(text)):
                sentence.take(row, sentence.nearest(row, places))


def _place_forms(sentence: _AnchoredSentence, rows: Sequence[tuple[str, int, int, str]]) -> None:
    """Make nodes of values that name a word, such as a determiner."""
    for row, (label, head, dependent, value) in enumerate(rows):
        if dependent >= 0 or not label.endswith(_FORM) or label in _OWN_FORMS:
            continue
        places = sentence.free(value)
        if places:
            at = sentence.places[head][0]
            before = [place for place in places if place[0] < at]
            place = max(before) if before else min(places, key=lambda p: abs(p[0] - at))
            sentence.dependents[row] = len(sentence.places)
            sentence.forms.append(value)
            sentence.places.append(place)
            sentence.used.update(range(place[0], place[1] + 1))

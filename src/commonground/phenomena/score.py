"""Which targets an analysis has, what matched what, and why the others did not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from commonground.corpus import Constituents, Corpus, Dependencies, Relations, Strings
from commonground.corpus.arcs import to_relations
from commonground.errors import InputError, UsageError
from commonground.patterns import find
from commonground.patterns.expressions import compile_expression
from commonground.patterns.graph import Graph, graph_of
from commonground.phenomena.gold import Gold, Target, Word
from commonground.phenomena.mapping import Mapping, MappingRules, find_mapping
from commonground.phenomena.printing import BASES, lines_of
from commonground.phenomena.words import WINDOW, expression_of, nearest, same_lexeme
from commonground.plurals import number_of

__all__ = ["Outcome", "judge", "mapping_for"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a target: whether it counts as `recalled`, and `why`."""

    target: Target
    recalled: bool
    why: str


def mapping_for(corpus: Corpus, name: str | None = None, format: str = "") -> Mapping:
    """Return the mapping for an output: the one that is named, or what its kind and format tell.

    Dependencies with an enhanced graph are taken for enhanced UD, others for basic UD; trees of
    another scheme have to be named.
    """
    if name:
        mapping = find_mapping(name)
        if corpus.kind not in mapping.corpora:
            kinds = " and ".join(mapping.corpora)
            raise UsageError(f"the mapping {mapping.name} is for {kinds}, not for {corpus.kind}")
        return mapping
    if isinstance(corpus, Constituents):
        return find_mapping("brackets")
    if isinstance(corpus, Dependencies):
        if format in ("conll2008", "conll2009"):
            return find_mapping("lth")
        enhanced = corpus.deps.where(lambda deps: deps not in ("_", "")).any()
        return find_mapping("ud-enhanced" if enhanced else "ud")
    if isinstance(corpus, Relations):
        if format in ("gr", "grammatical_relations"):
            by_cc = corpus.comments.where(lambda text: "# nodes = word_0" in text).any()
            return find_mapping("cc" if by_cc else "rasp")
        return find_mapping({"enju": "enju", "parc": "xle"}.get(format, "stanford"))
    raise UsageError(f"phenomena are found in trees and relations, not in {corpus.kind}")


def judge(
    gold: Gold, corpus: Corpus, mapping: Mapping, *, window: int = WINDOW, path: str = "the output"
) -> list[Outcome]:
    """Tell of each target whether an analysis of the sentences has it.

    A target that must not be there is recalled if and only if nothing matches it.
    """
    places, by_order = _places(gold, corpus, path)
    analysis = _Analysis(_converted(corpus, mapping), mapping, window)
    if by_order:
        _refuse_other_sentences(gold, places, analysis, path)
    return [_outcome(target, places[target.item], analysis) for target in gold.targets]


def _converted(corpus: Corpus, mapping: Mapping) -> Corpus:
    """Return what the rules of a mapping speak about.

    Constituents become typed dependencies: all arcs of the basic tree, in which prepositions are
    words like others, and of the collapsed graph, in which conjuncts share what is theirs.
    """
    if not mapping.through or not isinstance(corpus, Constituents):
        return corpus
    from commonground.conversion.to_dependencies import to_dependencies  # noqa: PLC0415  # rarely

    trees, _ = to_dependencies(corpus, mapping.through)
    basic = zip(trees.head.tolist(), trees.deprel.tolist(), trees.deps.tolist(), strict=True)
    both = Strings.of(
        "|".join(dict.fromkeys([f"{head}:{label}", *(deps.split("|") if deps != "_" else [])]))
        for head, label, deps in basic
    )
    return to_relations(trees.replace("words", deps=both), enhanced=True)


def _places(gold: Gold, corpus: Corpus, path: str) -> tuple[dict[str, int], bool]:
    """Return the sentence of each item, by its id, or by its order (True) if there are as many."""
    ids = {name: place for place, name in enumerate(corpus.sent_id.tolist())}
    used = dict.fromkeys(target.item for target in gold.targets)
    if all(item in ids for item in used) and any(corpus.metadata("sent_id").tolist()):
        return {item: ids[item] for item in used}, False
    items = gold.items
    if len(items) != len(corpus):
        missing = next((item for item in used if item not in ids), "")
        raise InputError(
            path,
            0,
            f"{number_of(len(corpus), 'sentence')}, but {number_of(len(items), 'item')}, "
            f"and no sentence called {missing!r}; "
            "one sentence per item in the same order, or # sent_id = ITEM, is expected",
        )
    return {item: place for place, item in enumerate(items)}, True


_SOME = 5
"""Of fewer items a parse can lack all words."""


def _refuse_other_sentences(
    gold: Gold, places: dict[str, int], analysis: _Analysis, path: str
) -> None:
    """Refuse sentences in another order: most of them lack the words of their items."""
    missing = {
        target.item
        for target in gold.targets
        if not any(
            analysis.rows(word, places[target.item]) for word in (*target.heads, *target.dependents)
        )
    }
    if len(places) >= _SOME and 2 * len(missing) > len(places):
        first = next(item for item in places if item in missing)
        raise InputError(
            path,
            0,
            f"sentence {places[first] + 1} has no word of the item {first}, and so have most; the "
            "sentences must be in the order of the items, or have ids (# sent_id = ITEM)",
        )


class _Analysis:
    """An analysis: its nodes and relations, sentence by sentence, and the rules for it."""

    def __init__(self, corpus: Corpus, mapping: Mapping, window: int) -> None:
        self.corpus = corpus
        self.mapping = mapping
        self.window = window
        self._pairs: dict[str, set[tuple[int, int]]] = {}
        self._lines: dict[int, list[tuple[int, int, str]]] = {}

    @cached_property
    def graph(self) -> Graph:
        """What patterns look at."""
        return graph_of(self.corpus)

    @cached_property
    def relations(self) -> Relations:
        """What is printed for expressions."""
        if isinstance(self.corpus, Relations):
            return self.corpus
        assert isinstance(self.corpus, Dependencies)
        return to_relations(self.corpus)

    @cached_property
    def _offsets(self) -> Sequence[int]:
        table = self.corpus.tables["nodes" if isinstance(self.corpus, Relations) else "words"]
        return table.offsets.tolist()

    @cached_property
    def _texts(self) -> list[str]:
        return self.graph.column("form").tolist()

    @cached_property
    def _places(self) -> list[int]:
        return self.graph.first.tolist()

    def rows(self, word: Word, place: int) -> list[int]:
        """Return the nodes of a sentence that a word can be."""
        start, stop = self._offsets[place], self._offsets[place + 1]
        texts, places = self._texts[start:stop], self._places[start:stop]
        near = nearest(word, texts, places, self.window)
        if near is not None:
            return [start + near]
        if not self.mapping.lemmas:
            return []
        return [
            start + number
            for number, (text, at) in enumerate(zip(texts, places, strict=True))
            if (at < 0 or abs(at - word.position) <= self.window)
            and any(same_lexeme(text.partition("+")[0], part) for part in word.parts[:1])
        ]

    def pairs(self, pattern: str) -> set[tuple[int, int]]:
        """Return the rows of W1 and W2 wherever a pattern is found; -1 where W1 is any node."""
        if pattern not in self._pairs:
            matches = find(pattern, self.graph)
            second = matches.rows["W2"]
            first = matches.rows.get("W1", np.full(len(second), -1))
            self._pairs[pattern] = set(zip(first.tolist(), second.tolist(), strict=True))
        return self._pairs[pattern]

    def lines(self, place: int) -> list[tuple[int, int, str]]:
        """Return the printed relations of a sentence."""
        if place not in self._lines:
            self._lines[place] = lines_of(self.relations, place, self.mapping.print)
        return self._lines[place]

    def between(self, one: int, other: int, place: int) -> list[str]:
        """Return the printed relations between two nodes of a sentence."""
        if not isinstance(self.corpus, Relations):
            return []
        return [line for a, b, line in self.lines(place) if {a, b} == {one, other}]

    def position(self, row: int) -> int:
        """Return the place of a node, from 0; -1 where it has none."""
        return self._places[row]


def _outcome(target: Target, place: int, analysis: _Analysis) -> Outcome:
    rules = analysis.mapping.of(target.phenomenon, target.type)
    general = not target.positive and analysis.mapping.generalised(target.phenomenon)
    matched, why = _matched(target, rules, place, analysis, general=general)
    if target.positive:
        return Outcome(target, matched, why)
    return Outcome(target, not matched, why if matched else "nothing matches, as required")


def _matched(
    target: Target, rules: MappingRules, place: int, analysis: _Analysis, *, general: bool
) -> tuple[bool, str]:
    """Tell whether anything of an analysis matches a target, and what, or why nothing does."""
    dependents = [(w, row) for w in target.dependents for row in analysis.rows(w, place)]
    heads = [(w, row) for w in target.heads for row in analysis.rows(w, place)]
    if general:
        heads = [(target.heads[0], -1)]
    for head, first in heads:
        for dependent, second in dependents:
            for pattern in rules.patterns:
                if (first, second) in analysis.pairs(pattern):
                    return True, f"{head} {dependent}: {pattern}"
            text = _by_expression(
                rules.expressions, (head, first), (dependent, second), place, analysis
            )
            if text:
                return True, f"{head} {dependent}: {text}"
    return False, _why_not(target, rules, heads, dependents, place, analysis)


def _by_expression(
    expressions: Sequence[str],
    head: tuple[Word, int],
    dependent: tuple[Word, int],
    place: int,
    analysis: _Analysis,
) -> str:
    """Return the first printed relation that an expression matches, or nothing."""
    if not expressions:
        return ""
    (one, first), (other, second) = head, dependent
    lines = [
        line
        for a, b, line in analysis.lines(place)
        if (first < 0 and second in (a, b)) or {a, b} == {first, second}
    ]
    for expression in expressions if lines else ():
        compiled = compile_expression(_filled(expression, one, other))
        for line in lines:
            match = compiled.search(line)
            if match and _at(expression, match.groups(), first, second, analysis):
                return line
    return ""


def _filled(expression: str, head: Word, dependent: Word) -> str:
    r"""Put words into an expression.

    >>> _filled(r"\(dobj {W1}_(\d+)", Word("see", 3), Word("cat", 4))
    '(?i)\\(dobj see_(\\d+)'
    """
    first, second = expression_of(head), expression_of(dependent)
    return "(?i)" + expression.replace("{W1}", first).replace("{W2}", second)


def _at(
    expression: str,
    groups: Sequence[str | None],
    first: int,
    second: int,
    analysis: _Analysis,
) -> bool:
    """Tell whether the positions that an expression found are those of the nodes."""
    base = BASES[analysis.mapping.print]
    if base is None:
        return True
    order = sorted(
        (expression.find(name), row)
        for name, row in (("{W1}", first), ("{W2}", second))
        if name in expression
    )
    numbers = [int(text) for text in groups if text is not None and text.isdecimal()]
    return all(
        row < 0 or number - base == analysis.position(row)
        for (_, row), number in zip(order, numbers, strict=False)
    )


def _why_not(
    target: Target,
    rules: MappingRules,
    heads: Iterable[tuple[Word, int]],
    dependents: Iterable[tuple[Word, int]],
    place: int,
    analysis: _Analysis,
) -> str:
    found_heads, found_dependents = list(heads), list(dependents)
    for name, rows, words in (
        ("head", found_heads, target.heads),
        ("dependent", found_dependents, target.dependents),
    ):
        if not rows:
            return f"no {name} {'|'.join(map(str, words))} within {analysis.window} words"
    if not len(rules):
        return rules.inexpressible or f"the mapping has no rules for {target.type}"
    lines = [
        line
        for _, one in found_heads
        for _, other in found_dependents
        for line in analysis.between(one, other, place)
    ]
    if lines:
        return f"other relations only: {' '.join(dict.fromkeys(lines))}"
    return rules.inexpressible or "the two words are not related in this way"

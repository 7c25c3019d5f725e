"""A probabilistic context-free grammar, read off trees: what other parsers are compared with.

Phrases carry the label of their parent (Johnson 1998), rules with many children are cut into pairs
that remember the last two of them (Markovization; Klein & Manning 2003), and phrases over the same
words are one symbol, so that rules have two children or a word. Rare words are known by their class
(capitals, digits, ending). Probabilities are relative frequencies; in those of words each word
counts once as itself (or its class, where it is rare) and an eighth as its class:

    P(w | t) = (count(t, w) + count of the class w with t / 8) / (9/8 · count(t))

Scores are logarithms as whole numbers, 1,024 to the unit. A sentence that the grammar does not
cover is put together from the fewest trees that it has for parts of it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Constituents
from commonground.kernels import load
from commonground.kernels.grammar import LARGEST, NONE, checked
from commonground.parsers.constituency.phrases import (
    Chain,
    Span,
    phrases_of,
    with_phrases,
    without_traces,
)
from commonground.parsers.constituency.stretches import stretches
from commonground.parsers.constituency.unknown import word_class
from commonground.parsers.model_file import ModelError, Stored
from commonground.parsers.parser import Model, Parser, TrainingStep, TrainingTask

__all__ = ["PARSERS", "PcfgModel", "PcfgSettings"]

Codes = NDArray[np.int32]

_UNIT = 1024
_LONGEST = 70  # longer sentences are parsed in stretches, which takes less time and memory
_SEPARATOR = "\t"  # no label has one


@dataclass(frozen=True, slots=True)
class PcfgSettings:
    """How the grammar is made.

    `parents` tells whether phrases carry the label of their parent, `markov` how many children a
    cut rule remembers, `rare` how often a word may be there to be known by its class, and
    `functions` whether labels keep their function tags.
    """

    parents: bool = True
    markov: int = 2
    rare: int = 1
    functions: bool = False

    def __post_init__(self) -> None:
        if self.markov < 0 or self.rare < 0:
            raise ValueError("markov and rare are 0 or more")


# ── trees as derivations ─────────────────────────────────────────────────────────────────────────


@dataclass(slots=True)
class _ParsedNode:
    """A node of a tree: a chain of phrases over its children, or a word (its number)."""

    chain: Chain
    start: int
    end: int
    children: list[_ParsedNode | int]


def _tree(n: int, spans: Sequence[Span]) -> _ParsedNode:
    """Return the spans of a sentence as one tree; a top that is missing has an empty chain."""
    ordered = sorted(spans, key=lambda span: (span[0], -span[1]))
    if not ordered or ordered[0][:2] != (0, n):
        ordered.insert(0, (0, n, ()))
    nodes = [_ParsedNode(chain, start, end, []) for start, end, chain in ordered]
    above = [nodes[0]]
    for node in nodes[1:]:
        while above[-1].end <= node.start:
            above.pop()
        above[-1].children.append(node)
        above.append(node)
    for node in nodes:
        _fill_with_words(node)
    return nodes[0]


def _fill_with_words(node: _ParsedNode) -> None:
    """Put the words among the children that no phrase covers."""
    full: list[_ParsedNode | int] = []
    place = node.start
    for child in node.children:
        assert isinstance(child, _ParsedNode)
        full += range(place, child.start)
        full.append(child)
        place = child.end
    node.children = [*full, *range(place, node.end)]


def _text(chain: Chain) -> str:
    return _SEPARATOR.join(f"{label}{_SEPARATOR}{edge}" for label, edge in chain)


def _chain(text: str) -> Chain:
    parts = text.split(_SEPARATOR) if text else []
    return tuple(zip(parts[::2], parts[1::2], strict=True))


# A symbol is (kind, name, parent): "phrase" with its chain, "tag" with its tag, "rest" of a rule
# with the phrase that it belongs to and the children that are remembered.
Symbol = tuple[str, ...]


class _Rules:
    """Counts the rules of trees."""

    def __init__(self, settings: PcfgSettings) -> None:
        self.settings = settings
        self.binary: Counter[tuple[Symbol, Symbol, Symbol]] = Counter()
        self.unary: Counter[tuple[Symbol, Symbol]] = Counter()  # a phrase over one word
        self.top: Counter[Symbol] = Counter()
        self.words: Counter[tuple[Symbol, int]] = Counter()

    def add(self, node: _ParsedNode, tags: list[str]) -> None:
        symbol = self._phrase(node.chain, "")
        self.top[symbol] += 1
        left = [(node, symbol)]
        while left:
            node, symbol = left.pop()
            below = node.chain[-1][0] if node.chain and self.settings.parents else ""
            children: list[Symbol] = []
            for child in node.children:
                if isinstance(child, int):
                    children.append(("tag", tags[child], below))
                    self.words[children[-1], child] += 1
                else:
                    children.append(self._phrase(child.chain, below))
                    left.append((child, children[-1]))
            self._cut(symbol, children)

    def _phrase(self, chain: Chain, parent: str) -> Symbol:
        return ("phrase", _text(chain), parent)

    def _cut(self, symbol: Symbol, children: list[Symbol]) -> None:
        if len(children) == 1:
            self.unary[symbol, children[0]] += 1
            return
        parent = symbol
        for place in range(len(children) - 2):
            seen = children[max(0, place + 1 - self.settings.markov) : place + 1]
            rest = ("rest", *symbol[1:], *(part for child in seen for part in child))
            self.binary[parent, children[place], rest] += 1
            parent = rest
        self.binary[parent, children[-2], children[-1]] += 1


# ── the grammar ──────────────────────────────────────────────────────────────────────────────────


def _log(share: float) -> int:
    return max(round(_UNIT * math.log(share)), -LARGEST)


def _known(form: str, *, first: bool, known: Container[str]) -> str:
    """Return the form of a known word, the class of another one (after a tab)."""
    return form if form in known else _SEPARATOR + word_class(form, first=first)


@dataclass(frozen=True, slots=True)
class PcfgModel:
    """A grammar: symbols, rules by their left child, phrases over one word, words."""

    symbols: tuple[Symbol, ...]
    rules: tuple[Codes, Codes, Codes, Codes]
    single: Codes  # three columns: symbol of a tag, phrase over it, score
    words: tuple[str, ...]
    emitted: Codes  # three columns: word, symbol of a tag, score
    top: Codes

    def parse(self, corpus: Constituents) -> Constituents:
        """Return the corpus with the trees of this grammar."""
        words = without_traces(corpus)
        forms, tags = words.strings("form").tolist(), words.strings("tag").tolist()
        reader = _GrammarReader(self)
        trees = [
            reader.tree(forms[start:stop], tags[start:stop])
            for start, stop in pairwise(words.offsets.tolist())
        ]
        return with_phrases(corpus, trees)

    def store(self) -> Stored:
        """Return what a file of the model holds."""
        metadata = {"symbols": [list(symbol) for symbol in self.symbols], "words": list(self.words)}
        names = ("starts", "right", "parent", "weight")
        arrays = dict(zip(names, self.rules, strict=True))
        arrays |= {"single": self.single.ravel(), "emitted": self.emitted.ravel(), "top": self.top}
        return Stored("pcfg", metadata, arrays)


class _GrammarReader:
    """Looks up what words can be, and parses sentences."""

    def __init__(self, model: PcfgModel) -> None:
        self.model = model
        self.piece = np.array([symbol[0] == "phrase" for symbol in model.symbols])
        self.by_tag: dict[str, list[int]] = defaultdict(list)
        for number, symbol in enumerate(model.symbols):
            if symbol[0] == "tag":
                self.by_tag[symbol[1]].append(number)
        self.emitted: dict[str, dict[int, int]] = defaultdict(dict)
        for word, symbol, score in model.emitted.tolist():
            self.emitted[model.words[word]][symbol] = score
        self.over: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for tag, phrase, score in model.single.tolist():
            self.over[tag].append((phrase, score))
        best = int(np.argmax(model.top)) if len(model.top) else -1
        self.usual: Chain = _chain(model.symbols[best][1]) if best >= 0 else ()

    def tree(self, forms: list[str], tags: list[str]) -> list[Span]:
        """Return the spans of a sentence."""
        pieces = []
        for start, stop in stretches(forms, _LONGEST):
            pieces.append(self._parsed(forms, tags, start, stop))
        if len(pieces) == 1:
            return self._joined(pieces[0], len(forms))
        return self._joined([span for spans in pieces for span in spans], len(forms))

    def _joined(self, spans: list[Span], n: int) -> list[Span]:
        """Put pieces under the usual top."""
        if any((i, j) == (0, n) for i, j, _ in spans) or not n:
            return spans
        return [(0, n, self.usual), *spans]

    def _leaf(self, form: str, tag: str, *, first: bool) -> dict[int, tuple[int, bool]]:
        """Return the symbols of a word with their scores, and which are phrases."""
        known = self.emitted.get(_known(form, first=first, known=self.emitted), {})
        fitting = self.by_tag.get(tag)
        if fitting is not None:
            lowest = min(known.values(), default=0) - 8 * _UNIT
            symbols = {symbol: known.get(symbol, lowest) for symbol in fitting}
        else:
            symbols = known or {s: 0 for tags in self.by_tag.values() for s in tags}
        scored: dict[int, tuple[int, bool]] = {s: (score, False) for s, score in symbols.items()}
        for symbol, score in symbols.items():
            for phrase, more in self.over.get(symbol, ()):
                total = max(score + more, -LARGEST)
                if phrase not in scored or total > scored[phrase][0]:
                    scored[phrase] = (total, True)
        return scored

    def _parsed(self, forms: list[str], tags: list[str], start: int, stop: int) -> list[Span]:
        leaves = [self._leaf(forms[at], tags[at], first=at == 0) for at in range(start, stop)]
        counts = np.cumsum([0, *map(len, leaves)]).astype(np.int32)
        flat = [(symbol, score) for leaf in leaves for symbol, (score, _) in leaf.items()]
        symbol, score = (np.array(column, np.int32) for column in zip(*flat, strict=True))
        nodes = load("grammar").best_tree(
            self.model.rules, counts, symbol, score, self.model.top, self.piece
        )
        return [
            (start + i, start + j, _chain(self.model.symbols[number][1]))
            for i, j, number in nodes.tolist()
            if self.piece[number] and self.model.symbols[number][1]
        ]


# ── training ─────────────────────────────────────────────────────────────────────────────────────


def train(task: TrainingTask) -> Model:
    """Read a grammar off a corpus."""
    settings: PcfgSettings = task.settings
    words = without_traces(task.corpus)
    rules = _Rules(settings)
    forms, tags = words.strings("form").tolist(), words.strings("tag").tolist()
    usual = {form for form, count in Counter(forms).items() if count > settings.rare}
    emissions: Counter[tuple[Symbol, str]] = Counter()
    classes: Counter[tuple[Symbol, str]] = Counter()
    trees = phrases_of(task.corpus, functions=settings.functions)
    for number, spans in enumerate(trees):
        start, stop = int(words.offsets[number]), int(words.offsets[number + 1])
        if start == stop:
            continue
        rules.words.clear()
        rules.add(_tree(stop - start, spans), tags[start:stop])
        for (symbol, word), count in rules.words.items():
            form = forms[start + word]
            emissions[symbol, _known(form, first=word == 0, known=usual)] += count
            classes[symbol, _SEPARATOR + word_class(form, first=word == 0)] += count
    task.watch(TrainingStep(1, 1, 0.0))
    return _grammar(rules, emissions, classes)


def _grammar(
    rules: _Rules,
    emissions: Counter[tuple[Symbol, str]],
    classes: Counter[tuple[Symbol, str]],
) -> PcfgModel:
    symbols = sorted(
        {part for rule in rules.binary for part in rule}
        | {part for rule in rules.unary for part in rule}
        | set(rules.top)
        | {symbol for symbol, _ in emissions}
    )
    number = {symbol: place for place, symbol in enumerate(symbols)}
    given: Counter[Symbol] = Counter()
    for (parent, *_), count in (*rules.binary.items(), *rules.unary.items()):
        given[parent] += count
    binary = sorted(
        (number[left], number[right], number[parent], _log(count / given[parent]))
        for (parent, left, right), count in rules.binary.items()
    )
    columns = np.array(binary, np.int32).reshape(-1, 4)
    starts = np.searchsorted(columns[:, 0], np.arange(len(symbols) + 1)).astype(np.int32)
    single = sorted(
        (number[tag], number[phrase], _log(count / given[phrase]))
        for (phrase, tag), count in rules.unary.items()
    )
    top = np.full(len(symbols), NONE, np.int32)
    for symbol, count in rules.top.items():
        top[number[symbol]] = _log(count / rules.top.total())
    words, emitted = _emitted(emissions, classes, number)
    return PcfgModel(
        tuple(symbols),
        (starts, columns[:, 1].copy(), columns[:, 2].copy(), columns[:, 3].copy()),
        np.array(single, np.int32).reshape(-1, 3),
        words,
        emitted,
        top,
    )


def _emitted(
    emissions: Counter[tuple[Symbol, str]],
    classes: Counter[tuple[Symbol, str]],
    number: dict[Symbol, int],
) -> tuple[tuple[str, ...], Codes]:
    """Return the words and classes, and the scores with which tags emit them."""
    total: Counter[Symbol] = Counter()
    for (symbol, _), count in emissions.items():
        total[symbol] += count
    # A class has what was seen of its rare words, and a little of all that it could stand for.
    counts = dict.fromkeys([*emissions, *classes], 0.0)
    for pair, count in classes.items():
        counts[pair] += count / 8
    for pair, count in emissions.items():
        counts[pair] += count
    words = sorted({word for _, word in counts})
    place = {word: at for at, word in enumerate(words)}
    rows = sorted(
        (place[word], number[symbol], _log(count / (total[symbol] + total[symbol] / 8)))
        for (symbol, word), count in counts.items()
    )
    return tuple(words), np.array(rows, np.int32).reshape(-1, 3)


def load_pcfg(stored: Stored) -> PcfgModel:
    """Make a model from what a file holds."""
    symbols = stored.value("symbols", list)
    if not symbols or not all(
        isinstance(symbol, list) and len(symbol) > 2 and all(isinstance(t, str) for t in symbol)
        for symbol in symbols
    ):
        raise ModelError("it has no good symbols")
    words = tuple(stored.texts("words"))
    starts, right, parent, weight = (
        stored.array(name, "i4") for name in ("starts", "right", "parent", "weight")
    )
    top = stored.array("top", "i4", len(symbols))
    single = stored.array("single", "i4").reshape(-1, 3)
    emitted = stored.array("emitted", "i4").reshape(-1, 3)
    most = len(symbols), len(symbols), len(words)
    for column, size in zip((single[:, :2], emitted[:, 1], emitted[:, 0]), most, strict=True):
        if len(column) and not 0 <= column.min() <= column.max() < size:
            raise ModelError("a symbol or word that is not there")
    rules = starts, right, parent, weight
    try:
        one = np.zeros(1, np.int32)
        checked(rules, np.array([0, 1], np.int32), one, one, top, np.zeros(len(symbols), np.bool_))
    except ValueError as error:
        raise ModelError(f"its rules do not fit together: {error}") from error
    return PcfgModel(tuple(map(tuple, symbols)), rules, single, words, emitted, top)


PARSERS = {
    "pcfg": Parser(
        "pcfg",
        "constituents: a grammar with parent annotation and Markovization, as a baseline",
        Constituents,
        PcfgSettings,
        train,
        load_pcfg,
    )
}

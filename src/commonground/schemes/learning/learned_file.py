"""A learned scheme as a TOML file: where a treebank differs from the scheme that is nearest to it.

The file says ``like = "sud"``, the choices that the treebank makes otherwise, and, where it has the
same words as another treebank in a known scheme, how its function words are found, its labels in
both directions, and what its tags mean if they are of no known set.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from commonground.corpus import Dependencies
from commonground.errors import UsageError
from commonground.schemes.constructions import CONSTRUCTIONS
from commonground.schemes.fixed_labels import settle
from commonground.schemes.hub import TAGS
from commonground.schemes.hub_trees import to_shape
from commonground.schemes.labels import LabelRule
from commonground.schemes.learning.learn import SAMPLE, Choice, Learned
from commonground.schemes.learning.learn_labels import Labelled, exact_in, labelled, learned_rules
from commonground.schemes.learning.moving import Moving
from commonground.schemes.learning.recognition import Recognition, recognise_scheme
from commonground.schemes.learning.scheme_text import Table, scheme_text
from commonground.schemes.library import find_scheme
from commonground.schemes.realise import realise
from commonground.schemes.scheme import Climb, Find, Scheme, When
from commonground.schemes.scheme_file import parse_scheme
from commonground.schemes.tag_set import NO_TAGS, Tagging, TagSet, recognise
from commonground.schemes.transform import arcs_in_hub, tagging_of, trees_in_hub, trees_of
from commonground.schemes.translate import construction_at
from commonground.schemes.tree import Tree

__all__ = ["learned_draft", "recognised_file"]

_SENTENCES = 2_000
"""How many sentences, from the first one on, labels are learned from."""

_LEAST = 3
_CLEAR = 0.75
"""The share of the evidence that a way needs, if the nearest scheme has another one."""


def recognised_file(recognition: Recognition, name: str) -> str:
    """Return the scheme of a treebank as its own heads and tags tell it.

    A choice is written where there is clear evidence for another one than the nearest scheme has.

    >>> import commonground
    >>> from commonground.schemes.learning.recognition import recognise_scheme
    >>> print(recognised_file(recognise_scheme(commonground.read("example:sud")), "mine"), end="")
    name = "mine"
    title = "learned from a treebank"
    like = "sud"
    <BLANKLINE>
    [choices]
    """
    near = find_scheme(recognition.nearest)
    choices = {}
    for construction in recognition.counts:
        way, total = recognition.way(construction), recognition.total(construction)
        share = recognition.votes(construction).get(way or "", 0) / max(total, 1)
        differs = way is not None and near.usual_way(construction) not in (way, "flat")
        if differs and total > _LEAST and share >= _CLEAR:
            choices[construction] = way
    head = {"name": name, "title": "learned from a treebank", "like": near.name}
    return scheme_text(head | {"choices": choices})


def learned_draft(
    sample: Dependencies, reference: Dependencies, learned: Learned, name: str
) -> Table:
    """Return the tables of a scheme as it was learned from a sample beside a reference.

    Of the schemes that it can be like (the nearest by its heads, the nearest by its own labels, and
    that of the reference) the one is taken with which most heads are found in both directions, and
    no choice is written without which as many are found.
    """
    origin = learned.reference
    bench = _Bench.of(sample[:SAMPLE], reference[:SAMPLE], origin)
    tags = _tags(sample, reference)
    bases = dict.fromkeys((learned.nearest, *_by_labels(sample, tags), origin.name))
    drafts = [_draft(name, find_scheme(base), learned, bench, tags) for base in bases]
    best = max(drafts, key=bench.score)
    draft = _without_idle(best, bench)
    if not parse_scheme(scheme_text(draft)).joint:  # else labels do not belong to arcs
        draft = _with_labels(draft, bench, sample[:_SENTENCES], reference[:_SENTENCES])
    return draft


def _by_labels(sample: Dependencies, tags: Mapping[str, str]) -> list[str]:
    return [] if tags else [recognise_scheme(sample).nearest]


@dataclass(frozen=True, slots=True)
class _Bench:
    """A sample beside a reference, on which drafts of a scheme are tried."""

    sample: Dependencies
    reference: Dependencies
    origin: Scheme
    moving: Moving

    @classmethod
    def of(cls, sample: Dependencies, reference: Dependencies, origin: Scheme) -> _Bench:
        tagging = tagging_of(reference, origin)
        return cls(sample, reference, origin, Moving.of(reference, sample, origin, tagging))

    def score(self, draft: Table) -> int:
        """Return how many heads are found on the way to a draft, and on the way back."""
        scheme = parse_scheme(scheme_text(draft))
        heads, _ = arcs_in_hub(self.sample, scheme)
        wanted, _ = arcs_in_hub(self.reference, self.origin)
        return sum(self.moving.commons(scheme)) + sum(map(int.__eq__, heads, wanted))


def _draft(
    name: str, base: Scheme, learned: Learned, bench: _Bench, tags: Mapping[str, str]
) -> Table:
    """Return the tables of a scheme that is like another one, but for its choices and tags."""
    head = {"name": name, "title": "learned from a treebank", "like": base.name}
    known = {"tags": {"map": dict(tags)}} if tags else {}
    return head | _choices(learned, base, bench.moving) | known


def _without_idle(draft: Table, bench: _Bench) -> Table:
    """Leave out what is said about a construction if as many heads are found without it."""
    best = bench.score(draft)
    tables = ("choices", "climb", "when")
    for name in dict.fromkeys(name for table in tables for name in draft.get(table, ())):
        less = {
            key: {entry: one for entry, one in value.items() if entry != name}
            if key in tables
            else value
            for key, value in draft.items()
        }
        score = bench.score(less)
        if score >= best:
            draft, best = less, score
    return draft


# ── choices ──────────────────────────────────────────────────────────────────────────────────────


def _choices(learned: Learned, base: Scheme, moving: Moving) -> Table:
    """Return all that constructions which occur have otherwise than a scheme."""
    chosen: Table = {"choices": {}, "coordination": {}, "climb": {}, "when": {}}
    for name in moving.occurring():
        own = learned.choices.get(name) or Choice.of(learned.reference, name)
        known = Choice.of(base, name)
        if own.way != known.way:
            chosen["choices"][name] = own.way
        if name == "coordination":
            chosen["coordination"] = _coordination(own, known)
        if own.climb and own.climb != known.climb and own.way != "flat":
            chosen["climb"][name] = _climb_table(own.climb, known.climb)
        if own.when != known.when:
            chosen["when"][name] = _when_table(own.when or When())
    return {"choices": chosen.pop("choices")} | {key: part for key, part in chosen.items() if part}


def _coordination(own: Choice, known: Choice) -> Table:
    pairs = {"shared": (own.shared, known.shared), "comma": (own.comma, known.comma)}
    return {key: here for key, (here, there) in pairs.items() if here != there}


def _climb_table(climb: Climb, known: Climb | None) -> Table:
    """Return what climbs, and after the partner too where the nearest scheme says that."""
    table = _places(climb)
    if climb.after or (known and known.after):
        table["after"] = _places(climb.after or climb)
    return table


def _places(climb: Climb) -> Table:
    places = ("always", "beyond", "between", "behind")
    lists: Table = {place: list(getattr(climb, place)) for place in places}
    return {**lists, "crossing": climb.crossing}


def _when_table(when: When) -> Table:
    lists = {"label": when.labels, "unless": when.unless, "across": when.across}
    tags = {"never": sorted(when.never), "over": sorted(when.over)}
    return {key: list(value) for key, value in (lists | tags).items()} | {"side": when.side}


# ── tags ─────────────────────────────────────────────────────────────────────────────────────────


def _tags(sample: Dependencies, reference: Dependencies) -> dict[str, str]:
    """Return the UPOS that most words with a tag have in the reference.

    There is none to learn where the tags are of a known set, and mean there what they mean here.
    """
    gold = reference.upos.tolist()
    try:
        tagging = recognise(sample, untagged=True)
    except UsageError:
        tagging = None
    if tagging is not None:
        own = sample.words.strings(tagging.column).tolist()
        alike = sum(map(_may_be(tagging.tags), own, sample.feats.tolist(), gold))
        if tagging.tags == NO_TAGS or alike >= _ALIKE * len(gold):
            return {}
    columns = [_majorities(column.tolist(), gold) for column in (sample.upos, sample.xpos)]
    return max(columns, key=lambda one: one[0])[1]


def _majorities(tags: Sequence[str], gold: Sequence[str]) -> tuple[int, dict[str, str]]:
    """Return the UPOS that most words with a tag have, and how many have it."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for tag, upos in zip(tags, gold, strict=True):
        if upos in TAGS and tag != "_":
            votes[tag][upos] += 1
    best = {tag: counts.most_common(1)[0] for tag, counts in sorted(votes.items())}
    return sum(n for _, n in best.values()), {tag: upos for tag, (upos, _) in best.items()}


_ALIKE = 0.7
"""The share of words whose tags must mean in a known set what they are in the reference."""


def _may_be(tags: TagSet) -> Callable[[str, str, str], bool]:
    known: dict[tuple[str, str], tuple[str, ...]] = {}

    def may_be(tag: str, feats: str, upos: str) -> bool:
        options = known.get((tag, feats))
        if options is None:
            options = known[tag, feats] = tags.options(tag, feats)
        return upos in options

    return may_be


# ── labels ───────────────────────────────────────────────────────────────────────────────────────


def _with_labels(
    draft: Table, bench: _Bench, sample: Dependencies, reference: Dependencies
) -> Table:
    """Return a draft that also says how function words are found, and the labels both ways.

    Constructions are found again by their labels: new ones by which fewer heads are found are left.
    """
    origin = bench.origin
    trees = [*trees_in_hub(reference, origin, tagging_of(reference, origin))]
    heads, labels = sample.head.tolist(), sample.deprel.tolist()
    rows = pairwise(sample.offsets.tolist())
    beside = [([0, *heads[a:b]], ["", *labels[a:b]]) for a, b in rows]
    pairs = [(tree, *one) for tree, one in zip(trees, beside, strict=True) if tree is not None]
    scheme = parse_scheme(scheme_text(draft))
    extended = draft | {"find": _finds(pairs, scheme)}
    if extended["find"] and bench.score(extended) > bench.score(draft):
        draft, scheme = extended, parse_scheme(scheme_text(extended))
    words = _telling([*_written(pairs, scheme)])
    write = learned_rules(words, exact_in(scheme.writing))
    write = _harmless(write, draft, bench)
    scheme = parse_scheme(scheme_text(_saying(draft, write)))
    again = _read(trees, sample, scheme, tagging_of(sample, scheme))
    return _saying(draft, write, learned_rules(again, exact_in(scheme.reading)))


def _harmless(rules: list[LabelRule], draft: Table, bench: _Bench) -> list[LabelRule]:
    best = bench.score(_saying(draft, rules))
    for label in sorted({_main(rule) for rule in rules} & _CONTESTED):
        less = [rule for rule in rules if _main(rule) != label]
        score = bench.score(_saying(draft, less))
        if score > best:
            rules, best = less, score
    return rules


def _main(rule: LabelRule) -> str:
    return rule.old[0].partition(":")[0]


def _saying(draft: Table, write: Sequence[LabelRule], read: Sequence[LabelRule] = ()) -> Table:
    """Return a draft with rules for labels."""
    tables = {
        "write": [_rule("hub", "label", rule) for rule in write],
        "read": [_rule("label", "hub", rule) for rule in read],
    }
    return draft | {"labels": {key: rules for key, rules in tables.items() if rules}}


Pairs = Sequence[tuple[Tree, list[int], list[str]]]


def _realised(tree: Tree, scheme: Scheme) -> Tree:
    """Return a tree of the hub in the shape of a scheme; labels are the words that had them."""
    moved = tree.copy()
    moved.label = [str(word) for word in range(len(tree.head))]
    realise(moved, scheme)
    if scheme.settled:
        settle(moved, scheme)
    return moved


def _written(pairs: Pairs, scheme: Scheme) -> Iterator[Labelled]:
    """Return the words of a reference in the hub with the labels of their arcs in a sample."""
    for tree, heads, labels in pairs:
        moved = _realised(tree, scheme)
        for word, source in enumerate(moved.label):
            if word and moved.head[word] == heads[word] and source.isdigit():
                own = int(source)
                got = scheme.writing.of_word(tree, own, tree.hub)
                yield labelled(tree, own, tree.hub, labels[word], got)


def _telling(words: Sequence[Labelled]) -> Iterator[Labelled]:
    """Return the words whose labels can be learned.

    Names, fixed expressions, conjuncts and the like are found again by their labels, and cannot
    have those of other words.
    """
    seen = Counter(word.wanted for word in words)
    main = [word.old.partition(":")[0] for word in words]
    of_parts = Counter(w.wanted for w, label in zip(words, main, strict=True) if label in _PARTS)
    for word, label in zip(words, main, strict=True):
        if label not in _PARTS or 2 * of_parts[word.wanted] > seen[word.wanted]:
            yield word


_PARTS = frozenset(
    label for entry in CONSTRUCTIONS.values() if entry.kind == "parts" for label in entry.labels
)
_CONTESTED = frozenset(label for entry in CONSTRUCTIONS.values() for label in entry.labels)


def _finds(pairs: Pairs, scheme: Scheme) -> Table:
    """Return the labels that tell function words from other heads, by construction and tag."""
    seen: Counter[tuple[str, str]] = Counter()
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for tree, heads, labels in pairs:
        moved = _realised(tree, scheme)
        for word in range(1, len(heads)):
            above = heads[word]
            if above > 0:
                pair = labels[word], tree.tag[above]
                seen[pair] += 1
                name = construction_at(tree, above)
                if moved.turned.get(above) == word and name in scheme.turned:
                    counts[pair][str(name)] += 1
    by_construction: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for (label, tag), names in sorted(counts.items()):
        name, count = names.most_common(1)[0]
        clear = count > _LEAST and 2 * names.total() > seen[label, tag] and tag in TAGS
        if clear and not _is_found(label, tag, scheme):
            by_construction[name][tag].append(label)
    return {
        name: [{"label": labels, "tag": [tag]} for tag, labels in by_tag.items()]
        for name, by_tag in by_construction.items()
    }


def _is_found(label: str, tag: str, scheme: Scheme) -> bool:
    def finds(find: Find) -> bool:
        return scheme.is_one(label, find.labels) and f"!{label}" not in find.labels

    return any(finds(find) for find in scheme.finds_by(tag, "_"))


def _read(
    trees: Sequence[Tree | None], sample: Dependencies, scheme: Scheme, tagging: Tagging
) -> Iterator[Labelled]:
    """Return the words of a sample, in the shape of the hub, with their labels in the reference."""
    raw = replace(scheme, read_rules=(*scheme.read_rules, *_as_they_are(sample)))
    for tree, gold in zip(trees_of(sample, raw, tagging), trees, strict=True):
        if gold is None or len(tree.bottom_up()) < len(tree.head) - 1:
            continue
        to_shape(tree, scheme)
        known = [scheme.known(label) or label for label in tree.label]
        tree.hub = known.copy()
        for word in tree.bottom_up():
            tree.hub[word] = scheme.reading.of_word(tree, word, known)
        for word in range(1, len(tree.head)):
            if tree.head[word] == gold.head[word]:
                got = tree.hub[word]
                yield labelled(tree, word, tree.label, gold.hub[word], got, reading=True)


def _as_they_are(sample: Dependencies) -> list[LabelRule]:
    """Return rules that name all labels of a treebank, so that none is shortened."""
    return [LabelRule((label,), "dep") for label in sample.deprel.counts()]


def _rule(old: str, new: str, rule: LabelRule) -> Table:
    conditions: Table = {name: value for name, (value,) in rule.conditions.items()}
    if "function" in conditions:
        conditions["function"] = conditions["function"] == "true"
    return {old: rule.old[0], new: rule.new, **conditions}

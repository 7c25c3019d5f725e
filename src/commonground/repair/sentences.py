"""Drafts with the words and sentences of the text that they should have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from commonground.corpus import Dependencies
from commonground.errors import quoted
from commonground.plurals import number_of
from commonground.repair.defects import Defect
from commonground.repair.drafts import Draft, Draftings, DraftToken, DraftWord
from commonground.repair.nearest_tree import MISSING
from commonground.repair.words import WordMatch, match_words
from commonground.tokens.sentences import pair_texts
from commonground.tokens.spelling import plain

__all__ = ["RightSentence", "fitted", "right_sentences"]


@dataclass(frozen=True, slots=True)
class RightSentence:
    """A sentence as it should be: its id, its words, its multiword tokens, its comments."""

    sent_id: str
    words: tuple[str, ...]
    tokens: tuple[DraftToken, ...] = ()
    comments: tuple[str, ...] = ()

    def surface(self) -> list[str]:
        """Return what stands in the text."""
        return Draft(tuple(map(DraftWord, self.words)), tokens=self.tokens).surface()


def right_sentences(gold: Dependencies) -> list[RightSentence]:
    """Return the sentences of a treebank, without its trees."""
    forms, ids = gold.form.tolist(), gold.metadata("sent_id").tolist()
    tokens = gold.tokens
    of_sentence: dict[int, list[DraftToken]] = {}
    columns = (tokens.numbers("first").tolist(), tokens.numbers("last").tolist())
    texts = tokens.strings("form").tolist()
    rows = zip(tokens.sentence_of_row().tolist(), *columns, texts, strict=True)
    for sentence, first, last, form in rows:
        token = DraftToken(first, last, (form, *["_"] * 8))
        of_sentence.setdefault(sentence, []).append(token)
    bounds = gold.offsets.tolist()
    return [
        RightSentence(
            ids[place],
            tuple(forms[first:last]),
            tuple(of_sentence.get(place, ())),
            tuple(comments.split("\n")) if comments else (),
        )
        for place, (first, last, comments) in enumerate(
            zip(bounds[:-1], bounds[1:], gold.comments.tolist(), strict=True)
        )
    ]


def fitted(made: Draftings, right: Sequence[RightSentence]) -> Draftings:
    """Return drafts that have the right sentences and words; the defects say what was put right.

    >>> words = DraftWord("I", head=3), DraftWord("I", head=3), DraftWord("see", head=0)
    >>> right = [RightSentence("", ("I", "see", "."))]
    >>> draft = fitted(Draftings((Draft(words),)), right).drafts[0]
    >>> [(word.form, word.head) for word in draft.words], [d.kind for d in draft.defects]
    ([('I', 2), ('see', 0), ('.', -1)], ['doubled-word', 'lost-word'])
    """
    drafts, outside = list(made.drafts), list(made.defects)
    groups = _groups(drafts, right)
    by_place: dict[int, Draft] = {}
    taken: set[int] = set()
    for mine, theirs in groups:
        taken.update(theirs)
        parts = _fitted_group([right[a] for a in mine], [drafts[b] for b in theirs])
        by_place.update(zip(mine, parts, strict=True))
    texts = Counter(_key(drafts[b]) for b in taken)
    for b, draft in enumerate(drafts):
        if b not in taken:
            outside += draft.defects
            twice = texts[_key(draft)] > 0
            message = f"a sentence {'twice' if twice else 'too many'}: {_beginning(draft)}"
            kind = "doubled-sentence" if twice else "extra-sentence"
            outside.append(Defect(kind, draft.line, message))
    whole = tuple(by_place.get(a) or _lost(each, a) for a, each in enumerate(right))
    return Draftings(whole, tuple(outside))


def _key(draft: Draft) -> str:
    return "".join(plain(form) for form in draft.surface())


def _beginning(draft: Draft) -> str:
    return quoted(" ".join(draft.surface()[:5]))


def _groups(
    drafts: Sequence[Draft], right: Sequence[RightSentence]
) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return which sentences belong together: by their text and ids, else by their place."""
    one = [[plain(form) for form in each.surface()] for each in right]
    two = [[plain(form) for form in draft.surface()] for draft in drafts]
    if one == two:
        return [((place,), (place,)) for place in range(len(one))]
    ids, others = [each.sent_id for each in right], [draft.sent_id for draft in drafts]
    groups = list(pair_texts(one, two, ids, others))
    mine = {a for group, _ in groups for a in group}
    theirs = {b for _, group in groups for b in group}
    by_id = {name: b for b, name in enumerate(others) if name and others.count(name) == 1}
    for a, name in enumerate(ids):
        b = by_id.get(name, a if len(one) == len(two) else -1)
        if a not in mine and 0 <= b < len(two) and b not in theirs and two[b]:
            groups.append(((a,), (b,)))
            theirs.add(b)
    return groups


def _lost(right: RightSentence, place: int) -> Draft:
    """Return a sentence that nobody wrote."""
    words = tuple(map(DraftWord, right.words))
    name = right.sent_id or str(place + 1)
    defect = Defect("lost-sentence", 0, f"sentence {name} is not there")
    return Draft(words, right.comments, right.tokens, (defect,))


# ── sentences that belong together ───────────────────────────────────────────────────────────────


def _fitted_group(right: Sequence[RightSentence], drafts: Sequence[Draft]) -> list[Draft]:
    """Return the right sentences with what drafts, one after the other, say about their words."""
    forms = [form for each in right for form in each.words]
    drafts = [_in_order(draft, forms) for draft in drafts]
    words = _joined(drafts)
    drafted = [word.form for word in words]
    if forms == drafted and len(right) == len(drafts) == 1:
        return [drafts[0]]
    match = match_words(forms, drafted)
    defects = [defect for draft in drafts for defect in draft.defects]
    defects += [_word_defect(each, words) for each in match.wrong]
    in_step = len(right) == len(drafts) == 1 and _numbers_are_places(match, words)
    if in_step:
        defects = [each for each in defects if each.kind != "id"]
    heads, explained = _heads(match, words, in_step=in_step)
    for line in explained:  # a head that is lost, and so is told already
        defects.remove(next(d for d in defects if d.kind == "head-range" and d.line == line))
    if len(right) > 1 or len(drafts) > 1:
        message = f"{number_of(len(drafts), 'sentence')} for {len(right)} of the text"
        defects.append(Defect("sentence-break", drafts[0].line, message))
    return list(_cut(right, drafts, match, words, heads, defects))


def _in_order(draft: Draft, forms: Sequence[str]) -> Draft:
    """Return a draft whose words stand in the order of the text, if theirs says nothing."""
    if not draft.unordered:
        return draft
    places: dict[str, list[int]] = {}
    for place in range(len(forms) - 1, -1, -1):
        places.setdefault(plain(forms[place]), []).append(place)
    last = 0
    ranked = []
    for number, word in enumerate(draft.words):
        known = places.get(plain(word.form))
        last = known.pop() if known else last
        ranked.append((last, number))
    order = [number for _, number in sorted(ranked)]
    place_of = {number + 1: place for place, number in enumerate(order, 1)}
    words = [draft.words[number] for number in order]
    moved = (replace(word, head=place_of.get(word.head, word.head)) for word in words)
    return replace(draft, words=tuple(moved))


def _joined(drafts: Sequence[Draft]) -> list[DraftWord]:
    """Return the words of drafts one after the other."""
    words: list[DraftWord] = []
    for draft in drafts:
        before = len(words)
        words += [
            replace(word, head=word.head + before) if word.head > 0 else word
            for word in draft.words
        ]
    return words


def _word_defect(wrong: tuple[str, int, str], words: Sequence[DraftWord]) -> Defect:
    kind, place, form = wrong
    line = words[place].line if place < len(words) else 0
    written = words[place].form if place < len(words) else ""
    told = {
        "lost-word": f"{quoted(form)} is not there",
        "doubled-word": f"{quoted(written)} stands there twice",
        "extra-word": f"{quoted(written)} is not in the text",
        "changed-word": f"{quoted(written)} is {quoted(form)} in the text",
        "joined-words": f"{quoted(written)} is {quoted(form)} in the text",
        "split-word": f"{quoted(form)} is written as several words",
    }[kind]
    return Defect(kind, line, told)


def _numbers_are_places(match: WordMatch, words: Sequence[DraftWord]) -> bool:
    """Tell whether the IDs of words are their places in the text, whatever is lost."""
    return all(words[b].number == a + 1 for a, b in enumerate(match.partner) if b >= 0)


def _heads(
    match: WordMatch, words: Sequence[DraftWord], *, in_step: bool
) -> tuple[list[int], list[int]]:
    """Return the heads of the right words, and the lines whose heads are words that are lost."""
    heads, explained = [], []
    for place, b in enumerate(match.partner):
        if b < 0:
            heads.append(MISSING)
            continue
        word = words[_outermost(place, b, match, words)]
        wanted = word.wanted - 1
        if in_step and 0 <= wanted < len(match.partner) and match.partner[wanted] < 0:
            heads.append(wanted + 1)
            explained.append(word.line)
        else:
            heads.append(_above(word, place, match, words))
    return heads, explained


def _outermost(place: int, drafted: int, match: WordMatch, words: Sequence[DraftWord]) -> int:
    """Return the part of a split word that hangs on another word."""
    parts = range(drafted, drafted + 1)
    while parts.stop < len(words) and match.stands_for[parts.stop] == place:
        parts = range(parts.start, parts.stop + 1)
    outside = (b for b in parts if words[b].head - 1 not in parts and words[b].head != MISSING)
    return next(outside, drafted)


def _above(word: DraftWord, place: int, match: WordMatch, words: Sequence[DraftWord]) -> int:
    """Return the right word that a word hangs on; words that are too many are passed over."""
    seen: set[int] = set()
    head = word.head
    while head > 0 and head not in seen:
        seen.add(head)
        right = match.stands_for[head - 1]
        if right >= 0 and right != place:
            return right + 1
        if right == place and words[head - 1].head == head:
            return place + 1
        if right == place and match.partner[place] == head - 1:
            return place + 1  # it is its own head
        head = words[head - 1].head
    return head if head <= 0 else MISSING


def _cut(
    right: Sequence[RightSentence],
    drafts: Sequence[Draft],
    match: WordMatch,
    words: Sequence[DraftWord],
    heads: Sequence[int],
    defects: Sequence[Defect],
) -> Iterator[Draft]:
    """Return the words sentence by sentence; arcs between sentences are left out."""
    start = 0
    for number, each in enumerate(right):
        stop = start + len(each.words)
        made = []
        for place in range(start, stop):
            b = match.partner[place]
            word = words[b] if b >= 0 else DraftWord("_")
            head = heads[place]
            if head > 0:
                head = head - start if start < head <= stop else MISSING
            form = each.words[place - start]
            made.append(replace(word, form=form, head=head, deps="_"))
        comments = drafts[0].comments if len(right) == len(drafts) == 1 else each.comments
        own = tuple(defects) if not number or len(right) == 1 else (_also_cut(drafts[0]),)
        yield Draft(tuple(made), comments, each.tokens, own, "", drafts[0].line)
        start = stop


def _also_cut(draft: Draft) -> Defect:
    return Defect("sentence-break", draft.line, "the sentence begins in the one before")

"""Drafts from JSON: lists of words, and lists of triples (head, relation, dependent).

A sentence is a list of objects with a form, or a list of triples, or an object that has such a
list. Names of keys are those of CoNLL-U and what programs and people write for them. What is cut
off, or has a comma too many, is read as far as it is whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from commonground.errors import quoted
from commonground.repair.defects import Defect
from commonground.repair.drafts import Draft, Draftings, DraftWord, with_tree_defects
from commonground.repair.heads import Resolved, place_of_word, places_by_form, resolved_head
from commonground.repair.nearest_tree import MISSING
from commonground.repair.row_fields import is_fence

__all__ = ["drafts_of_json", "looks_like_json"]

_KEYS = {
    "form": ("form", "text", "word", "token", "orth"),
    "id": ("id", "index", "i", "idx", "position"),
    "head": ("head", "head_id", "governor", "gov", "parent", "head_index"),
    "deprel": ("deprel", "relation", "rel", "label", "dep", "dependency", "type"),
    "lemma": ("lemma",),
    "upos": ("upos", "pos"),
    "xpos": ("xpos", "tag"),
    "feats": ("feats", "features", "morph"),
    "dependent": ("dependent", "dep", "child", "modifier", "tail", "target"),
}
_WORDS = (
    "words",
    "tokens",
    "nodes",
    "tree",
    "parse",
    "conllu",
    "triples",
    "dependencies",
    "arcs",
    "edges",
)
_SENTENCES = ("sentences", "sents", "trees", "parses", "data", "results", "output")
_INDEXED = re.compile(r"(.+?)[-_/#]([0-9]{1,9})'*")
_DEEPEST = 60
_LABEL = re.compile(r"[A-Za-z]+(?:[:_][A-Za-z]+)*")


def looks_like_json(text: str) -> bool:
    r"""Tell whether a text has JSON rather than rows or brackets.

    >>> looks_like_json('Sure:\n[["saw", "nsubj", "I"]]'), looks_like_json("1\tHi")
    (True, False)
    """
    lines = [line for line in text.split("\n") if line.strip() and not is_fence(line)]
    begins = [line.lstrip()[0] in "[{" for line in lines]
    return any(begins) and "\t" not in text and any(c in text for c in ('"', "'"))


def drafts_of_json(text: str) -> Draftings:
    """Return the drafts in a text with JSON, and the defects that belong to none.

    >>> made = drafts_of_json('[["ROOT-0", "root", "saw-2"], ["saw-2", "nsubj", "I-1"]]')
    >>> [(word.form, word.head, word.deprel) for word in made.drafts[0].words]
    [('I', 2, 'nsubj'), ('saw', 0, 'root')]
    """
    drafts: list[Draft] = []
    defects: list[Defect] = []
    for value, line, wrong in _values(text):
        defects += wrong
        if value is not None:
            drafts += _sentences(value, line, 0)
    return Draftings(tuple(drafts), tuple(defects))


# ── values in a text ─────────────────────────────────────────────────────────────────────────────


def _values(text: str) -> Iterator[tuple[Any, int, list[Defect]]]:
    """Return the values of JSON in a text, each with its line, and what stands between them."""
    decoder = json.JSONDecoder()
    place, line = 0, 1
    while place < len(text):
        end = text.find("\n", place)
        end = len(text) if end < 0 else end
        stripped = text[place:end].strip()
        start = place + len(text[place:end]) - len(text[place:end].lstrip())
        if not stripped:
            pass
        elif is_fence(stripped):
            yield None, line, [Defect("fence", line, f"a code fence: {quoted(stripped, 20)}")]
        elif stripped[0] in "[{":
            value, stop, wrong = _value(text, start, line, decoder)
            yield value, line, wrong
            line += text.count("\n", place, stop)
            place = stop
            tail = text[place : end if (end := text.find("\n", place)) >= 0 else len(text)]
            place += len(tail)
            if tail.strip(" ,;\t"):
                yield None, line, [Defect("prose", line, f"no tree: {quoted(tail.strip())}")]
            place, line = place + 1, line + 1
            continue
        elif stripped not in ("]", "}", ","):
            yield None, line, [Defect("prose", line, f"no tree: {quoted(stripped)}")]
        place, line = end + 1, line + 1


def _value(
    text: str, start: int, line: int, decoder: json.JSONDecoder
) -> tuple[Any, int, list[Defect]]:
    """Return a value, where it stops, and what had to be put right."""
    if not _too_deep(text, start):
        try:
            value, stop = decoder.raw_decode(text, start)
        except ValueError:
            pass
        else:
            return value, stop, []
    wrong = [Defect("json", line, "JSON that is not right; what is whole of it is read")]
    stop = _end_of_block(text, start)
    return _salvaged(text[start:stop]), stop, wrong


def _too_deep(text: str, start: int) -> bool:
    """Tell whether brackets are nested deeper than any tree is here."""
    depth = 0
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', text[start:]):
        depth += (match[0] in "[{") - (match[0] in "]}")
        if depth > _DEEPEST:
            return True
        if depth <= 0:
            return False
    return False


def _end_of_block(text: str, start: int) -> int:
    """Return where a value that cannot be read ends: at a fence, or a line without JSON."""
    stop = start
    for line in text[start:].split("\n"):
        words = line.strip()
        if stop > start and (
            is_fence(line) or (words and words[0] not in "[]{}\"',:" and not words[0].isdigit())
        ):
            break
        stop += len(line) + 1
    return min(stop, len(text))


def _salvaged(text: str) -> Any:
    """Return the innermost objects and triples that are whole, sentence by sentence."""
    pieces = []
    for match in re.finditer(r"\{[^{}]*\}|\[[^\[\]{}]*\]", text):
        body = re.sub(r",\s*([\]}])", r"\1", match[0])
        for candidate in (body, body.replace("'", '"')):
            try:
                pieces.append(json.loads(candidate))
            except ValueError:
                continue
            break
    return pieces


# ── sentences ────────────────────────────────────────────────────────────────────────────────────


def _sentences(value: Any, line: int, depth: int) -> Iterator[Draft]:
    """Return the drafts that a value holds."""
    if depth > _DEEPEST:
        return
    if isinstance(value, Mapping):
        inner = _first(value, _SENTENCES)
        words = _first(value, _WORDS)
        if isinstance(inner, list):
            yield from _sentences(inner, line, depth + 1)
        elif isinstance(words, list):
            name = value.get("sent_id") or value.get("id")
            comments = (f"# sent_id = {_text(name)}",) if name is not None else ()
            yield from _draft(words, comments, line)
        elif isinstance(_first(value, _KEYS["form"]), str):
            yield from _draft([value], (), line)
        return
    if not isinstance(value, list) or not value:
        return
    if all(_is_word(each) for each in value) or all(map(_is_triple, value)):
        yield from _split_by_ids(value, line)
        return
    for each in value:
        yield from _sentences(each, line, depth + 1)


def _split_by_ids(values: list[Any], line: int) -> Iterator[Draft]:
    """Return a draft for each run of words whose ids go up; triples are one sentence."""
    run: list[Any] = []
    before = -1
    for value in values:
        number = _number(_first(value, _KEYS["id"])) if isinstance(value, Mapping) else -1
        if run and 0 <= number <= 1 and number < before:
            yield from _draft(run, (), line)
            run = []
        before = number
        run.append(value)
    yield from _draft(run, (), line)


def _first(value: Mapping[str, Any], names: Sequence[str]) -> Any:
    lower = {str(key).lower(): each for key, each in value.items()}
    return next((lower[name] for name in names if name in lower), None)


def _is_word(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(_first(value, _KEYS["form"]), str)


def _is_triple(value: Any) -> bool:
    if isinstance(value, Mapping):
        return _first(value, _KEYS["head"]) is not None and (
            _first(value, _KEYS["dependent"]) is not None
        )
    return (
        isinstance(value, list)
        and len(value) == 3
        and all(isinstance(each, str | int) for each in value)
    )


def _draft(values: list[Any], comments: tuple[str, ...], line: int) -> Iterator[Draft]:
    words = [value for value in values if _is_word(value)]
    triples = [value for value in values if _is_triple(value)]
    if words and len(words) >= len(triples):
        yield _draft_of_words(words, comments, line)
    elif triples:
        yield _draft_of_triples(triples, comments, line)


def _text(value: Any) -> str:
    text = "_" if value is None else str(value)
    return " ".join(text.split()) or "_"


def _number(value: Any) -> int:
    text = _text(value)
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else -1


def _draft_of_words(values: list[Any], comments: tuple[str, ...], line: int) -> Draft:
    fields = [{key: _first(value, names) for key, names in _KEYS.items()} for value in values]
    defects: list[Defect] = []
    numbers = [_number(each["id"]) for each in fields]
    zero = numbers[0] == 0
    if (
        any(number != place + (not zero) for place, number in enumerate(numbers) if number >= 0)
        or zero
    ):
        defects.append(Defect("id", line, "ids that are not 1, 2, 3, …"))
    places: dict[int, int] = {}
    for place, number in enumerate(numbers, 1):
        places.setdefault(number if number >= 0 else place, place)
    by_form = places_by_form([_text(each["form"]) for each in fields])
    words = []
    for place, each in enumerate(fields, 1):
        head, deprel = _text(each["head"]), _text(each["deprel"])
        if zero and (head == "-1" or (head == str(place - 1) and deprel == "root")):
            resolved: Resolved = (0, 0, None)
        elif zero and _number(each["head"]) == 0:
            resolved = (1, 0, None)
        else:
            resolved = resolved_head(head, line, places, by_form)
        defects += [resolved[2]] if resolved[2] else []
        known = {key: _text(each[key]) for key in ("lemma", "upos", "xpos", "feats")}
        words.append(
            DraftWord(
                _text(each["form"]), **known, head=resolved[0], deprel=deprel,
                number=max(numbers[place - 1], 0), wanted=resolved[1], line=line,
            )
        )  # fmt: skip
    made = tuple(words)
    return Draft(made, comments, (), (*defects, *with_tree_defects(made)), "", line)


def _draft_of_triples(values: list[Any], comments: tuple[str, ...], line: int) -> Draft:
    """Return the draft of triples; their words are ordered by their numbers, or by the text."""
    triples = [_ordered(value) for value in values]
    named = [_name(text) for head, _, dependent in triples for text in (head, dependent)]
    text = next((c.partition("=")[2] for c in comments if c.startswith("# text")), "")
    numbered = sorted({(number, form) for form, number in named if number > 0})
    if numbered:
        forms = [form for _, form in numbered]
        place_of = {number: place for place, (number, _) in reversed(list(enumerate(numbered, 1)))}
    else:
        dependents = [_name(dependent)[0] for _, _, dependent in triples]
        forms = list(dict.fromkeys(text.split())) or dependents
        place_of = {}
    by_form = places_by_form(forms)
    heads, labels = [MISSING] * len(forms), ["_"] * len(forms)
    defects: list[Defect] = []

    def found(form: str, number: int) -> int:
        if number >= 0:
            return 0 if number == 0 else place_of.get(number, MISSING)
        if form.lower() in ("root", "_root_", "<root>"):
            return 0
        return place_of_word(form, by_form)[0]

    for row, (head, label, dependent) in enumerate(triples):
        place, above = found(*_name(dependent)), found(*_name(head))
        if place == MISSING and not numbered and not text:
            place = row + 1  # the triples are in the order of the words
        if place > 0:
            heads[place - 1], labels[place - 1] = above, label
        if MISSING in (place, above):
            name = dependent if place == MISSING else head
            message = f"{quoted(name)} names no word, or several"
            defects.append(Defect("head-unclear", line, message))
    words = tuple(
        DraftWord(form, head=head, deprel=label, line=line)
        for form, head, label in zip(forms, heads, labels, strict=True)
    )
    bare = [word for word in words if word.head == MISSING]
    if len(bare) > len(defects):
        defects += [Defect("head-missing", line, f"no triple for {quoted(w.form)}") for w in bare][
            len(defects) :
        ]
    wrong = (*defects, *with_tree_defects(words))
    return Draft(words, comments, (), wrong, "", line, unordered=not numbered)


def _ordered(value: Any) -> tuple[str, str, str]:
    """Return a triple as (head, relation, dependent), in whatever order it stands."""
    if isinstance(value, Mapping):
        parts = (_first(value, _KEYS[key]) for key in ("head", "deprel", "dependent"))
        head, label, dependent = map(_text, parts)
        return head, label, dependent
    first, second, third = map(_text, value)
    if _INDEXED.fullmatch(second) and _LABEL.fullmatch(first):
        return second, first, third  # as in nsubj(saw-2, I-1)
    if _INDEXED.fullmatch(second) and _LABEL.fullmatch(third):
        return first, third, second
    return first, second, third


def _name(text: str) -> tuple[str, int]:
    """Return the form and the number of a word, -1 where it has none.

    >>> _name("saw-2"), _name("saw"), _name("3")
    (('saw', 2), ('saw', -1), ('3', -1))
    """
    match = _INDEXED.fullmatch(text)
    return (match[1], int(match[2])) if match else (text, -1)

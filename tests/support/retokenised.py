"""A treebank as another tokeniser would have cut it: words merged and split, sentences joined."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from commonground.corpus import Dependencies


@dataclass
class Unit:
    """A surface token: its form, its words, and the old words that these stand for."""

    form: str
    words: list[str]
    old: list[int] = field(default_factory=list)


def retokenised(corpus: Dependencies, seed: int) -> str:
    """Return the treebank as CoNLL-U with about a tenth of its words merged or split."""
    random = Random(seed)
    sentences = [_rows(corpus, place, random) for place in range(len(corpus))]
    joined: list[list[list[str]]] = []
    for rows in sentences:
        if joined and random.random() < 0.05:
            joined[-1] = _joined(joined[-1], rows)
        else:
            joined.append(rows)
    return "".join("\n".join(map("\t".join, rows)) + "\n\n" for rows in joined)


def _units(corpus: Dependencies, place: int, random: Random) -> list[Unit]:
    sentence = corpus[place]
    forms = sentence.form
    multiword = {
        int(a): (int(b), form)
        for a, b, form in zip(
            *(sentence.column(name, "tokens") for name in ("first", "last", "form")), strict=True
        )
    }
    units: list[Unit] = []
    word = 1
    while word <= len(forms):
        form = forms[word - 1]
        if word in multiword:
            last, surface = multiword[word]
            old = list(range(word, last + 1))
            parts = [surface] if random.random() < 0.2 else [forms[i - 1] for i in old]
            units.append(Unit(surface, parts, old))
            word = last
        elif random.random() < 0.05 and word < len(forms) and word + 1 not in multiword:
            both = [form, forms[word]]
            parts = random.choice([["".join(both)], both, both[::-1]])
            units.append(Unit("".join(both), parts, [word, word + 1]))
            word += 1
        elif random.random() < 0.05 and len(form) > 2 and " " not in form:
            at = random.randrange(1, len(form))
            if random.random() < 0.5:
                units += [Unit(form[:at], [form[:at]], [word]), Unit(form[at:], [form[at:]])]
            else:
                units.append(Unit(form, [form[:at], form[at:]], [word]))
        else:
            units.append(Unit(form, [form], [word]))
        word += 1
    return units


def _rows(corpus: Dependencies, place: int, random: Random) -> list[list[str]]:
    sentence = corpus[place]
    units = _units(corpus, place, random)
    new: dict[int, int] = {0: 0}
    number = 0
    for unit in units:
        for at, old in enumerate(unit.old):
            new[old] = number + 1 + min(at, len(unit.words) - 1)
        number += len(unit.words)
    source = {id_: old for old, id_ in reversed(new.items()) if id_}
    heads = {
        i: new[int(sentence.head[source[i] - 1])] if i in source else max(i - 1, 1)
        for i in range(1, number + 1)
    }
    _make_tree(heads)
    rows, number = [], 0
    for unit in units:
        if len(unit.words) > 1:
            rows.append([f"{number + 1}-{number + len(unit.words)}", unit.form, *"________"])
        for form in unit.words:
            number += 1
            old = source.get(number)
            texts = [
                sentence.column(n)[old - 1] if old else "X"
                for n in ("lemma", "upos", "xpos", "feats")
            ]
            label = sentence.deprel[old - 1] if old else "dep"
            rows.append([str(number), form, *texts, str(heads[number]), label, "_", "_"])
    return rows


def _make_tree(heads: dict[int, int]) -> None:
    """Give the words one root, and hang whatever leads in a circle on it."""
    root = next((word for word, head in heads.items() if head == 0), 1)
    heads[root] = 0
    for word, head in list(heads.items()):
        if head == 0 and word != root:
            heads[word] = root
    for word in heads:
        seen, at = set(), word
        while at and at not in seen:
            seen.add(at)
            at = heads[at]
        if at:
            heads[word] = root


def _joined(one: list[list[str]], other: list[list[str]]) -> list[list[str]]:
    shift = max(int(row[0]) for row in one if "-" not in row[0])
    root = next(row[0] for row in one if row[6] == "0")

    def moved(row: list[str]) -> list[str]:
        ids = "-".join(str(int(part) + shift) for part in row[0].split("-"))
        head = {"_": "_", "0": root}.get(row[6]) or str(int(row[6]) + shift)
        return [ids, *row[1:6], head, *row[7:]]

    return one + [moved(row) for row in other]

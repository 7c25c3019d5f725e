"""Defects that are planted in real trees are classed, counted and mended; nothing else is."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import commonground as cg
from commonground.formats.storage.files import read_bytes
from commonground.repair.repair import repair_bytes

BLOCKS = read_bytes("example:ud").decode().strip().split("\n\n")[:7]
GOLD = "\n\n".join([*BLOCKS, ""])
CLEAN = GOLD.encode()

Rows = list[list[str]]
Plant = Callable[[Rows, st.DataObject], str]


def rows_of(block: str) -> tuple[list[str], Rows]:
    lines = block.split("\n")
    comments = [line for line in lines if line.startswith("#")]
    return comments, [line.split("\t") for line in lines if not line.startswith("#")]


def text_of(comments: list[str], rows: Rows) -> str:
    return "\n".join([*comments, *("\t".join(row) for row in rows)])


def heads_of(rows: Rows) -> list[int]:
    return [int(row[6]) for row in rows]


def below(rows: Rows, word: int) -> set[int]:
    """Return the words under a word, and itself."""
    heads, found = heads_of(rows), {word}
    while True:
        more = {w for w, head in enumerate(heads, 1) if head in found} | found
        if more == found:
            return found
        found = more


def some_word(rows: Rows, data: st.DataObject, *, root: bool = False) -> int:
    words = [w for w, head in enumerate(heads_of(rows), 1) if bool(head) != root]
    return data.draw(st.sampled_from(words)) if words else 0


# Each takes the rows of a sentence and changes them; it returns the class, or nothing where the
# sentence has no room for such a defect.


def plant_columns(rows: Rows, data: st.DataObject) -> str:
    row = data.draw(st.sampled_from(rows))
    how = data.draw(st.sampled_from(["short", "long", "exchanged"]))
    if how == "short":
        del row[8:]
    elif how == "long":
        row += ["_", "_"]
    elif row[6] == "0" or row[7].isdigit():
        return ""
    else:
        row[6], row[7] = row[7], row[6]
    return "columns"


def plant_separators(rows: Rows, data: st.DataObject) -> str:
    row = data.draw(st.sampled_from(rows))
    if any(" " in field or not field for field in row):
        return ""
    row[:] = [data.draw(st.sampled_from(["  ", " ", "   "])).join(row)]
    return "separators"


def plant_id(rows: Rows, data: st.DataObject) -> str:
    row = data.draw(st.sampled_from(rows))
    row[0] = data.draw(st.sampled_from([f"{row[0]}.", "x", f"0{row[0]}"]))
    return "id"


def plant_head_missing(rows: Rows, data: st.DataObject) -> str:
    rows[some_word(rows, data, root=len(rows) == 1) - 1][6] = "_"
    return "head-missing"


def plant_head_text(rows: Rows, data: st.DataObject) -> str:
    word = some_word(rows, data)
    if not word:
        return ""
    row = rows[word - 1]
    form = rows[int(row[6]) - 1][1]
    row[6] = data.draw(st.sampled_from([f"{row[6]}.0", f"{form}-{row[6]}", f"0{row[6]}"]))
    return "head-text"


def plant_head_range(rows: Rows, data: st.DataObject) -> str:
    word = some_word(rows, data)
    if word:
        rows[word - 1][6] = str(len(rows) + data.draw(st.integers(1, 50)))
    return "head-range" if word else ""


def plant_own_head(rows: Rows, data: st.DataObject) -> str:
    word = some_word(rows, data)
    if word:
        rows[word - 1][6] = str(word)
    return "own-head" if word else ""


def plant_cycle(rows: Rows, data: st.DataObject) -> str:
    word = some_word(rows, data)
    under = sorted(below(rows, word) - {word}) if word else []
    if not under:
        return ""
    rows[word - 1][6] = str(data.draw(st.sampled_from(under)))
    return "cycle"


def plant_roots(rows: Rows, data: st.DataObject) -> str:
    word = some_word(rows, data)
    if word:
        rows[word - 1][6] = "0"
    return "several-roots" if word else ""


def plant_lost_word(rows: Rows, data: st.DataObject) -> str:
    word = some_word(rows, data)
    if not word:
        return ""
    del rows[word - 1]
    return "lost-word"


def plant_doubled_word(rows: Rows, data: st.DataObject) -> str:
    place = data.draw(st.integers(0, len(rows) - 1))
    rows.insert(place, list(rows[place]))
    return "doubled-word"


def plant_changed_word(rows: Rows, data: st.DataObject) -> str:
    row = data.draw(st.sampled_from(rows))
    row[1] = f"{row[1]}xq"
    return "changed-word"


def plant_extra_word(rows: Rows, data: st.DataObject) -> str:
    place = data.draw(st.integers(0, len(rows)))
    for row in rows:
        row[6] = str(int(row[6]) + (int(row[6]) > place))
    head = 1 + (place == 0)
    extra = [str(place + 1), "foobar", "foobar", "X", "_", "_", str(head), "dep", "_", "_"]
    rows.insert(place, extra)
    for number, row in enumerate(rows, 1):
        row[0] = str(number)
    return "extra-word"


PLANTS: list[Plant] = [
    *(plant_columns, plant_separators, plant_id, plant_head_missing, plant_head_text),
    *(plant_head_range, plant_own_head, plant_cycle, plant_roots, plant_lost_word),
    *(plant_doubled_word, plant_changed_word, plant_extra_word),
]


def is_tree(heads: list[int]) -> bool:
    roots = heads.count(0)
    for word in range(1, len(heads) + 1):
        seen, at = set(), word
        while at and at not in seen:
            seen.add(at)
            at = heads[at - 1]
        if at:
            return False
    return roots == 1


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: plant.__name__[6:])
@given(data=st.data())
def test_a_planted_defect_is_classed_as_what_it_is(plant: Plant, data: st.DataObject) -> None:
    """Its class is the only one that is counted, once, and what comes out has only trees."""
    place = data.draw(st.integers(0, len(BLOCKS) - 1))
    comments, rows = rows_of(BLOCKS[place])
    if any("-" in row[0] or "." in row[0] for row in rows):
        return
    kind = plant(rows, data)
    if not kind:
        return
    text = "\n\n".join([*BLOCKS[:place], text_of(comments, rows), *BLOCKS[place + 1 :], ""])
    gold = cg.read_text(GOLD)
    made = repair_bytes(text.encode(), "right-branching", gold=gold)
    assert made.counts == {kind: 1}, made.all_defects
    assert made.flawed == (place,)
    corpus = made.corpus()
    assert corpus.form == gold.form
    bounds = corpus.offsets.tolist()
    heads = corpus.head.tolist()
    assert is_tree(heads[bounds[place] : bounds[place + 1]])
    left = repair_bytes(text.encode(), "open", gold=gold).corpus()
    assert left.form == gold.form


AROUND = {
    "fence": ("```conllu\n", "```\n", 2),
    "prose": ("Sure! Here are the trees:\n\n", "Let me know if you need more.\n", 2),
}


@pytest.mark.parametrize("kind", AROUND)
def test_what_stands_around_the_trees_is_left_out(kind: str) -> None:
    """Fences and prose are counted, and the trees are as they were."""
    before, after, number = AROUND[kind]
    made = repair_bytes((before + GOLD + after).encode(), "open", gold=cg.read_text(GOLD))
    assert made.counts == {kind: number}
    assert not made.flawed
    assert made.data == CLEAN


def test_blank_lines_are_put_where_sentences_end() -> None:
    """A blank line inside a sentence, and one that is missing, are both classed."""
    comments, rows = rows_of(BLOCKS[0])
    inside = text_of(comments, rows[:2]) + "\n\n" + text_of([], rows[2:])
    without = text_of([], rows) + "\n" + text_of([], rows_of(BLOCKS[1])[1])
    for text in (inside, without):
        made = repair_bytes(f"{text}\n\n".encode(), "open")
        assert made.counts == {"blank-line": 1}


@given(st.lists(st.sampled_from(BLOCKS), min_size=1, max_size=4), st.sampled_from(["", "\n"]))
def test_clean_files_stay_as_they_are(blocks: list[str], end: str) -> None:
    """They come out byte for byte, with and without a last blank line, by every policy."""
    data = ("\n\n".join(blocks) + "\n" + end).encode()
    for policy in ("right-branching", "open"):
        assert repair_bytes(data, policy).data == data
    windows = data.replace(b"\n", b"\r\n")
    assert repair_bytes(windows, "open").data == windows

"""Random function trees, and short ways to write and to read them."""

from __future__ import annotations

from hypothesis import strategies as st

from commonground.corpus import Functions
from commonground.corpus.functions import yield_text
from commonground.formats import read_text, write_text

LABELS = st.sampled_from(["sbj", "obj", "hd", "root", "*"])


def trees(text):
    """Read function trees, a sentence per line."""
    return read_text(text, "functions")


def shown(corpus):
    """Return function trees as text, without comments and without the last newline."""
    lines = write_text(corpus, "functions").split("\n")
    return "\n".join(line for line in lines if not line.startswith("#")).strip()


@st.composite
def splits(draw, first, last):
    """A random set of spans that do not cross."""
    spans = [(first, last)] if draw(st.booleans()) else []
    if last > first:
        middle = draw(st.integers(first, last - 1))
        spans += draw(splits(first, middle)) + draw(splits(middle + 1, last))
    return spans


@st.composite
def sentences(draw, length, *, words=None, scattered=False, crossing=False):
    """A random multi-function tree: (words, rows)."""
    places = draw(st.permutations(range(1, length + 1))) if scattered else range(1, length + 1)
    if crossing:
        numbers = st.sets(st.integers(1, length), min_size=1)
        yields = draw(st.lists(numbers.map(yield_text), max_size=6)) if length else []
    else:
        spans = draw(splits(1, length)) if length else []
        yields = [yield_text(places[a - 1 : b]) for a, b in spans]
    rows = []
    for text in yields:
        labels = draw(st.sets(LABELS, max_size=3))
        rows += [(text, label) for label in labels or [""]]
    forms = words or [f"w{place}" for place in range(1, length + 1)]
    return forms, rows


@st.composite
def corpora(draw, number=1, *, longest=6, scattered=False):
    """So many corpora of the same sentences."""
    lengths = draw(st.lists(st.integers(1, longest), min_size=1, max_size=3))
    return [
        Functions.of([draw(sentences(length, scattered=scattered)) for length in lengths])
        for _ in range(number)
    ]

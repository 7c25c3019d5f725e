"""Random treebanks for Hypothesis."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st


def examples(percent):
    """How many examples a slow law is tried on: a share of those of the profile."""
    return max(1, settings.default.max_examples * percent // 100)


# Everything that a column can hold: no tab, no newline, nothing that UTF-8 cannot write.
TEXTS = st.text(
    st.characters(codec="utf-8", exclude_characters="\t\n\r", exclude_categories=["Cs"]),
    min_size=1,
    max_size=8,
)
FORMS = TEXTS.filter(lambda text: not text.isspace())
PLAIN = st.sampled_from(["a", "the", "b-c", "ünï", "語", "_", "#", "x y", "1", "'"])
LABELS = st.sampled_from(["nsubj", "obj", "acl:relcl", "_", "root", "punct"])


@st.composite
def heads(draw, length):
    """A random tree: each word in a random order hangs on one that came before it."""
    order = draw(st.permutations(range(1, length + 1)))
    results = [0] * length
    for place, word in enumerate(order[1:], 1):
        results[word - 1] = order[draw(st.integers(0, place - 1))]
    return results


@st.composite
def conllu_sentences(draw, longest=8):
    """A random sentence as CoNLL-U, with multiword tokens, empty nodes and comments."""
    length = draw(st.integers(1, longest))
    texts, forms = st.one_of(PLAIN, TEXTS), st.one_of(PLAIN, FORMS)
    lines = [f"# {text}" for text in draw(st.lists(TEXTS, max_size=2))]
    tree = draw(heads(length))
    covered = 0
    if draw(st.booleans()):
        lines.append(f"0.1\t{draw(forms)}" + "\t_" * 8)
    for word in range(1, length + 1):
        if word > covered and draw(st.integers(0, 4)) == 0:
            covered = draw(st.integers(word, length))
            lines.append(f"{word}-{covered}\t{draw(forms)}" + "\t_" * 8)
        fields = [draw(forms), *draw(st.lists(texts, min_size=4, max_size=4))]
        rest = [draw(LABELS), draw(texts), draw(texts)]
        lines.append("\t".join([str(word), *fields, str(tree[word - 1]), *rest]))
        lines += [
            f"{word}.{minor}\t{draw(forms)}" + "\t_" * 8
            for minor in range(1, 1 + draw(st.sampled_from([0, 0, 0, 1, 2])))
        ]
    return "\n".join(lines) + "\n\n"


def conllu_files(longest=8):
    """A random CoNLL-U file."""
    return st.lists(conllu_sentences(longest), max_size=4).map("".join)

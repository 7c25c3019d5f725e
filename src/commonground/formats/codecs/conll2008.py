"""CoNLL-2008: words split at hyphens and slashes, with the unsplit ones beside them.

The words of the corpus are the split ones, which have the heads; ``unsplit_form`` and
``unsplit_lemma`` keep what was there before (``_`` where a word continues the one before it).
The arguments of all predicates are kept as they stand, in one text per word (column ``apreds``).
"""

from commonground.formats.notation import conll

__all__ = ["FORMAT"]

FORMAT = conll.member(
    conll.Layout(
        titles=(
            *("ID", "FORM", "LEMMA", "GPOS", "PPOS", "SPLIT_FORM", "SPLIT_LEMMA", "PPOSS"),
            *("HEAD", "DEPREL", "PRED", "ARGs"),
        ),
        columns=(
            *("id", "unsplit_form", "unsplit_lemma", "gpos", "ppos", "form", "lemma", "xpos"),
            *("head", "deprel", "pred", "apreds"),
        ),
        tail=True,
        instead={
            "unsplit_form": "form",
            "unsplit_lemma": "lemma",
            "gpos": "xpos",
            "ppos": "xpos",
        },
    ),
    r"\d+\t(?:[^\t\n]+\t){7}(?:\d+|_)\t(?!\d+\t)[^\t\n]+\t.+",
    0.85,
    name="conll2008",
    title="CoNLL-2008 (syntactic and semantic dependencies of English)",
    aliases=("conll08",),
)

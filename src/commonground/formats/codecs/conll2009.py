"""CoNLL-2009: gold and predicted columns side by side, predicates, and a column for each of them.

The arguments of all predicates are kept as they stand, in one text per word (column ``apreds``).
"""

from commonground.formats.notation import conll

__all__ = ["FORMAT"]

FORMAT = conll.member(
    conll.Layout(
        titles=(
            *("ID", "FORM", "LEMMA", "PLEMMA", "POS", "PPOS", "FEAT", "PFEAT"),
            *("HEAD", "PHEAD", "DEPREL", "PDEPREL", "FILLPRED", "PRED", "APREDs"),
        ),
        columns=(
            *("id", "form", "lemma", "plemma", "xpos", "pxpos", "feats", "pfeats"),
            *("head", "phead", "deprel", "pdeprel", "fillpred", "pred", "apreds"),
        ),
        tail=True,
    ),
    r"\d+\t(?:[^\t\n]+\t){7}(?:\d+|_)\t(?:\d+|_)\t(?:[^\t\n]+\t){2}[Y_]\t.+",
    0.9,
    name="conll2009",
    title="CoNLL-2009 (syntactic and semantic dependencies in several languages)",
    aliases=("conll09",),
)

"""CoNLL-X, the format of the shared tasks of 2006 and 2007, and of most parsers of that time.

MSTParser writes it without the last two columns. It has no comments, multiword tokens and empty
nodes; where a corpus has them, they are not written (comments in a file that is read are kept).
"""

from commonground.formats.notation import conll

__all__ = ["FORMAT"]

FORMAT = conll.member(
    conll.Layout(
        titles=(
            *("ID", "FORM", "LEMMA", "CPOSTAG", "POSTAG", "FEATS"),
            *("HEAD", "DEPREL", "PHEAD", "PDEPREL"),
        ),
        columns=(
            *("id", "form", "lemma", "upos", "xpos", "feats"),
            *("head", "deprel", "phead", "pdeprel"),
        ),
        least=8,
    ),
    r"\d+\t(?:[^\t\n]+\t){5}(?:\d+|_)\t[^\t\n]+(?:\t(?:\d+|[_-])\t[^\t\n]+)?",
    0.75,
    name="conllx",
    title="CoNLL-X (shared tasks of 2006 and 2007)",
    aliases=("conll-x", "conll06", "conll07", "conll2006", "conll2007"),
)

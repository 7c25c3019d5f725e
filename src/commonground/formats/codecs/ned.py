"""The three columns of the NED program: the word, its tag and its head, and nothing else."""

from commonground.formats.notation import conll

__all__ = ["FORMAT"]

FORMAT = conll.member(
    conll.Layout(titles=("WORD", "TAG", "HEAD"), columns=("form", "xpos", "head")),
    r"[^\t\n]+\t[^\t\n]+\t(?:\d+|_)",
    0.6,
    name="ned",
    title="NED (word, tag and head, as the NED program reads them)",
)

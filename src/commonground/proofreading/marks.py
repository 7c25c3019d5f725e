"""Where the guidelines of Universal Dependencies hang punctuation marks.

:func:`commonground.schemes.marks.place` says it: on what they enclose or set off, as high as
possible without crossing an arc.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from commonground.corpus import Dependencies
from commonground.schemes.library import find_scheme
from commonground.schemes.marks import place
from commonground.schemes.transform import tagging_of, trees_of

__all__ = ["guideline_heads"]


def guideline_heads(corpus: Dependencies) -> NDArray[np.int64]:
    """Return the heads of all words, with marks where the guidelines want them.

    >>> from commonground.corpus import Strings
    >>> corpus = Dependencies.of([(["Here", ",", "birds", "sing"], [4, 4, 4, 0],
    ...                            ["advmod", "punct", "nsubj", "root"])])
    >>> tagged = corpus.replace("words", upos=Strings.of(["ADV", "PUNCT", "NOUN", "VERB"]))
    >>> guideline_heads(tagged).tolist()
    [4, 1, 4, 0]
    """
    scheme = find_scheme("ud")
    heads: list[int] = []
    for tree in trees_of(corpus, scheme, tagging_of(corpus, scheme)):
        if len(tree.bottom_up()) == len(tree.head) - 1:  # no cycle
            place(tree)
        heads += tree.heads()
    return np.array(heads, np.int64)

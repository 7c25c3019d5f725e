"""The universal part of speech of each Penn tag.

The table of universaldependencies.org (tagset conversion, en::penn), with the tags of the later
English treebanks (``HYPH``, ``NFP``, ``ADD``, ``AFX``, ``GW``, ``XX``).
"""

from __future__ import annotations

from commonground.corpus import Strings

__all__ = ["universal_tag", "universal_tags"]

_TABLE = """
ADJ    JJ JJR JJS AFX
ADP    IN RP
ADV    RB RBR RBS WRB
AUX    MD
CCONJ  CC
DET    DT PDT WDT
INTJ   UH
NOUN   NN NNS
NUM    CD
PART   POS TO
PRON   EX PRP PRP$ WP WP$
PROPN  NNP NNPS
PUNCT  , . : `` '' -LRB- -RRB- ( ) " HYPH NFP
SYM    # $ SYM
VERB   VB VBD VBG VBN VBP VBZ
X      ADD FW GW LS XX
"""
_UNIVERSAL = {tag: line.split()[0] for line in _TABLE.split("\n") for tag in line.split()[1:]}


def universal_tag(tag: str) -> str:
    """Return the universal part of speech of a Penn tag, ``X`` for one that is not in the table.

    >>> universal_tag("VBZ"), universal_tag("-LRB-"), universal_tag("NC")
    ('VERB', 'PUNCT', 'X')
    """
    return _UNIVERSAL.get(tag, "X")


_BE = frozenset("be am is are was were been being 'm 're 's ’m ’re ’s".split())


def universal_tags(tags: Strings, forms: Strings) -> Strings:
    """Return the universal parts of speech of words with Penn tags.

    Penn tags know no auxiliaries but modal verbs. The verb *be* is one nearly always, and the only
    copula.

    >>> universal_tags(Strings.of(["PRP", "VBZ", "VBZ"]), Strings.of(["It", "Is", "has"])).tolist()
    ['PRON', 'AUX', 'VERB']
    """
    plain = Strings.concatenate([tags.map(universal_tag), Strings.of(["AUX"])])
    codes = plain.codes[:-1].copy()
    verb = tags.where(lambda tag: tag.startswith("VB"))
    codes[verb & forms.where(lambda form: form.lower() in _BE)] = plain.codes[-1]
    return Strings(codes, plain.vocabulary)

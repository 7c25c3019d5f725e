"""The universal part of speech of each Penn tag.

The table of universaldependencies.org (tagset conversion, en::penn), with the tags of the later
English treebanks, is the tag set ``penn``; here each tag has the part of speech that it mostly is.
"""

from __future__ import annotations

from commonground.corpus import Strings
from commonground.schemes.tag_set import find_tag_set

__all__ = ["universal_tag", "universal_tags"]


def universal_tag(tag: str) -> str:
    """Return the universal part of speech of a Penn tag, ``X`` for one that is not in the table.

    >>> universal_tag("VBZ"), universal_tag("-LRB-"), universal_tag("NC")
    ('VERB', 'PUNCT', 'X')
    """
    penn = find_tag_set("penn")
    return penn.options(tag)[0] if penn.knows(tag) else "X"


def universal_tags(tags: Strings, forms: Strings) -> Strings:
    """Return the universal parts of speech of words with Penn tags.

    Penn tags know no auxiliaries but modal verbs. The verb *be* is one nearly always, and the only
    copula.

    >>> universal_tags(Strings.of(["PRP", "VBZ", "VBZ"]), Strings.of(["It", "Is", "has"])).tolist()
    ['PRON', 'AUX', 'VERB']
    """
    plain = Strings.concatenate([tags.map(universal_tag), Strings.of(["AUX"])])
    codes = plain.codes[:-1].copy()
    copulas = find_tag_set("penn").copulas
    verb = tags.where(lambda tag: tag.startswith("VB"))
    codes[verb & forms.where(lambda form: form.lower() in copulas)] = plain.codes[-1]
    return Strings(codes, plain.vocabulary)

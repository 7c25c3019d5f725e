"""The patterns of the ten phenomena as loops over udapi's nodes, as people write them by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from udapi.core.document import Document

__all__ = ["candidates"]

WIDE = set(
    "hard easy difficult tough impossible simple tricky dangerous comfortable fun pleasant nice "
    "expensive cheap awkward painful straightforward interesting boring delightful safe risky "
    "unpleasant hopeless tedious costly".split()
)
MIDDLE = WIDE - set("interesting boring delightful hopeless tedious costly".split())
NARROW = MIDDLE - set("expensive cheap painful straightforward safe risky unpleasant".split())
NO_TOUGH = set(
    "time way thing decision job task day opportunity chance effort place road choice".split()
)
NO_GERUND = set(
    "while when if although though once as than whether because until like that whilst "
    "unless".split()
)
NO_SELECTOR = set(
    "go come keep see hear watch find leave spend sit stand get feel look be say think show send "
    "catch mean know hope have end wind busy tell report believe".split()
)
NO_ADJUNCT = set(
    "not n't back there here so either anymore only just even also over out in up down away off on "
    "aside along around through together forward exactly".split()
)
MARKED = set("with without if because that although though while when".split())
PLACES = {"in", "on", "at", "under", "to", "of", "over", "as"}
NO_CONTROL = {"have", "go", "use", "need"}
ADJUNCTS = {"obl", "advmod", "advcl", "parataxis"}
COMPLEMENTS = {"obj", "obl", "advmod", "xcomp", "ccomp", "advcl"}
NOUNS = {"NOUN", "PROPN", "PRON", "ADJ", "NUM", "DET", "SYM"}
NO_NED = re.compile(r"(ated|ized|ised|ected|fied)$")


def children(node: Any, *relations: str) -> list[Any]:
    """Return the dependents with some relations, subtypes included."""
    return [each for each in node.children if each.udeprel in relations]


def below(node: Any, depth: int) -> Iterator[Any]:
    """Return what is up to so many arcs below a node."""
    for each in node.children:
        yield each
        if depth > 1:
            yield from below(each, depth - 1)


def wh(node: Any) -> bool:
    """Tell whether a node is a wh-word."""
    return bool(node.xpos.startswith("W"))


def barerel(node: Any) -> bool:
    """Tell whether a node heads a bare relative."""
    if node.deprel != "acl:relcl" or wh(node.parent) or children(node, "mark"):
        return False
    between = [s for s in children(node, "nsubj") if node.parent.ord < s.ord < node.ord]
    subjects = [
        s
        for s in between
        if not wh(s)
        and s.form.lower() not in ("that", "which", "who")
        and s.feats["PronType"] != "Rel"
    ]
    embedded = any(children(each, "aux") for each in children(node, "ccomp"))
    result = (subjects and node.parent.upos in NOUNS) or (embedded and between)
    return bool(result) and not any(wh(each) for each in below(node, 4))


def lacks_object(verb: Any, *more: str) -> bool:
    """Tell whether a node is an infinitive without an object."""
    return any(mark.form.lower() == "to" for mark in children(verb, "mark")) and not children(
        verb, "obj", "ccomp", "nsubj", *more
    )


def tough(node: Any) -> bool:
    """Tell whether a node is an adjective with an infinitive that lacks an object."""
    if node.upos != "ADJ" or node.lemma not in WIDE:
        return False
    verbs = [
        verb
        for verb in children(node, "ccomp", "xcomp", "advcl", "csubj", "acl")
        if verb.ord > node.ord and lacks_object(verb)
    ]
    head = node.parent

    def subject(of: Any, before: Any) -> bool:
        return any(
            s.ord < before.ord and s.form.lower() != "it" for s in children(of, "nsubj")
        ) and not children(of, "expl")

    if verbs and subject(node, node):
        return True
    if verbs and node.lemma in MIDDLE and node.udeprel == "xcomp" and head.ord < node.ord:
        return subject(head, node)
    if node.lemma not in NARROW or node.udeprel != "amod" or node.ord > head.ord:
        return False
    if any(v.ord > head.ord and v.udeprel in ("ccomp", "xcomp", "advcl") for v in verbs):
        return True
    return head.lemma not in NO_TOUGH and any(
        v.ord > head.ord and lacks_object(v, "obl", "xcomp") for v in children(head, "acl", "advcl")
    )


def rnr(node: Any) -> bool:
    """Tell whether a node shares what stands behind its conjunct."""
    for other in children(node, "conj"):
        preposed = node.upos == "ADP" and other.upos in ("ADP", "ADV") and node.udeprel == "case"
        if preposed and node.ord < other.ord < node.parent.ord:
            return True
        bare = other.upos == "VERB" and not children(other, "obj", "ccomp", "xcomp")
        apart = node.upos == "VERB" and 3 <= other.ord - node.ord <= 40
        if bare and apart and any(o.ord > other.ord for o in children(node, "obj")):
            return True
        for noun in children(node, "obl"):
            if noun.ord <= other.ord:
                continue
            cases = [c for c in children(noun, "case") if c.ord < other.ord]
            if bare and any(c.upos == "ADP" for c in cases):
                return True
            stranded = [c for c in children(other, "obl") if c.upos == "ADP" and c.ord < noun.ord]
            if stranded and any(c.upos == "ADP" for c in cases):
                return True
    return False


def itexpl(node: Any) -> bool:
    """Tell whether a node is an expletive."""
    return node.form.lower() == "it" and (
        node.udeprel == "expl"
        or (
            node.udeprel == "nsubj"
            and any(c.ord > node.ord for c in children(node.parent, "csubj"))
        )
    )


def vpart(node: Any) -> bool:
    """Tell whether a node is a particle before an object."""
    return node.deprel == "compound:prt" and any(
        node.parent.ord < node.ord < o.ord for o in children(node.parent, "obj")
    )


def ned(node: Any) -> bool:
    """Tell whether a node is a noun with -ed that is modified."""
    if node.xpos != "JJ" or not node.form.endswith("ed") or NO_NED.search(node.form):
        return False
    relations: tuple[str, ...] = ("amod", "compound", "nummod", "nmod")
    if node.udeprel == "amod" and node.ord < node.parent.ord:
        relations = (*relations, "advmod", "obl", "obj", "nsubj")
    elif not (children(node, "cop") and children(node, "nsubj")):
        return False
    return any(
        a.upos in ("ADJ", "NOUN", "NUM") and 1 <= node.ord - a.ord <= 2
        for a in children(node, *relations)
    )


def absol(node: Any) -> bool:
    """Tell whether a node heads an absolutive."""
    if node.udeprel != "advcl":
        return False
    subjects = children(node, "nsubj")
    if not any(s.ord < node.ord for s in subjects) or any(map(wh, subjects)):
        return False
    verbal = children(node, "aux", "cop")
    if node.upos == "VERB":
        return (
            node.feats["VerbForm"] in ("Ger", "Part")
            and not children(node, "mark", "case")
            and not any(v.feats["VerbForm"] == "Fin" or v.xpos == "MD" for v in verbal)
        )
    return (
        node.upos in ("NOUN", "PROPN", "ADJ", "ADV", "NUM", "ADP", "PRON")
        and not any(c.form.lower() not in PLACES for c in children(node, "mark", "case"))
        and not any(c.feats["VerbForm"] in ("Fin", "Inf") for c in children(node, "cop"))
        and not children(node, "aux")
        and not any(map(wh, children(node, "advmod")))
        and not any(each.form.lower() in MARKED for each in below(node, 2))
    )


def vger(node: Any) -> bool:
    """Tell whether a node is a gerund with a complement."""
    if node.xpos != "VBG" or node.upos != "VERB" or not node.form.endswith("ing"):
        return False
    if not any(each.ord > node.ord and each.udeprel in COMPLEMENTS for each in node.children):
        return False
    head = node.parent
    if node.udeprel == "csubj" and node.ord < head.ord:
        return True
    if any(
        each.upos in ("SCONJ", "ADP") and each.ord < node.ord and each.form.lower() not in NO_GERUND
        for each in children(node, "mark", "case")
    ) and not children(node, "nsubj", "aux"):
        return True
    return (
        node.udeprel in ("xcomp", "ccomp", "obj")
        and head.upos in ("VERB", "ADJ")
        and head.ord < node.ord
        and head.lemma not in NO_SELECTOR
        and not any(o is not node for o in children(head, "obj"))
        and not children(node, "nsubj", "aux", "mark", "cop")
    )


def argadj(node: Any) -> bool:
    """Tell whether something stands between a verb and its object."""
    if node.upos != "VERB":
        return False
    adjuncts = [
        m
        for m in node.children
        if m.udeprel in ADJUNCTS
        and node.ord < m.ord
        and not wh(m)
        and m.xpos != "RP"
        and m.upos != "ADP"
        and m.form.lower() not in NO_ADJUNCT
        and not any(c.form.lower() == "to" for c in children(m, "case"))
    ]
    for m in adjuncts:
        objects = children(node, "obj", "iobj")
        for o in children(node, "obj"):
            early = any(i.ord < m.ord for i in objects if i is not o)
            if m.ord < o.ord and not early and not any(x.ord < m.ord for x in below(o, 3)):
                return True
        clauses = [
            o for o in children(node, "ccomp") if any(m.ord < k.ord for k in children(o, "mark"))
        ]
        if clauses and not any(i.ord < m.ord for i in objects):
            return True
    return False


def control(node: Any) -> bool:
    """Tell whether a node is an infinitive with a shared argument."""
    upstairs = node.parent
    if node.udeprel != "xcomp" or upstairs.upos != "VERB" or upstairs.ord > node.ord:
        return False
    if upstairs.lemma in NO_CONTROL:
        return False
    if not any(mark.form.lower() == "to" for mark in children(node, "mark")):
        return False
    shared = children(upstairs, "nsubj")
    return bool(shared) or any(s.ord < node.ord for s in children(upstairs, "obj"))


TESTS = (barerel, tough, rnr, itexpl, vpart, ned, absol, vger, argadj, control)


def candidates(path: str) -> dict[str, int]:
    """Return how many sentences of a file have each phenomenon."""
    document = Document()
    document.load_conllu(path)
    by_name = {test.__name__: 0 for test in TESTS}
    for bundle in document.bundles:
        nodes = bundle.get_tree().descendants
        for test in TESTS:
            by_name[test.__name__] += any(test(node) for node in nodes)
    return by_name

"""Random sentences in Universal Dependencies that a small grammar makes.

They have what schemes differ about: adpositions, determiners, auxiliaries, copulas, subordinators,
infinitive markers, relative clauses, coordinations, names, possessives, numerals, and these inside
each other. Function words stand before their partners, or all of them behind.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

from commonground.corpus import Dependencies, Strings, Table
from commonground.corpus.table import offsets_of


@dataclass
class Phrase:
    """A head word with phrases before and after it; each has a label."""

    tag: str
    label: str = "root"
    feats: str = "_"
    before: list[Phrase] = field(default_factory=list)
    after: list[Phrase] = field(default_factory=list)

    def called(self, label):
        self.label = label
        return self

    def words(self):
        """The words in order: (phrase, its head phrase)."""
        for phrase in self.before:
            yield from phrase.within(self)
        yield self, None
        for phrase in self.after:
            yield from phrase.within(self)

    def within(self, head):
        for word, above in self.words():
            yield word, above or head


def word(tag, label, feats="_"):
    return Phrase(tag, label, feats)


@st.composite
def nominals(draw, depth, *, end=False):
    """A noun phrase, perhaps coordinated; `end`: its function words stand behind it."""
    kind = draw(st.sampled_from(["noun", "noun", "name", "pronoun"]))
    if kind == "pronoun":
        return Phrase("PRON")
    if kind == "name":
        parts = draw(st.integers(1, 3))
        return Phrase("PROPN", after=[word("PROPN", "flat") for _ in range(parts)])
    noun = Phrase("NOUN")
    marks = [
        word(tag, label)
        for tag, label in (("DET", "det"), ("NUM", "nummod"), ("ADJ", "amod"))
        if draw(st.booleans())
    ]
    noun.before = marks
    if depth and draw(st.booleans()):
        choice = draw(st.sampled_from(["nmod", "relative", "possessive", "conj"]))
        if choice == "nmod":
            noun.after.append(draw(adpositional(depth - 1, end=end)).called("nmod"))
        elif choice == "relative":
            noun.after.append(draw(relatives(depth - 1)))
        elif choice == "possessive" and not end:
            owner = draw(nominals(0)).called("nmod:poss")
            owner.after.append(word("PART", "case"))
            noun.before.insert(0, owner)
        elif choice == "conj":
            noun.after += draw(conjuncts(nominals(0, end=end)))
    return noun


@st.composite
def conjuncts(draw, strategy):
    """One or two conjuncts, the last one with a conjunction, others with a comma; none nested."""
    results = [draw(strategy).called("conj") for _ in range(draw(st.integers(1, 2)))]
    for conjunct in results:
        conjunct.after = [child for child in conjunct.after if child.label != "conj"]
    for place, conjunct in enumerate(results):
        last = place == len(results) - 1
        link = word("CCONJ", "cc") if last else word("PUNCT", "punct")
        conjunct.before.insert(0, link)
    return results


@st.composite
def adpositional(draw, depth, *, end=False):
    """A noun phrase with an adposition, or two of them coordinated."""
    noun = draw(nominals(depth, end=end))
    adposition = word("ADP", "case")
    (noun.after if end else noun.before).insert(len(noun.after) if end else 0, adposition)
    if not coordinated(noun) and draw(st.integers(0, 5)) == 0:
        noun.after += draw(conjuncts(adpositional(0, end=end)))
    return noun


def coordinated(phrase):
    return any(child.label == "conj" for child in phrase.after)


@st.composite
def relatives(draw, depth):
    """A relative clause, whose relative word is the subject or the object."""
    verb = Phrase("VERB", "acl:relcl", "VerbForm=Fin")
    relative = word("PRON", draw(st.sampled_from(["nsubj", "obj"])), "PronType=Rel")
    verb.before.append(relative)
    if relative.label == "obj":
        verb.before.append(draw(nominals(0)).called("nsubj"))
    elif depth and draw(st.booleans()):
        verb.after.append(draw(nominals(depth - 1)).called("obj"))
    return verb


@st.composite
def clauses(draw, depth=2, *, end=False, finite=True):
    """A clause: verbal or with a copula, with auxiliaries, complements and modifiers."""
    copular = draw(st.integers(0, 3)) == 0
    form = "VerbForm=Fin" if finite else "VerbForm=Inf"
    if copular:
        predicate = draw(st.one_of(nominals(0, end=end), st.builds(Phrase, st.just("ADJ"))))
    else:
        predicate = Phrase("VERB", feats=form)
    functions = [word("AUX", "aux", form) for _ in range(draw(st.integers(0, 2)))]
    if copular:
        functions.append(word("AUX", "cop", form))
    elif functions:
        predicate.feats = "VerbForm=Part"
    complements = []
    if not copular and draw(st.booleans()):
        complements.append(draw(nominals(min(depth, 1), end=end)).called("obj"))
    if depth and draw(st.booleans()):
        complements.append(draw(modifiers(depth - 1, end=end)))
    if end:
        predicate.before = complements + predicate.before
        predicate.after += functions[::-1]
    else:
        predicate.before = functions + predicate.before
        predicate.after += complements
    if finite:
        predicate.before.insert(0, draw(nominals(min(depth, 1), end=end)).called("nsubj"))
    return predicate


@st.composite
def modifiers(draw, depth, *, end=False):
    """What a verb has besides: an adpositional phrase, a clause with a mark, a conjunct."""
    choice = draw(st.sampled_from(["obl", "ccomp", "xcomp"] + ([] if end else ["conj"])))
    if choice == "obl":
        return draw(adpositional(depth, end=end)).called("obl")
    if choice == "conj":
        conjunct = draw(clauses(0, end=end)).called("conj")
        conjunct.before.insert(0, word("CCONJ", "cc"))
        return conjunct
    finite = choice == "ccomp"
    clause = draw(clauses(depth, end=end, finite=finite)).called(choice)
    clause.before.insert(0, word("SCONJ" if finite else "PART", "mark"))
    return clause


@st.composite
def ud_sentences(draw):
    """A sentence as (tags, features, heads, labels)."""
    top = draw(clauses(end=draw(st.booleans())))
    top.after.append(word("PUNCT", "punct"))
    pairs = list(top.words())
    place = {id(phrase): number for number, (phrase, _) in enumerate(pairs, 1)}
    return [
        (phrase.tag, phrase.feats, place[id(head)] if head else 0, phrase.label)
        for phrase, head in pairs
    ]


def treebank(sentences):
    """Make a treebank of sentences, each a list of (tag, features, head, label)."""
    words = [word for sentence in sentences for word in sentence]
    tags, feats, heads, labels = zip(*words, strict=True) if words else ((), (), (), ())
    table = Table(
        offsets_of([len(sentence) for sentence in sentences]),
        form=Strings.of(f"w{number}" for number in range(len(words))),
        upos=Strings.of(tags),
        feats=Strings.of(feats),
        head=np.array(heads, np.int32),
        deprel=Strings.of(labels),
    )
    return Dependencies({"words": table})

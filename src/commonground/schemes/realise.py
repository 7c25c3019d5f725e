"""From the hub to a scheme: bring a tree into the scheme's shape, construction by construction.

Words are visited from the leaves up, so that what hangs on a word has its final shape already. What
belongs to a word is then built from the inside out: the parts of a name first; then its function
words one by one, those after it before those before it, the nearest first; and its conjuncts as
soon as all function words stand that belong to the first conjunct alone. (*in Rome and Paris* has a
coordination below the adposition, *in Rome and in Paris* one above it.)
"""

from __future__ import annotations

from itertools import accumulate

from commonground.schemes.constructions import construction_of
from commonground.schemes.coordination import Failure, coordinate, share_partner, tie
from commonground.schemes.levels import level_of
from commonground.schemes.punctuation import SIDE, PhraseEdges, edges, note, outside
from commonground.schemes.relative_words import relative_phrase
from commonground.schemes.repair import repair
from commonground.schemes.scheme import Scheme, When
from commonground.schemes.tree import Tree
from commonground.schemes.turn import turn
from commonground.schemes.word_classes import CLOSING, COMMA, VERBAL_PARTICLE

__all__ = ["TOO_MANY", "realise"]


def realise(tree: Tree, scheme: Scheme) -> list[Failure]:
    """Bring a tree from the shape of the hub into that of a scheme.

    The tree has its labels in the hub in `hub`, and those of the scheme in `label`. An arc that is
    turned keeps its label; so does the arc from above, which leads to the other word then. The
    value is what could not be done: pairs of a construction and a reason.
    """
    failures: list[Failure] = []
    marks = _noted_edges(tree, scheme)
    relative = scheme.way("relative") != "content"
    repaired = scheme.way("repair") == "first"
    busy = _with_constructions(tree, scheme)
    children = tree.children
    for word in tree.bottom_up():
        if not children[word] or (busy is not None and word not in busy):
            continue
        functions, parts = _gathered(tree, word, scheme, failures)
        top = word
        for construction in ("name", "idiom", "apposition"):
            if construction in parts:
                top = tie(tree, top, parts[construction], scheme.way(construction))
        if functions or "coordination" in parts:
            conjuncts = parts.get("coordination", [])
            top = _phrase(tree, word, top, functions, conjuncts, scheme, failures)
        if repaired and "repair" in parts:
            top = repair(tree, word, _lifted(tree, word, top, parts["repair"]))
        if relative and tree.hub[top] == "acl:relcl":
            _relative(tree, word, top, scheme, failures)
    if marks:
        outside(tree, marks)
    return failures


def _noted_edges(tree: Tree, scheme: Scheme) -> PhraseEdges | None:
    """Note the marks that go outside, and return them; None where all stay inside."""
    way = scheme.way("punctuation")
    if way == "inside":
        return None
    marks = edges(tree, "" if way == "outside" else SIDE)
    note(tree, marks)
    return marks


def _with_constructions(tree: Tree, scheme: Scheme) -> set[int] | None:
    """Return the words on which something hangs that may be turned or tied; None: any may.

    What is rewritten below a word changes none of the labels of what hangs on it, except in a
    relative clause, whose relative word may come from anywhere.
    """
    if scheme.way("relative") != "content" and "acl:relcl" in tree.hub:
        return None
    making = scheme.making
    heads, hub = tree.head, tree.hub
    busy: set[int] = set()
    for word in range(1, len(heads)):
        if making[hub[word]]:
            busy.add(heads[word])
    return busy


def _lifted(tree: Tree, word: int, top: int, attempts: list[int]) -> int:
    """Hang first attempts on what heads the whole phrase now; return that."""
    for attempt in attempts:
        if tree.head[attempt] != top and attempt != top and attempt < word:
            tree.move(attempt, top)
    return top


def _gathered(
    tree: Tree, word: int, scheme: Scheme, failures: list[Failure]
) -> tuple[list[tuple[int, str]], dict[str, list[int]]]:
    """Return the function words of a word that become heads, and the parts that it heads."""
    functions: list[tuple[int, str]] = []
    parts: dict[str, list[int]] = {}
    hub, making, turned, when = tree.hub, scheme.making, scheme.turned, scheme.when
    article = -1
    for child in tree.children[word]:
        if not making[hub[child]]:
            continue
        construction = _made(tree, child, word, scheme)
        if construction in _PARTS:
            if construction != "apposition" or _set_off(tree, child, word):
                parts.setdefault(construction, []).append(child)
        elif construction == "opening" and child > word:
            continue  # between conjuncts, on the first one
        elif construction in turned:
            if article < 0 and construction in when:
                article = _last_article(tree, word) if "determiner" in when else 0
            if construction not in when or _heads(tree, child, when[construction], article):
                functions.append((child, construction))
            else:
                failures.append((construction, "depends on its partner here too"))
    if len(functions) > _MOST:
        functions = _nearest(functions, word)
        failures += [(construction, TOO_MANY) for _, construction in functions[_MOST:]]
    return functions[:_MOST], parts


def _nearest(functions: list[tuple[int, str]], word: int) -> list[tuple[int, str]]:
    return sorted(functions, key=lambda entry: abs(entry[0] - word))


def _made(tree: Tree, child: int, word: int, scheme: Scheme) -> str | None:
    """Return the construction that a dependent of a word makes, or is like one that does."""
    hub, feats = tree.hub, tree.feats
    construction = construction_of(
        hub[child], tree.tag[child], feats[word], feats[child], hub[word]
    )
    if construction is None:
        return _likened(tree, child, scheme) if scheme.also else None
    if construction == "auxiliary" and VERBAL_PARTICLE in feats[child]:
        return "particle" if "particle" in scheme.turned else construction  # Breton *Mont a ran*
    return construction


def _likened(tree: Tree, word: int, scheme: Scheme) -> str | None:
    """Return the construction like which a content word becomes a head, if it does.

    Only a bare word, or one with a determiner or a numeral, does so. In *Peters bils dør*, only
    *Peters* is a head, or it could not be told what belongs to which of the nouns.
    """
    partner = tree.turned.get(word, word)
    if not tree.children[partner] and (partner == word or tree.tag[word] in _COUNTING):
        return scheme.like[tree.hub[word]]
    return None


_COUNTING = ("DET", "NUM")
_MOST = 20
"""How many function words of one word can be heads: what has more is no language."""

TOO_MANY = f"the word has more than {_MOST} function words"

_PARTS = ("coordination", "name", "idiom", "apposition", "repair")


def _set_off(tree: Tree, apposition: int, word: int) -> bool:
    """Tell whether a comma stands between an apposition and the noun that it hangs on."""
    return any(word < c < apposition and COMMA in tree.feats[c] for c in tree.children[apposition])


def _heads(tree: Tree, function: int, when: When, article: int) -> bool:
    """Tell whether a function word becomes the head of its partner, on which it still hangs.

    `article` is the last article of the partner, 0 if it has none.
    """
    partner = tree.head[function]
    left = function < partner
    if tree.tag[function] in when.never or (when.over and tree.tag[partner] not in when.over):
        return False
    if when.side and left != (when.side == "left"):
        return False
    if not when.means("labels", _kind(tree, function, article)):
        return False
    if not when.unless and when.across == ("*",):
        return True
    return not (_numbers(tree, function, partner) or _blocked(tree, function, when, article))


def _blocked(tree: Tree, function: int, when: When, article: int) -> bool:
    """Tell whether another head stands further out, or between the two what none may cross."""
    partner = tree.head[function]
    left = function < partner
    for other in tree.children[partner]:
        if (other < function) if left else (other > function):
            if when.means("unless", _kind(tree, other, article)):
                return True
        elif (
            other != function
            and (other < partner) == left
            and not when.means("across", tree.hub[other])
        ):
            return True
    return False


def _numbers(tree: Tree, function: int, partner: int) -> bool:
    """Tell whether a word with a closing mark of its own numbers what follows: *6) Liability*."""
    return any(
        function < child < partner and CLOSING in tree.feats[child]
        for child in tree.children[function]
    )


def _kind(tree: Tree, function: int, article: int) -> str:
    """Return the label of a function word in the hub; what precedes an article is a predeterminer.

    Not all treebanks have a label for it: *toutes les villes*, *all the cities*.
    """
    label = tree.hub[function]
    return "det:predet" if label == "det" and function < article else label


def _last_article(tree: Tree, word: int) -> int:
    hub, feats = tree.hub, tree.feats
    last = 0
    for child in tree.children[word]:
        if child > last and hub[child] == "det" and "PronType=Art" in feats[child]:
            last = child
    return last


def _phrase(
    tree: Tree,
    word: int,
    top: int,
    functions: list[tuple[int, str]],
    conjuncts: list[int],
    scheme: Scheme,
    failures: list[Failure],
) -> int:
    """Give a word its function words and conjuncts, from the inside out; return the top.

    `top` is what heads the name that the word begins, if it does.
    """
    ordered = _inside_out(word, functions, clause=tree.tag[word] == "VERB")
    if len(conjuncts) > 1:
        conjuncts = _nearest_first(conjuncts, word)
    levels = list(accumulate([level_of(tree, word, c, ordered) for c in conjuncts], max))
    heads = [word] if top == word else [word, top]
    inner = 0
    outermost = _outer_copula(tree, word, ordered)
    for level in range(len(ordered) + 1):
        if level:
            function, construction = ordered[level - 1]
            climb = scheme.climbing(construction)
            turn(tree, function, heads, climb, inner, _SUBJECTS if level == outermost else ())
            if scheme.shared == "last":
                share_partner(tree, function, heads[-1])
            inner = len(heads)
            heads.append(function)
        if level in levels:
            here = [c for c, at in zip(conjuncts, levels, strict=True) if at == level]
            top = coordinate(tree, heads[-1], here, scheme, failures)
            if top != heads[-1]:
                heads.append(top)
    return heads[-1]


_SUBJECTS = ("nsubj", "csubj", "expl")


def _nearest_first(words: list[int], word: int) -> list[int]:
    return sorted(words, key=lambda other: abs(other - word))


def _outer_copula(tree: Tree, word: int, ordered: list[tuple[int, str]]) -> int:
    """Return which function word is the copula of a clause around the word's own one, 0: none.

    *The point is that she came* has the subject of *is*, an outer one, beside that of *came*.
    """
    copulas = [n for n, (_, construction) in enumerate(ordered, 1) if construction == "copula"]
    if not copulas or not any(tree.hub[child].endswith(":outer") for child in tree.children[word]):
        return 0
    return copulas[-1]


def _inside_out(
    word: int, functions: list[tuple[int, str]], *, clause: bool = False
) -> list[tuple[int, str]]:
    """Return function words in the order in which they become heads.

    On either side of the word the nearest ones come first. Of two on different sides, the one comes
    first that belongs further inside: determiners, then adpositions, copulas, auxiliaries,
    subordinators; of the same kind, the one after the word. A copula after an auxiliary or a
    subordinator, all after the word, comes before these: *however old it may be*, *young though he
    is*; but not before an adposition, nor before a subordinator that stands between the two alone,
    a suffix. Where a clause is the predicate, its subordinator comes first. A particle
    belongs to the auxiliary after it: *Mont a ran*.

    >>> _inside_out(3, [(1, "subordinator"), (2, "auxiliary"), (4, "auxiliary"), (5, "copula")])
    [(5, 'copula'), (4, 'auxiliary'), (2, 'auxiliary'), (1, 'subordinator')]
    >>> _inside_out(2, [(1, "copula"), (3, "subordinator")], clause=True)
    [(3, 'subordinator'), (1, 'copula')]
    >>> _inside_out(1, [(2, "subordinator"), (3, "copula")])
    [(2, 'subordinator'), (3, 'copula')]
    >>> _inside_out(1, [(2, "subordinator"), (4, "copula")])
    [(4, 'copula'), (2, 'subordinator')]
    >>> _inside_out(1, [(2, "particle"), (3, "auxiliary")])
    [(3, 'auxiliary'), (2, 'particle')]
    >>> _inside_out(1, [(2, "copula"), (3, "adposition")])
    [(2, 'copula'), (3, 'adposition')]
    """
    if len(functions) < 2:
        return functions
    before = sorted(entry for entry in functions if entry[0] < word)
    after = sorted((entry for entry in functions if entry[0] > word), reverse=True)
    depth = {**_DEPTH, "copula": _DEPTH["opening"]} if clause else _DEPTH
    kinds = [kind for _, kind in after]
    if "copula" in kinds and not clause:
        copula = after.pop(kinds.index("copula"))
        place = len(after)
        while place and _inside(after[place - 1], copula, word):
            place -= 1
        after.insert(place, copula)
    for particle in [entry for entry in after if entry[1] == "particle"]:
        after.remove(particle)
        after.insert(sum(depth.get(kind, 0) > _DEPTH["particle"] for _, kind in after), particle)
    ordered = []
    while before and after:
        inner = depth.get(before[-1][1], 0) < depth.get(after[-1][1], 0)
        ordered.append((before if inner else after).pop())
    return ordered + before[::-1] + after[::-1]


def _inside(function: tuple[int, str], copula: tuple[int, str], word: int) -> bool:
    """Tell whether a function word between a word and its copula belongs to the word alone."""
    place, construction = function
    depth = _DEPTH.get(construction, 0)
    suffix = depth == _DEPTH["subordinator"] and word + 1 == place == copula[0] - 1
    return place < copula[0] and (suffix or depth < _DEPTH["copula"])


_DEPTH = {
    "adposition": 1,
    "possessive": 1,
    "copula": 2,
    "auxiliary": 3,
    "modal": 3,
    "particle": 4,
    "infinitive": 5,
    "subordinator": 5,
    "opening": 6,
}
"""How far outside the function word of a construction belongs; those not listed the least."""


def _relative(tree: Tree, verb: int, top: int, scheme: Scheme, failures: list[Failure]) -> None:
    """Make the relative word of a clause, with its phrase, the head of the clause."""
    phrase = relative_phrase(tree, verb, top)
    if not phrase:
        failures.append(("relative", "no relative word"))
        return
    beyond = [child for child in tree.children[top] if child < phrase]
    tree.take_place(phrase, top)
    for child in [top, *beyond]:
        tree.move(child, phrase)
    if scheme.clause:
        tree.label[top] = scheme.clause

"""Brackets that do not close, or close too often, and trees whose words are not the right ones.

A tree ends where its brackets are closed; one that is never closed ends where the next line begins
with a bracket at its very start, or with a blank line. Lines that are no part of a tree are prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from commonground.errors import quoted
from commonground.formats.notation.escapes import WORDS
from commonground.formats.notation.failed_parses import FAILED
from commonground.plurals import number_of
from commonground.repair.defects import Defect
from commonground.repair.row_fields import is_fence
from commonground.repair.words import match_words
from commonground.tokens.sentences import pair_texts
from commonground.tokens.spelling import plain

__all__ = ["mended_brackets"]

_PIECE = re.compile(r"[()]|[^ \t\n\r\f\v()]+")
_LOST = "X"
"""The tag of a word that was put back."""
_TRACE = "-NONE-"

Defects = tuple[Defect, ...]


@dataclass(slots=True)
class _Node:
    """A phrase with parts, or a word, which has a form."""

    label: str = ""
    form: str = ""
    parts: list[_Node] = field(default_factory=list)
    line: int = 0


@dataclass(slots=True)
class _Tree:
    """A tree, its text as it stands, and what is wrong with it; no tree is a parse that failed."""

    node: _Node | None
    text: str
    line: int
    defects: list[Defect] = field(default_factory=list)


def mended_brackets(
    text: str, right: Sequence[Sequence[str]] | None = None
) -> tuple[str, Defects, tuple[Defects, ...]]:
    r"""Return the trees of a text, a line each, the defects around them, and those of each tree.

    With the `right` words of each sentence, the trees get these. Trees without defects are as they
    were.

    >>> text, _, (defects,) = mended_brackets("(S (NP (PRP I)) (VP (VBP see))")
    >>> text, defects[0].message
    ('(S (NP (PRP I)) (VP (VBP see)))\n', '1 bracket is not closed')
    """
    outside: list[Defect] = []
    trees = list(_trees(text, outside))
    if right is not None:
        trees = _with_words(trees, right, outside)
    lines = [
        tree.text if not tree.defects else _written(tree.node) if tree.node else "()"
        for tree in trees
    ]
    content = "".join(f"{line}\n" for line in lines)
    return content, tuple(outside), tuple(tuple(tree.defects) for tree in trees)


# ── reading ──────────────────────────────────────────────────────────────────────────────────────


def _trees(text: str, outside: list[Defect]) -> Iterator[_Tree]:
    """Return the trees of a text; what is no tree is told in `outside`."""
    block: list[str] = []
    start = depth = 0
    for number, line in enumerate([*text.split("\n"), ""], 1):
        begins = line.startswith("(") or not line.strip() or is_fence(line)
        if block and (depth <= 0 or begins):
            yield from _block(block, start, outside)
            block, depth = [], 0
        if not line.strip():
            continue
        if is_fence(line):
            outside.append(Defect("fence", number, f"a code fence: {quoted(line.strip(), 20)}"))
        elif block or line.lstrip().startswith("("):
            start = start if block else number
            block.append(line)
            depth += line.count("(") - line.count(")")
        elif not line.startswith(("#", "<", "*x*")):
            outside.append(Defect("prose", number, f"no tree: {quoted(line.strip())}"))


def _block(lines: Sequence[str], start: int, outside: list[Defect]) -> Iterator[_Tree]:
    """Return the trees of some lines, the last of which may be open."""
    text = "\n".join(lines)
    if FAILED.fullmatch(text.encode()):
        yield _Tree(None, text, start)
        return
    top = _Node()
    stack = [top]
    line, begin, place = start, 0, 0
    defects: list[Defect] = []
    made = 0
    for match in _PIECE.finditer(text):
        line += text.count("\n", place, match.start())
        place = match.start()
        piece = match[0]
        if piece == "(":
            if len(stack) == 1:
                begin = place
            node = _Node(line=line)
            stack[-1].parts.append(node)
            stack.append(node)
        elif piece == ")":
            if len(stack) == 1:
                defects.append(Defect("closing-bracket", line, "a closing bracket too many"))
                continue
            stack.pop()
            if len(stack) == 1:
                yield from _whole(top.parts.pop(), text[begin : place + 1], start, defects)
                made, defects = made + 1, []
        elif len(stack) == 1:
            outside.append(Defect("prose", line, f"no tree: {quoted(piece)}"))
        else:
            _add_text(stack[-1], piece, text[match.start() - 1], line)
    if len(stack) > 1:
        count = number_of(len(stack) - 1, "bracket is", "brackets are")
        defects.append(Defect("open-bracket", start, f"{count} not closed"))
        yield from _whole(top.parts.pop(), text[begin:], start, defects)
    else:
        outside += defects


def _add_text(node: _Node, text: str, before: str, line: int) -> None:
    """Add a label to a phrase, or a word."""
    if not node.label and not node.parts and before == "(":
        node.label = text
    else:
        node.parts.append(_Node(form=text, line=line))


def _whole(node: _Node, text: str, line: int, defects: list[Defect]) -> Iterator[_Tree]:
    """Return a tree without phrases that have no words; none where nothing is left."""
    empty: list[Defect] = []
    stack = [(node, False)]
    while stack:
        each, seen = stack.pop()
        if not seen:
            stack.append((each, True))
            stack += [(part, False) for part in each.parts]
            continue
        gone = [part for part in each.parts if not part.form and not part.parts]
        empty += [
            Defect("empty-phrase", part.line, f"{quoted(part.label)} has no words") for part in gone
        ]
        each.parts = [part for part in each.parts if part.form or part.parts]
    if node.parts:
        yield _Tree(node, text, line, [*defects, *empty])
    else:
        told = Defect("empty-phrase", line, f"{quoted(text)} has no words")
        yield _Tree(None, text, line, [*defects, told])


def _written(node: _Node) -> str:
    """Return a tree on one line."""
    out: list[str] = []
    todo: list[_Node | str] = [node]
    while todo:
        each = todo.pop()
        if isinstance(each, str):
            out.append(each)
        elif each.form:
            out.append(f" {each.form}")
        else:
            out.append(f"{' ' if out else ''}({each.label}")
            todo.append(")")
            first, *rest = each.parts
            if first.form and rest and not each.label:  # it would be taken for a label
                first = _Node(_LOST, parts=[first])
            todo += reversed([first, *rest])
    return "".join(out)


# ── words ────────────────────────────────────────────────────────────────────────────────────────


def _leaves(node: _Node) -> list[tuple[_Node, _Node]]:
    """Return the words of a tree in order, each with the phrase right above it."""
    leaves: list[tuple[_Node, _Node]] = []
    todo = [(part, node) for part in reversed(node.parts)]
    while todo:
        each, above = todo.pop()
        if each.form:
            if above.label != _TRACE or len(above.parts) > 1:  # a trace is alone
                leaves.append((each, above))
        else:
            todo += [(part, each) for part in reversed(each.parts)]
    return leaves


def _with_words(
    trees: Sequence[_Tree], right: Sequence[Sequence[str]], outside: list[Defect]
) -> list[_Tree]:
    """Return the trees of the right sentences, with their words."""
    texts = [
        [plain(WORDS.read(leaf.form)) for leaf, _ in _leaves(tree.node)] if tree.node else []
        for tree in trees
    ]
    wanted = [[plain(form) for form in words] for words in right]
    pairs: dict[int, int] = {}
    if len(texts) == len(wanted):
        pairs = {place: place for place in range(len(wanted))}
    else:
        for mine, theirs in pair_texts(wanted, texts):
            pairs[mine[0]] = theirs[0]
    for place in sorted(set(range(len(trees))) - set(pairs.values())):
        tree = trees[place]
        outside += [*tree.defects, Defect("extra-sentence", tree.line, "a tree too many")]
    made = []
    for place, words in enumerate(right):
        if place in pairs:
            made.append(_mended_words(trees[pairs[place]], words))
        else:
            told = Defect("lost-sentence", 0, f"tree {place + 1} is not there")
            made.append(_Tree(_flat(words), "", 0, [told]))
    return made


def _flat(words: Sequence[str]) -> _Node:
    return _Node("TOP", parts=[_word(form) for form in words])


def _word(form: str) -> _Node:
    return _Node(_LOST, parts=[_Node(form=WORDS.written(form))])


def _mended_words(tree: _Tree, right: Sequence[str]) -> _Tree:
    """Return a tree with the right words: changed ones renamed, others taken out or put in."""
    if tree.node is None:
        return tree  # a parse that failed counts as one
    leaves = _leaves(tree.node)
    forms = [WORDS.read(leaf.form) for leaf, _ in leaves]
    if list(right) == forms:
        return tree
    match = match_words(right, forms)
    lines = [leaf.line for leaf, _ in leaves]
    defects = [
        Defect(kind, lines[place] if place < len(lines) else tree.line, quoted(form))
        for kind, place, form in match.wrong
    ]
    for place, b in enumerate(match.partner):
        if b >= 0:
            leaf, above = leaves[b]
            leaf.form = WORDS.written(right[place])
            above.label = _LOST if above.label == _TRACE else above.label
    used = set(match.partner)
    before: tuple[_Node, _Node] | None = None
    for place, b in enumerate(match.partner):
        if b >= 0:
            before = leaves[b]
            continue
        added = _word(right[place])
        before = (added.parts[0], _put_after(tree.node, before, added))
    for b, (leaf, above) in enumerate(leaves):
        if b not in used:
            above.parts = [part for part in above.parts if part is not leaf]
    pruned = next(_whole(tree.node, "", tree.line, []))
    return _Tree(pruned.node, "", tree.line, [*tree.defects, *defects])


def _put_after(top: _Node, before: tuple[_Node, _Node] | None, added: _Node) -> _Node:
    """Put a word behind another one, beside its tag; return what its own tag is."""
    if before is None:
        top.parts.insert(0, added)
        return added
    leaf, tag = before
    inside = tag is top or tag.parts[-1] is not leaf  # more words follow under the same tag
    above, left = (tag, leaf) if inside else (_above(top, tag), tag)
    place = next(number for number, part in enumerate(above.parts) if part is left)
    above.parts.insert(place + 1, added)
    return added


def _above(top: _Node, node: _Node) -> _Node:
    """Return the phrase above a node; the top has none but itself."""
    todo = [top]
    while todo:
        each = todo.pop()
        if any(part is node for part in each.parts):
            return each
        todo += each.parts
    return top

"""The states of transition-based parsers, and the transitions between them.

Words count from 1; place 0 is nothing, and the root stands behind the last word, so that every word
gets a head. A transition has a kind and, where it makes an arc, a label. σ is the stack (its top on
the right), β the buffer:

    system         SHIFT          LEFT                RIGHT               REDUCE        SWAP
    arc-eager      σ, bβ → σb, β  σs, bβ → σ, bβ; b→s  σs, bβ → σsb, β; s→b  σs → σ
    arc-hybrid     σ, bβ → σb, β  σs, bβ → σ, bβ; b→s  σts → σt; t→s
    arc-standard   σ, bβ → σb, β  σts → σs; s→t        σts → σt; t→s
    swap           as arc-standard                                        σts, β → σs, tβ

(Nivre 2003, 2004, 2009; Kuhlmann, Gómez-Rodríguez & Satta 2011; the root at the end as Ballesteros
& Nivre 2013 have it.) The compiled twin is ``transition_state.pxd``.
"""

from __future__ import annotations

from copy import deepcopy

__all__ = ["KINDS", "SYSTEMS", "State"]

KINDS = ("shift", "reduce", "left", "right", "swap")
SHIFT, REDUCE, LEFT, RIGHT, SWAP = range(5)

SYSTEMS = ("arc-eager", "arc-hybrid", "arc-standard", "swap")
EAGER, HYBRID, STANDARD, SWAPPING = range(4)


class State:
    """A stack, a buffer (the next word last) and the tree so far.

    `head` is 0 for a word that has none yet; `label` is the number of the label plus one.
    """

    def __init__(self, system: int, words: int) -> None:
        self.system, self.words, self.root = system, words, words + 1
        self.stack: list[int] = []
        self.buffer = list(range(words + 1, 0, -1))
        size = words + 2
        self.head, self.label = [0] * size, [0] * size
        self.low, self.low2, self.high, self.high2 = ([0] * size for _ in range(4))
        self.lefts, self.rights = [0] * size, [0] * size
        self.left_labels, self.right_labels = [0] * size, [0] * size
        self.steps = 0

    def copy(self) -> State:
        """Return a state that can go another way."""
        return deepcopy(self)

    def on_stack(self, place: int) -> int:
        """Return a word of the stack, counted from the top, or 0."""
        return self.stack[-1 - place] if place < len(self.stack) else 0

    def in_buffer(self, place: int) -> int:
        """Return a word of the buffer, counted from the front, or 0."""
        return self.buffer[-1 - place] if place < len(self.buffer) else 0

    def done(self) -> bool:
        """Tell whether only the root is left."""
        if self.system in (EAGER, HYBRID):
            return not self.stack and len(self.buffer) == 1
        return not self.buffer and len(self.stack) == 1

    def allowed(self, kind: int, *, one_root: bool) -> bool:
        """Tell whether a transition is possible.

        With `one_root` a word hangs on the root only when no other one waits, as far as the system
        can see to that; in arc-eager it cannot. The number of swaps is bounded, so that every
        sequence of transitions ends.
        """
        depth, top, following = len(self.stack), self.on_stack(0), self.in_buffer(0)
        last = following == self.root
        if self.system == EAGER:
            return {
                SHIFT: not last,
                REDUCE: depth > 0 and self.head[top] != 0,
                LEFT: depth > 0 and self.head[top] == 0,
                RIGHT: depth > 0 and not last,
            }.get(kind, False)
        if self.system == HYBRID:
            return {
                SHIFT: not last,
                LEFT: depth > 0 and not (one_root and last and depth > 1),
                RIGHT: depth > 1,
            }.get(kind, False)
        return {
            SHIFT: bool(self.buffer) and not (one_root and last and depth > 1),
            LEFT: depth > 1,
            RIGHT: depth > 1 and top != self.root,
            SWAP: self.system == SWAPPING
            and depth > 1
            and top != self.root
            and self.on_stack(1) < top
            and self.steps < 2 * self.words * self.words,
        }.get(kind, False)

    def arc(self, kind: int) -> tuple[int, int]:
        """Return the head and the dependent that LEFT or RIGHT would join."""
        top, second, following = self.on_stack(0), self.on_stack(1), self.in_buffer(0)
        if self.system == EAGER:
            return (following, top) if kind == LEFT else (top, following)
        if self.system == HYBRID:
            return (following if kind == LEFT else second), top
        return (top, second) if kind == LEFT else (second, top)

    def apply(self, kind: int, label: int) -> None:
        """Make a transition."""
        self.steps += 1
        if kind in (LEFT, RIGHT):
            self.attach(*self.arc(kind), label)
        if kind == SHIFT or (kind == RIGHT and self.system == EAGER):
            self.stack.append(self.buffer.pop())
        elif kind == SWAP:
            self.buffer.append(self.stack.pop(-2))
        elif kind == LEFT and self.system in (STANDARD, SWAPPING):
            self.stack.pop(-2)
        else:
            self.stack.pop()

    def attach(self, head: int, word: int, label: int) -> None:
        """Add an arc to the tree."""
        self.head[word], self.label[word] = head, label + 1
        if word < head:
            self.lefts[head] += 1
            self.left_labels[head] |= 1 << (label & 63)
            if not self.low[head] or word < self.low[head]:
                self.low[head], self.low2[head] = word, self.low[head]
            elif not self.low2[head] or word < self.low2[head]:
                self.low2[head] = word
        else:
            self.rights[head] += 1
            self.right_labels[head] |= 1 << (label & 63)
            if word > self.high[head]:
                self.high[head], self.high2[head] = word, self.high[head]
            elif word > self.high2[head]:
                self.high2[head] = word

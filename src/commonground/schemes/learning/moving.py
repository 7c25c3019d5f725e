"""A treebank in the hub, from where it is moved into many schemes in turn.

What schemes are compared by is heads, so that nothing else is made; and where only some
constructions change, only the sentences that have them need to be moved again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from commonground.corpus import Dependencies
from commonground.schemes.constructions import CONSTRUCTIONS
from commonground.schemes.hub_trees import from_hub
from commonground.schemes.scheme import Scheme
from commonground.schemes.tag_set import Tagging
from commonground.schemes.transform import trees_in_hub
from commonground.schemes.translate import construction_at
from commonground.schemes.tree import Tree

__all__ = ["Moving", "constructions_of"]


@dataclass(frozen=True, slots=True)
class Moving:
    """A reference, sentence by sentence in the hub, beside the heads of a sample.

    `trees` are None where heads form a cycle; such a sentence never moves. `wanted` are the heads
    of the sample, `plain` those of the reference as it is, in its scheme `origin`. `present` are
    the constructions of each sentence.
    """

    origin: Scheme
    trees: tuple[Tree | None, ...]
    wanted: tuple[list[int], ...]
    plain: tuple[list[int], ...]
    present: tuple[frozenset[str], ...]

    @classmethod
    def of(
        cls, reference: Dependencies, sample: Dependencies, origin: Scheme, tags: Tagging
    ) -> Moving:
        """Bring a reference into the hub, beside a sample of the same words."""
        trees = tuple(trees_in_hub(reference, origin, tags))
        return cls(
            origin,
            trees,
            _cut(sample),
            _cut(reference),
            tuple(frozenset() if tree is None else constructions_of(tree) for tree in trees),
        )

    @property
    def words(self) -> int:
        """How many words there are."""
        return sum(map(len, self.wanted))

    def heads(self, scheme: Scheme, sentence: int) -> list[int]:
        """Return the heads that a sentence of the reference has in a scheme."""
        tree = self.trees[sentence]
        if tree is None or scheme == self.origin:
            return self.plain[sentence]
        moved = tree.copy()
        from_hub(moved, scheme)
        return moved.heads()

    def common(self, scheme: Scheme, sentence: int) -> int:
        """Return how many heads a sentence has in common with the sample in a scheme."""
        heads = self.heads(scheme, sentence)
        return sum(map(int.__eq__, heads, self.wanted[sentence]))

    def commons(self, scheme: Scheme, sentences: Iterable[int] | None = None) -> list[int]:
        """Return the heads in common of some sentences, all without them."""
        places = range(len(self.trees)) if sentences is None else sentences
        return [self.common(scheme, place) for place in places]

    def occurring(self) -> list[str]:
        """Return the constructions that there are, in the order of the table."""
        there = frozenset().union(*self.present)
        return [name for name in CONSTRUCTIONS if name in there]

    def sentences_with(self, construction: str) -> Sequence[int]:
        """Return the sentences that have a construction."""
        return [place for place, names in enumerate(self.present) if construction in names]


def _cut(corpus: Dependencies) -> tuple[list[int], ...]:
    heads = np.asarray(corpus.head).tolist()
    return tuple(heads[start:stop] for start, stop in pairwise(corpus.offsets.tolist()))


_MORE = {"acl:relcl": "relative", "punct": "punctuation"}


def constructions_of(tree: Tree) -> frozenset[str]:
    """Return the constructions of a tree in the hub."""
    words = range(1, len(tree.head))
    names = (construction_at(tree, word) or _MORE.get(tree.hub[word]) for word in words)
    return frozenset(name for name in names if name is not None)

"""All projective trees over a few words, by brute force."""

from __future__ import annotations

from itertools import product


def is_projective_tree(heads):
    """One root, no cycle, and no arc that crosses another."""
    n = len(heads)
    if heads.count(0) != 1:
        return False
    for word in range(1, n + 1):
        seen, at = set(), word
        while at:
            if at in seen:
                return False
            seen.add(at)
            at = heads[at - 1]
    for word in range(1, n + 1):
        head = heads[word - 1]
        for between in range(min(word, head) + 1, max(word, head)) if head else ():
            at = between
            while at and at not in (word, head):
                at = heads[at - 1]
            if not at:
                return False
    return True


def all_trees(n):
    return [heads for heads in product(range(n + 1), repeat=n) if is_projective_tree(list(heads))]

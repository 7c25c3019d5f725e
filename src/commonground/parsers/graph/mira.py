"""Online learning of trees with MIRA: the smallest change that puts the right tree in front.

For a sentence with the reference tree t and the tree t' that the model prefers (Crammer et al.
2006; McDonald, Crammer & Pereira 2005, with one best tree):

    w ← w + τ·(f(t) - f(t')),   τ = min(C, (loss(t, t') - w·f(t) + w·f(t')) / |f(t) - f(t')|²)

The loss counts the annotated words whose head is another one. Scores and weights are whole numbers,
a weight of 1 being :data:`UNIT`, so that learning is exact.
"""

from __future__ import annotations

__all__ = ["UNIT", "length_of_step"]

UNIT = 1 << 16


def length_of_step(loss: int, lead: int, norm: int, most: int) -> int:
    """Return τ: `lead` is how much better the model finds the reference, `most` is C.

    >>> length_of_step(2 * UNIT, UNIT, 4, 10 * UNIT) / UNIT
    0.25
    """
    short = loss - lead
    return min(most, short // norm) if norm and short > 0 else 0

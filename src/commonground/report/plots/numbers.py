"""Differences and p-values as figures write them."""

from __future__ import annotations

__all__ = ["p_text", "signed"]


def signed(value: float) -> str:
    """Return a difference with its sign, and 0 without.

    >>> signed(1.25), signed(-0.5), signed(-0.001)
    ('+1.25', '−0.50', '0.00')
    """
    text = f"{value:+.2f}"
    return "0.00" if float(text) == 0 else text.replace("-", "−")


def p_text(p: float) -> str:
    """Return a p-value with three decimals, or that it is smaller.

    >>> p_text(0.0421), p_text(0.00009)
    ('p = 0.042', 'p < 0.001')
    """
    return f"p = {p:.3f}" if p >= 0.001 else "p < 0.001"

"""Constituents to dependencies and back: head rules, Penn2Malt, LTH, Stanford."""

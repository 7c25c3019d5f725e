"""Parsers from outside: programs and packages that people have, behind the same interface."""

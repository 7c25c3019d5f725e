"""A local page to browse saved results, and to evaluate files that are dropped on it.

Everything is made for one person on one computer: the server listens on 127.0.0.1 only, its address
has a token that nobody can guess, and it writes nowhere but into a folder of its own.
"""

"""Construction-focused evaluation: what parsers make of ten phenomena.

Bender, E. M., Flickinger, D., Oepen, S. and Zhang, Y. (2011), Parser evaluation over local and
non-local deep dependencies in a large corpus, EMNLP.
"""

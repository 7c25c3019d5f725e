"""Compare syntactic parsers across treebanks, schemes and frameworks."""

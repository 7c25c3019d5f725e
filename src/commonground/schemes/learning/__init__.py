"""Which scheme a treebank follows: recognised, or learned from examples."""

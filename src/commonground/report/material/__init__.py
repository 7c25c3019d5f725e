"""What pages and plots look into: the sentences of a result, its treebanks, and claims."""

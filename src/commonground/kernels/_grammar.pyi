from commonground.kernels.grammar import best_tree as best_tree

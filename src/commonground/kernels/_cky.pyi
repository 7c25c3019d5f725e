from commonground.kernels.cky import best_trees as best_trees

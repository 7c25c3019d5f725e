from commonground.kernels.constituents import best_trees as best_trees

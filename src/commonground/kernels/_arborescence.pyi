from commonground.kernels.arborescence import best_trees as best_trees

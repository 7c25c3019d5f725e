from commonground.kernels.graph_matching import best_pairs as best_pairs

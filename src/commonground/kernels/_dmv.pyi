from commonground.kernels.dmv import best_trees as best_trees
from commonground.kernels.dmv import posteriors as posteriors

from commonground.kernels.tree_distance import distances as distances
from commonground.kernels.tree_distance import mappings as mappings

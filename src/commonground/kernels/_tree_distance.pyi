from commonground.kernels.tree_distance import distances as distances
from commonground.kernels.tree_distance import mappings as mappings
from commonground.kernels.tree_distance import weighted_distances as weighted_distances
from commonground.kernels.tree_distance import weighted_mappings as weighted_mappings

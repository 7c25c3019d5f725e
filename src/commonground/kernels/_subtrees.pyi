from commonground.kernels.subtrees import node_counts as node_counts
from commonground.kernels.subtrees import yield_texts as yield_texts

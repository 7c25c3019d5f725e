from commonground.kernels.columns import add_multiples as add_multiples
from commonground.kernels.columns import add_taken as add_taken
from commonground.kernels.columns import counted as counted
from commonground.kernels.columns import in_both as in_both
from commonground.kernels.columns import mixed_sums as mixed_sums
from commonground.kernels.columns import taken as taken

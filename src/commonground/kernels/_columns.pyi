from commonground.kernels.columns import add_taken as add_taken
from commonground.kernels.columns import counted as counted
from commonground.kernels.columns import taken as taken

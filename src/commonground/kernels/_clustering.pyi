from commonground.kernels.clustering import exchanged as exchanged
from commonground.kernels.clustering import merged as merged

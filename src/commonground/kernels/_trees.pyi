from commonground.kernels.trees import crossing as crossing
from commonground.kernels.trees import cycles as cycles
from commonground.kernels.trees import depth as depth

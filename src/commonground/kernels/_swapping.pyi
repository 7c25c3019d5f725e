from commonground.kernels.swapping import sums as sums

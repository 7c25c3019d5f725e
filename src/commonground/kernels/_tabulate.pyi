from commonground.kernels.tabulate import tabulate as tabulate

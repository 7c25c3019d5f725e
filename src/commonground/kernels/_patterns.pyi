from commonground.kernels.patterns import found as found

from commonground.kernels.lineages import distances as distances

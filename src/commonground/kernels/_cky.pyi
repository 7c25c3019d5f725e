from commonground.kernels.cky import best_spans as best_spans

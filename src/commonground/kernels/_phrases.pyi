from commonground.kernels.phrases import attached as attached

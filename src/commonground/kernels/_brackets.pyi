from commonground.kernels.brackets import brackets as brackets

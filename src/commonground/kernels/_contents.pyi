from commonground.kernels.contents import contents as contents

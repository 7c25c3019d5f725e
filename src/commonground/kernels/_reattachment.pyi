from commonground.kernels.reattachment import improved as improved

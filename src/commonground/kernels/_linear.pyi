from commonground.kernels.linear import add as add
from commonground.kernels.linear import near_features as near_features
from commonground.kernels.linear import scores as scores
from commonground.kernels.linear import squared as squared

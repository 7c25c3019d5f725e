from commonground.kernels.eisner import first_order as first_order
from commonground.kernels.eisner import second_order as second_order

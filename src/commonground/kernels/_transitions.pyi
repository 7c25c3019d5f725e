from commonground.kernels.transitions import Decoder as Decoder
from commonground.kernels.transitions import Learner as Learner
from commonground.kernels.transitions import transition_costs as transition_costs

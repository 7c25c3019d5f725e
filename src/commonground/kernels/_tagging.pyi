from commonground.kernels.tagging import Decoder as Decoder
from commonground.kernels.tagging import Learner as Learner

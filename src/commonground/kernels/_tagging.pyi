from commonground.kernels.tagging import TagDecoder as TagDecoder
from commonground.kernels.tagging import TagLearner as TagLearner

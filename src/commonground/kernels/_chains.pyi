from commonground.kernels.chains import ChainDecoder as ChainDecoder
from commonground.kernels.chains import ChainLearner as ChainLearner

from commonground.kernels.sparse import Classifier as Classifier
from commonground.kernels.sparse import Learner as Learner

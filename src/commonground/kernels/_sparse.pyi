from commonground.kernels.sparse import SparseClassifier as SparseClassifier
from commonground.kernels.sparse import SparseLearner as SparseLearner

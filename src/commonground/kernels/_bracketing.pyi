from commonground.kernels.bracketing import shared_brackets as shared_brackets
from commonground.kernels.bracketing import shared_words as shared_words

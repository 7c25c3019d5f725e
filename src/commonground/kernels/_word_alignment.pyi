from commonground.kernels.word_alignment import add as add
from commonground.kernels.word_alignment import best as best
from commonground.kernels.word_alignment import expected as expected
from commonground.kernels.word_alignment import number_pairs as number_pairs
from commonground.kernels.word_alignment import shares as shares
from commonground.kernels.word_alignment import symmetrise as symmetrise

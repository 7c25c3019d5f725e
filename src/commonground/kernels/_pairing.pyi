from commonground.kernels.pairing import pair_words as pair_words

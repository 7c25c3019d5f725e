"""What makes hypotheses: parsers of our own, from outside, and the tagger under them."""

"""From scores to claims: tests, intervals and variance, from the counts per sentence."""

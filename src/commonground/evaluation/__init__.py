"""From a request to a result: evaluate, compare across schemes, agreement, saved results."""

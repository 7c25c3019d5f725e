"""From text to words: tokens, sentences, and the words of multiword tokens."""

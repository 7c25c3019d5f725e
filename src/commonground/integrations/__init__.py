"""The scores of this package where people already are: spaCy, Hugging Face evaluate, NLTK."""

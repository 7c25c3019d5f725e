"""Word clusters: made of raw text, kept in files and models, and seen by taggers and parsers."""

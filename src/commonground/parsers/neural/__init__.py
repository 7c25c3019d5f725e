"""Neural parsers of our own; PyTorch is an extra, and imported when one of them is used."""

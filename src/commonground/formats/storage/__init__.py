"""Files, folders, compression, and large files in pieces."""

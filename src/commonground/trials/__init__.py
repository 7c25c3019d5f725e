"""Raw text through several systems to a verdict, with a gold standard or without."""

"""Trees as language models, students and broken exports write them: classed, and mended."""

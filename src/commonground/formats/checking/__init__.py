"""What is in a file and what is wrong with it: problems, repairs, UD's validator."""

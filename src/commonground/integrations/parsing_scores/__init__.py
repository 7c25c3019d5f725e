"""The folder that ``evaluate.load`` takes."""

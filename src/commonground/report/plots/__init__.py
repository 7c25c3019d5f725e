"""Plots: scores and differences as figures for papers, made with matplotlib.

A module makes one kind of figure from values; ``kinds.py`` finds the values in a saved result. The
figures are to be read in print: systems differ in marker and line as well as in colour, numbers
stand where shades would not tell enough, and text stays text.
"""

"""A play as a tree of turns, with its branches, clocks and files."""

"""The formats: each a function that names the next round, given the rounds and results so far, or None at the end."""

"""The formats: each is a function from the rounds and results so far to the next round, or None at the end."""

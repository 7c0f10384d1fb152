"""Positions of a game as searches see them: numbered moves, all children of many positions at once."""

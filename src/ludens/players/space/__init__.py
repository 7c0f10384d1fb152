"""Positions of a game for searches: numbered moves, all children of many positions at once."""

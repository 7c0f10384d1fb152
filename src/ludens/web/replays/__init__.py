"""Pages of past matches, turn by turn."""

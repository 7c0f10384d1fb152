"""Commands that examine a game or a position."""

"""Commands that serve games and players to other programs and to browsers."""

"""People at other machines: their connections, players and rights."""

"""Building blocks of tabletop games: moves of chess and shogi, tricks, hands of tiles."""

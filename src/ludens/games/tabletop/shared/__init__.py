"""What tabletop games are made of besides their rules: moves of chess and shogi, tricks, hands of tiles."""

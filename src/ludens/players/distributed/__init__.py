"""Many machines for players and matches: the way to Ray, and trees that grow elsewhere."""

"""Many matches: who plays whom, what became of it, and how strong everybody is (docs/arena.md)."""

"""Pages of games, and what they show: facts, pictures, highlighted rules."""

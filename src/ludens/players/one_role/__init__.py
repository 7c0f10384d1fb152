"""What the player `single` is made of: searches for games in which nobody else moves."""

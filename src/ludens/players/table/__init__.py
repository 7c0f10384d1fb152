"""Tables of all positions of a game, with exact values and distances, and the player that uses them."""

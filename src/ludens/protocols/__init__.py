"""Conversations with other programs: wire formats, and the players and servers that speak them."""

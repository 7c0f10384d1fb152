"""Protocols for other programs: wire formats, and the players and servers that speak them."""

"""Gauntlets: one player against many opponents over many games, each side in a process of its own."""

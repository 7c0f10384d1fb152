"""Twins of games in Python, compiled: playouts in machine code, and the proof that they play alike."""

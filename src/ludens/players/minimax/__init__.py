"""Exact and depth-limited game values: expanding many positions at once, backing values up, alpha-beta, solving."""

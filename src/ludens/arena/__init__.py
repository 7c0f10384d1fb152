"""Tournaments: schedules, results and ratings (docs/arena.md)."""

"""Matches that the web server runs: in processes of their own, on disk from the first turn, shown to each audience."""

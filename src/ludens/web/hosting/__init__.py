"""Matches of the web server: played in worker processes, on disk from the first turn, shown to each audience."""

"""Commands that play, show and tabulate matches."""

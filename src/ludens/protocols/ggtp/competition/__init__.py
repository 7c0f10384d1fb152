"""A competition as a rule: its players are engines, its moves are the results of matches."""

"""Decomposition search: search subgames one by one, and combine the results."""

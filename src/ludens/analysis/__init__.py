"""Proofs from rules: effects, subgames, impartiality, symmetry."""

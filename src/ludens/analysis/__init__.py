"""What can be proved from rules: effects, subgames, impartiality, symmetry."""

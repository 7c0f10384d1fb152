"""Independent subgames: how they are found, and each on its own."""

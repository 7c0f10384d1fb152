"""The tree search in machine code, on games that compute many states at once."""

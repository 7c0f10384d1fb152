"""Compiles games in processes of their own, while the interpreter plays them."""

"""Decomposition search: subgames are searched one by one, and put together again."""

"""The pictures of the guide, from what the compiler makes of games: ``python -m benchmarks.pictures docs/pictures``."""

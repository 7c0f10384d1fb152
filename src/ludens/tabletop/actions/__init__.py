"""Actions: all that can happen on a table, and their texts."""

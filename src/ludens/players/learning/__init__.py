"""Shared by players that learn: their files, the training log, and its curve."""
